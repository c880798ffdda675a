import { expect, test } from 'vitest';
import { type Json, record, records } from '../emulators/slack/json.ts';
import type { Delivery } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { fromBot, reads } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { objectsIn } from '../support/message-parts.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

/** A private channel that Ben is not in. */
const WARROOM = 'C0WARROOM';

/** Not the fixture of other tests: Slack, or its emulator, would never send these deliveries. */
async function attacked(onTestFinished: (done: () => Promise<void>) => void, options: WorldOptions = {}) {
  const world = await openWorld(options);
  onTestFinished(() => world.close());
  world.slack.leave(WARROOM, 'ben');
  await world.slack.command({ text: '9999', channel: WARROOM });
  await reads(world, 'was not found', { channel: WARROOM });
  return world;
}

/** Sends a delivery again with these changes, correctly signed. */
const forged = ({ slack }: World, { payload, ...delivery }: Delivery, changes: Json): Promise<Delivery> =>
  slack.pressAgain({ ...delivery, payload: { ...payload, ...changes } });

const used = ({ payload }: Delivery, changes: Json): Json => ({
  actions: [{ ...records(payload.actions)[0], ...changes }],
});

const seenIn = (world: World, channel: string) =>
  fromBot(world, channel).map(({ text, history }) => [text, history.length]);

test('Nobody mentions a channel, or cancels or changes a result for somebody else, with what a button carries', async ({
  onTestFinished,
}) => {
  const world = await attacked(onTestFinished);
  await world.slack.command({ text: '1001 hit' });
  const message = await reads(world, '37 hits');
  const page = await world.slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const state = JSON.parse(String(records(page.payload.actions)[0]?.block_id));
  const before = seenIn(world, SUPPORT);
  for (const changes of [
    { by: '!channel' },
    { by: 'U0BEN' },
    { by: 'U0BEN', id: '1012', turn: 2 ** 53 - 2 },
  ]) {
    await forged(world, page, used(page, { block_id: JSON.stringify({ ...state, ...changes }) }));
    await atRest(world.address());
    expect(seenIn(world, SUPPORT), JSON.stringify(changes)).toEqual(before);
  }
  const nobody = { user: { ...record(page.payload.user), id: '!channel' } };
  expect((await forged(world, page, nobody)).acknowledged).toBe(false);
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  const offered = await world.slack.waitFor(
    () => fromBot(world).find(({ blocks }) => JSON.stringify(blocks).includes('"hand-over"')),
    'a result that somebody is on',
  );
  await world.slack.click({ message: offered, actionId: 'hand-over', user: 'ben' });
  const view = await modal(world, 'once, in the thread of the report');
  const handed = await world.slack.submit({ view, values: { 'new-owner': 'U0ANA' } });
  await reads(world, 'is on it now: Snapshot 1001');
  const chosen = { 'new-owner': { 'new-owner': { type: 'users_select', selected_user: '!channel' } } };
  const sent = { ...record(handed.payload.view), hash: 'other', state: { values: chosen } };
  await forged(world, handed, { view: sent });
  const waiting = await beginWait(world, '2001');
  const cancel = await world.slack.click({ message: waiting, actionId: 'cancel', user: 'ben' });
  await forged(world, cancel, used(cancel, { value: '!channel' }));
  expect(JSON.stringify(world.slack.messages(SUPPORT, 'ben'))).not.toContain('!channel');
  expect(fromBot(world, SUPPORT).find(({ ts }) => ts === waiting.ts)?.text).toContain(
    'still being processed',
  );
});

test('Forms of follows and accepted hits take rubbish as the nearest that they offer, and as plain text', async ({
  onTestFinished,
}) => {
  const world = await attacked(onTestFinished);
  const { slack } = world;
  await slack.command({ text: '1012' });
  const message = await reads(world, '1 hit');
  const filled = (delivery: Delivery, values: Json) => {
    const view = record(delivery.payload.view);
    return forged(world, delivery, { view: { ...view, hash: 'other', state: { values } } });
  };
  await slack.click({ message, actionId: 'details-0', user: 'ben' });
  const hit = await modal(world, 'hit 1 of 1');
  await slack.click({ view: hit, actionId: 'accept', user: 'ben' });
  const form = await modal(world, 'Until when');
  const accepted = await slack.submit({ view: form, values: { 'accept-reason': 'Known' } });
  await modal(world, 'Accepted by');
  const value = `<!channel> <@U0ANA>\u0000\u0007\u202e\n*now* ${'x'.repeat(10_000)}`;
  await filled(accepted, {
    'accept-reason': { 'accept-reason': { type: 'plain_text_input', value } },
    'accept-end': { 'accept-end': { type: 'radio_buttons', selected_option: { value: '-1' } } },
  });
  const { view } = await modal(world, 'xxx');
  const texts = objectsIn(view.blocks).filter(({ text }) => String(text).includes('xxx'));
  expect(texts).toEqual([expect.objectContaining({ type: 'text' })]);
  expect(String(texts[0]?.text).length).toBeLessThan(160);
  expect(String(texts[0]?.text)).not.toMatch(/[\p{Cc}\u202e]/u);
  const [end] = objectsIn(view.blocks).filter(({ type }) => type === 'date');
  expect(Number(end?.timestamp) * 1_000 - Date.now()).toBeGreaterThan(29 * 24 * 3_600_000);
  await slack.closeView(form);
  await chooseMore(world, message, 'Follow…');
  const following = await slack.submit({ view: await modal(world, 'Tell me') });
  const kind = { type: 'radio_buttons', selected_option: { value: '<!channel>' } };
  await filled(following, { 'follow-kind': { 'follow-kind': kind } });
  await eventually(() => {
    const said = slack
      .messages(SUPPORT, 'ben')
      .filter(({ text }) => text.includes('when critical or high hits'));
    expect(said).toHaveLength(2);
  });
  await slack.openHome('ben');
  const home = await slack.waitFor(() => slack.home('ben'), 'the Home tab');
  const stop = await slack.click({ view: home, actionId: 'stop-1012', user: 'ben' });
  for (const id of ['<!channel>', '../1', '9'.repeat(2_000)])
    expect((await forged(world, stop, used(stop, { value: id }))).acknowledged).toBe(true);
});
