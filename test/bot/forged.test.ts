import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type Json, record, records } from '../emulators/slack/json.ts';
import type { Delivery } from '../emulators/slack/model.ts';
import { atRest, measures } from '../support/at-rest.ts';
import { fromBot, reads, settled } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { DAY_MS } from '../support/following.ts';
import { openHome } from '../support/home.ts';
import { objectsIn } from '../support/message-parts.ts';
import { READY } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { openWorld, type World } from '../support/world.ts';

/** Opens a world without the fixture of other tests, which fails on every delivery that Slack would never send. */
async function openWorldToForge(onTestFinished: (done: () => Promise<void>) => void): Promise<World> {
  const world = await openWorld();
  onTestFinished(() => world.close());
  return world;
}

/** Sends a delivery again with these changes and a correct signature. */
const forged = ({ slack }: World, { payload, ...delivery }: Delivery, changes: Json): Promise<Delivery> =>
  slack.pressAgain({ ...delivery, payload: { ...payload, ...changes } });

const used = ({ payload }: Delivery, changes: Json): Json => ({
  actions: [{ ...records(payload.actions)[0], ...changes }],
});

const seenIn = (world: World, channel: string) =>
  fromBot(world, channel).map(({ text, history }) => [text, history.length]);

/** Sends a submitted form again with other values. */
const refilled = (world: World, delivery: Delivery, values: Json): Promise<Delivery> => {
  const view = { ...record(delivery.payload.view), hash: 'other', state: { values } };
  return forged(world, delivery, { view });
};

test('A forged state of a button changes no message', async ({ onTestFinished }) => {
  const world = await openWorldToForge(onTestFinished);
  await world.slack.command({ text: '1001 hit' });
  const message = await reads(world, '37 hits');
  const press = await world.slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const state = JSON.parse(String(records(press.payload.actions)[0]?.block_id));
  const before = seenIn(world, SUPPORT);
  for (const changes of [
    { by: '!channel' },
    { by: 'U0BEN' },
    { by: 'U0BEN', id: '1012', turn: 2 ** 53 - 2 },
  ]) {
    await forged(world, press, used(press, { block_id: JSON.stringify({ ...state, ...changes }) }));
    await atRest(world.address());
    expect(seenIn(world, SUPPORT), JSON.stringify(changes)).toEqual(before);
  }
});

test('A press whose sender has no id of a person is refused', async ({ onTestFinished }) => {
  const world = await openWorldToForge(onTestFinished);
  await world.slack.command({ text: '1001 hit' });
  const message = await reads(world, '37 hits');
  const press = await world.slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const nobody = { user: { ...record(press.payload.user), id: '!channel' } };
  expect((await forged(world, press, nobody)).acknowledged).toBe(false);
});

test('Nothing is sent to a forged response URL', async ({ onTestFinished }) => {
  const world = await openWorldToForge(onTestFinished);
  const received: unknown[] = [];
  const other = createServer((request, response) => void received.push(request.url, response.end()));
  onTestFinished(() => void other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const press = await world.slack.click({ message: await beginWait(world), actionId: 'cancel', user: 'ben' });
  await forged(world, press, { response_url: `http://127.0.0.1:${port}/` });
  await eventually(() => expect(world.log.join('')).toContain('refused an address that is not Slack’s'));
  expect(received).toEqual([]);
});

test('A new owner that is no id of a person is refused', async ({ onTestFinished }) => {
  const world = await openWorldToForge(onTestFinished);
  await world.slack.command({ text: '1001 hit' });
  await world.slack.click({ message: await reads(world, '37 hits'), actionId: 'own', user: 'ben' });
  const owned = await world.slack.waitFor(
    () => fromBot(world).find(({ blocks }) => JSON.stringify(blocks).includes('"hand-over"')),
    'a result that has an owner',
  );
  await world.slack.click({ message: owned, actionId: 'hand-over', user: 'ben' });
  const view = await modal(world, 'once, in the thread of the report');
  const handed = await world.slack.submit({ view, values: { 'new-owner': 'U0ANA' } });
  await reads(world, 'is on it now: Snapshot 1001');
  const owner = { type: 'users_select', selected_user: '!channel' };
  const sent = await refilled(world, handed, { 'new-owner': { 'new-owner': owner } });
  expect(sent.acknowledged).toBe(false);
  expect(JSON.stringify(world.slack.messages(SUPPORT, 'ben'))).not.toContain('!channel');
});

test('A forged “Cancel” leaves the lookup of somebody else as it is, and mentions no channel', async ({
  onTestFinished,
}) => {
  const world = await openWorldToForge(onTestFinished);
  const waiting = await beginWait(world, '2001');
  const cancel = await world.slack.click({ message: waiting, actionId: 'cancel', user: 'ben' });
  await reads(world, 'can cancel this', { viewer: 'ben' });
  await forged(world, cancel, used(cancel, { value: '!channel' }));
  await reads(world, 'This lookup has ended', { viewer: 'ben' });
  world.service.shelve('2001', READY);
  expect((await reads(world, '1 hit')).ts).toBe(waiting.ts);
  expect(JSON.stringify(world.slack.messages(SUPPORT, 'ben'))).not.toContain('!channel');
});

test('An accepted hit takes a forged reason as one line of plain text, and a forged end as 30 days', async ({
  onTestFinished,
}) => {
  const world = await openWorldToForge(onTestFinished);
  const { slack } = world;
  await slack.command({ text: '1012' });
  await slack.click({ message: await reads(world, '1 hit'), actionId: 'details-0', user: 'ben' });
  await slack.click({ view: await modal(world, 'hit 1 of 1'), actionId: 'accept', user: 'ben' });
  const form = await modal(world, 'Until when');
  const accepted = await slack.submit({ view: form, values: { 'accept-reason': 'Known' } });
  await modal(world, 'Accepted by');
  const value = `<!channel> <@U0ANA>\u0000\u0007\u202e\n*now* ${'x'.repeat(10_000)}`;
  const { body } = await refilled(world, accepted, {
    'accept-reason': { 'accept-reason': { type: 'plain_text_input', value } },
    'accept-end': { 'accept-end': { type: 'radio_buttons', selected_option: { value: '-1' } } },
  });
  const { blocks } = JSON.parse(body).view;
  const texts = objectsIn(blocks).filter(({ text }) => String(text).includes('xxx'));
  expect(texts).toEqual([expect.objectContaining({ type: 'text' })]);
  expect(String(texts[0]?.text).length).toBeLessThan(160);
  expect(String(texts[0]?.text)).not.toMatch(/[\p{Cc}\u202e]/u);
  const [end] = objectsIn(blocks).filter(({ type }) => type === 'date');
  expect(Number(end?.timestamp) * 1_000 - Date.now()).toBeGreaterThan(29 * DAY_MS);
});

test('A forged kind of follow is taken as the first that the form offers', async ({ onTestFinished }) => {
  const world = await openWorldToForge(onTestFinished);
  const { slack } = world;
  await slack.command({ text: '1012' });
  await chooseMore(world, await reads(world, '1 hit'), 'Follow…');
  const following = await slack.submit({ view: await modal(world, 'Tell me') });
  const kind = { type: 'radio_buttons', selected_option: { value: '<!channel>' } };
  await refilled(world, following, { 'follow-kind': { 'follow-kind': kind } });
  const confirmations = () =>
    slack.messages(SUPPORT, 'ben').filter(({ text }) => text.includes('when critical or high hits'));
  await eventually(() => expect(confirmations()).toHaveLength(2));
});

test('“Stop” with a forged id is acknowledged, and stops nothing', async ({ onTestFinished }) => {
  const world = await openWorldToForge(onTestFinished);
  const { slack } = world;
  await ask(world, 'watch 1012');
  await ask(world, 'watch 1001');
  await measures(world, 'snapshot_bot_open_follows 2');
  const stop = await slack.click({ view: await openHome(world), actionId: 'stop-1012', user: 'ana' });
  for (const id of ['<!channel>', '../1', '9'.repeat(2_000)])
    expect((await forged(world, stop, used(stop, { value: id }))).acknowledged).toBe(true);
  await settled(world);
  await measures(world, 'snapshot_bot_open_follows 1');
});
