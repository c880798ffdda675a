import { expect } from 'vitest';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { measures } from '../support/at-rest.ts';
import { DM, fromBot, MODES, reads, settled } from '../support/bot-messages.ts';
import { chooseMore, modal, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { objectsIn } from '../support/message-parts.ts';
import { deliverEvent } from '../support/slack-event.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const SET = 'Reminder set for ';
const CANCELLED = 'The reminder for snapshot 2001 was cancelled.';
const DUE = 'It’s time to check snapshot 2001 again';
const variablesOf = stores();

async function remindForm(world: World, message: VisibleMessage, user = 'ben'): Promise<OpenView> {
  await chooseMore(world, message, 'Remind me to check again', user);
  return modal(world, 'When to check again', user);
}

/** Sets a reminder about a message, and gives the private confirmation. */
async function remind(
  world: World,
  message: VisibleMessage,
  { user = 'ben', ...values }: { user?: string; 'remind-when'?: string; 'remind-date'?: string } = {},
): Promise<VisibleMessage> {
  const view = await remindForm(world, message, user);
  const delivery = await world.slack.submit({ view, values: { 'remind-when': 'hour', ...values } });
  expect(delivery.acknowledged).toBe(true);
  return told(world, message.channel, SET, user);
}

/** When the confirmation says that the reminder comes, in epoch milliseconds. */
function timeOf({ blocks }: VisibleMessage): number {
  return Number(objectsIn(blocks).find(({ type }) => type === 'date')?.timestamp) * 1_000;
}

/** Moves the bot's clock forward; a restart makes the bot look at the new time. */
function later(world: World, ms: number, changes?: Parameters<World['restart']>[0]): Promise<void> {
  world.clock.ahead += ms;
  return world.restart(changes);
}

const replies = (world: World, { ts }: VisibleMessage) =>
  fromBot(world).filter((message) => message.threadTs === ts && message.ts !== ts);

test('A form that is delivered twice sets one reminder, and is confirmed once', async ({ world }) => {
  shelveDevice(world, '2001', 'chs1', 1, 2);
  const view = await remindForm(world, await ask(world, '2001'));
  const delivery = await world.slack.submit({ view });
  await told(world, SUPPORT, SET);
  expect(await world.slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
  await settled(world);
  expect(fromBot(world, SUPPORT, 'ben').filter(({ text }) => text.includes(SET))).toHaveLength(1);
});

test.for(MODES)(
  'In an hour the thread mentions who asked, once, with a form for the new id, over %s',
  async (mode, { open }) => {
    const world = await open({ mode });
    shelveDevice(world, '2001', 'chs1', 1, 2);
    shelveDevice(world, '2002', 'chs1', 2);
    const message = await ask(world, '2001');
    const confirmation = await remind(world, message);
    expect(timeOf(confirmation)).toBeGreaterThan(Date.now() + HOUR_MS - 60_000);
    expect(confirmation.text).toContain('or as soon as somebody looks up a newer snapshot of this device');
    await later(world, HOUR_MS - 60_000);
    await settled(world);
    expect(replies(world, message)).toEqual([]);
    await later(world, 61_000);
    const due = await reads(world, DUE);
    expect(due.threadTs).toBe(message.ts);
    expect(due.text).toMatch(/^<@U0BEN> /);
    await world.slack.click({ message: due, actionId: 'open-look-up', user: 'ben' });
    await world.slack.submit({ view: await modal(world, 'Id or link'), values: { id: '2002' } });
    const answer = await reads(world, 'Since 2001');
    expect(answer.threadTs).toBe(message.ts);
    expect(offers(answer)).toContain('compare-last');
    await later(world, DAY_MS);
    await settled(world);
    expect(replies(world, message).filter(({ text }) => text.includes(DUE))).toHaveLength(1);
  },
);

for (const store of STORES) {
  test(`A newer snapshot of the device comes first, wherever it is read, with what changed, on ${store}`, async ({
    open,
  }) => {
    const variables = await variablesOf(store);
    const world = await open({ variables });
    shelveDevice(world, '2001', 'chs1', 1, 2, 3);
    shelveDevice(world, '1999', ' CHS1 ', 3, 4);
    shelveDevice(world, '2003', 'chs2', 1);
    shelveDevice(world, '2004', 'chs1', 3, 4, 5);
    shelveDevice(world, '2005', 'chs1@edge-8.example.com', 3, 4, 5);
    const message = await ask(world, '2001');
    await remind(world, message);
    await remind(world, message, { user: 'ana', 'remind-when': 'week' });
    await world.restart();
    // Another device, the same snapshot, an older one and another host of the chassis do not fulfil the reminder.
    for (const id of ['2003', '2001 hit', '1999', '2005']) await ask(world, id);
    await settled(world);
    expect(replies(world, message)).toEqual([]);
    await world.slack.command({ text: '2004', user: 'ana', channel: '@ana' });
    const said = 'There is a newer snapshot of the same device, 2004: 2 new, 2 cleared since snapshot 2001.';
    const ofBen = await reads(world, `<@U0BEN> ${said}`);
    await reads(world, `<@U0ANA> ${said}`);
    expect(ofBen.threadTs).toBe(message.ts);
    // It says neither who read it nor where.
    expect(JSON.stringify(ofBen)).not.toMatch(/U0ANA|D0ANA/);
    await ask(world, '2004', 'ana');
    await world.slack.click({ message: ofBen, actionId: 'compare-last', user: 'ben' });
    await reads(world, 'Snapshots 2001 → 2004');
    await settled(world);
    expect(replies(world, message).filter(({ text }) => text.includes(said))).toHaveLength(2);
  });

  test(`A reminder comes at its time, once, and one that was cancelled does not come, on ${store}`, async ({
    open,
  }) => {
    const world = await open({ variables: await variablesOf(store), timing: { dayMs: 24 * 1_500 } });
    shelveDevice(world, '2001', 'chs1', 1);
    const [first, second] = [await ask(world, '2001'), await ask(world, '2001', 'ben')];
    const confirmation = await remind(world, first, { 'remind-when': 'week' });
    await world.slack.click({ message: confirmation, actionId: 'cancel-reminder', user: 'ben' });
    await told(world, SUPPORT, CANCELLED);
    await remind(world, second, { user: 'ana' });
    const metrics = await (await fetch(`${world.address()}/metrics`)).text();
    // A reminder that waits for a day does not count as an old lookup.
    expect(metrics).toContain('snapshot_bot_open_reminders 1');
    expect(metrics).toContain('snapshot_bot_open_lookups 0');
    expect(metrics).toContain('snapshot_bot_oldest_lookup_age_seconds 0');
    await reads(world, `<@U0ANA> ${DUE}`);
    await measures(world, 'snapshot_bot_open_reminders 0');
    const ended = await (await fetch(`${world.address()}/metrics`)).text();
    expect(ended).toContain('snapshot_bot_reminders_total{outcome="reminded"} 1');
    expect(ended).toContain('snapshot_bot_reminders_total{outcome="cancelled"} 1');
    expect([...replies(world, first), ...replies(world, second)]).toHaveLength(1);
  });
}

test.for(STORES)(
  "When an account is deactivated its reminders are deleted, and nobody else's, on %s",
  async (store, { open }) => {
    const world = await open({ variables: await variablesOf(store) });
    shelveDevice(world, '2001', 'chs1', 1);
    shelveDevice(world, '2002', 'chs1', 1);
    const message = await ask(world, '2001');
    await remind(world, message);
    await remind(world, message, { user: 'ana' });
    const event = { type: 'user_change', user: { id: 'U0BEN', deleted: true } };
    expect(await deliverEvent(world, event)).toBe(200);
    await measures(world, 'snapshot_bot_open_reminders 1');
    await ask(world, '2002');
    await reads(world, '<@U0ANA> There is a newer snapshot of the same device, 2002');
    await measures(world, 'snapshot_bot_open_reminders 0');
    expect(replies(world, message)).toHaveLength(1);
  },
);

test('A reminder of a private result, or for a thread that takes no more posts, comes as a direct message', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'chs1', 1);
  await world.slack.command({ text: '2001', user: 'ben', channel: 'C0SECRET' });
  const secret = await reads(world, '1 hit', { channel: 'C0SECRET', viewer: 'ben' });
  expect((await remind(world, secret)).text).toContain('I’ll send you a direct message about snapshot 2001');
  await later(world, DAY_MS + 1_000);
  const direct = await reads(world, DUE, { channel: '@ben', viewer: 'ben' });
  expect(offers(direct)).toEqual(['open-look-up']);
  await remind(world, await ask(world, '2001'), { user: 'ana' });
  world.slack.failNext('chat.postMessage', { error: 'channel_not_found' });
  await later(world, DAY_MS + 1_000);
  expect((await reads(world, DUE, { channel: DM })).text).toContain('<@U0ANA>');
});

test('Who may not use the bot any more is not reminded, and cancels nothing of others', async ({ world }) => {
  shelveDevice(world, '2001', 'chs1', 1);
  await remind(world, await ask(world, '2001'));
  // Before the time comes, so that the bot that may still remind is gone then.
  const elsewhere = { ALLOWED_CHANNELS: 'C0WARROOM' };
  await world.restart(elsewhere);
  await later(world, DAY_MS + 1_000, elsewhere);
  await measures(world, 'snapshot_bot_open_reminders 0');
  expect(fromBot(world).filter(({ text }) => text.includes(DUE))).toEqual([]);
});

test('A reply whose confirmation was lost is not posted again', async ({ open }) => {
  const world = await open({ timing: { dayMs: 24 * 300 } });
  shelveDevice(world, '2001', 'chs1', 1);
  const message = await ask(world, '2001');
  world.slack.failNext('chat.postMessage', 'lost-response');
  await remind(world, message);
  await reads(world, DUE);
  await measures(world, 'snapshot_bot_reminders_total{outcome="reminded"} 1');
  expect(replies(world, message)).toHaveLength(1);
});

test('A date that is past or distant is refused, in the zone of who asks', async ({ open }) => {
  const [noon, start] = [Date.UTC(2027, 9, 20, 12), Date.now()];
  const world = await open({ now: () => noon + Date.now() - start });
  shelveDevice(world, '2001', 'chs1', 1);
  const view = await remindForm(world, await ask(world, '2001'));
  for (const [date, problem] of [
    ['2027-10-20', '9:00 on that day has already passed'],
    ['2028-02-01', 'within the next 90 days'],
  ] as const) {
    const { body } = await world.slack.submit({ view, values: { 'remind-date': date } });
    expect(JSON.parse(body).errors).toEqual({ 'remind-date:Asia/Tokyo': expect.stringContaining(problem) });
  }
});
