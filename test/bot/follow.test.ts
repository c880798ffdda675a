import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { measures } from '../support/at-rest.ts';
import { BOT, DM, fromBot, MODES, reads, settled } from '../support/bot-messages.ts';
import { chooseMore, modal, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceClock,
  DAY_MS,
  daysPass,
  follow,
  followOutcome,
  HOUR_MS,
  READ_WITHIN_MS,
  replies,
  shelveAnalysis,
} from '../support/following.ts';
import { objectsIn } from '../support/message-parts.ts';
import { deliverEvent } from '../support/slack-event.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const variablesOf = stores();
const DUE = 'It’s time to look at snapshot 2001 again';
const HIGH = { D1: 'HIGH', D2: 'HIGH' };

const asked = (world: World, id: string) =>
  world.service.records.requests.filter((request) => request.id === id).length;
const textsIn = (world: World, message: VisibleMessage) => replies(world, message).map(({ text }) => text);

test('Followers of a snapshot are told once, in the thread, and the message stays as it is', async ({
  world,
}) => {
  shelveAnalysis(world, '2001', { ...HIGH, D3: 'LOW' });
  const message = await ask(world, '2001');
  await follow(world, message);
  await follow(world, message, 'any', 'ana');
  const before = asked(world, '2001');
  await daysPass(world, 1, 'quiet');
  await followOutcome(world, 'quiet', 2);
  expect(replies(world, message)).toEqual([]);
  // D3 is not cleared: the new definitions no longer check it.
  shelveAnalysis(world, '2001', { D2: 'CRITICAL', D4: 'HIGH', D5: 'LOW' }, { gone: ['D3'] });
  await daysPass(world, 1, 'told');
  await followOutcome(world, 'told', 2);
  const said =
    'Snapshot 2001 of edge-9.example.com: 2 new (1 high, 1 low), 1 rated differently (1 critical), 1 cleared (1 high), 1 no longer checked (1 low) since ';
  expect(textsIn(world, message).toSorted()).toEqual([
    expect.stringContaining(`<@U0ANA> ${said}`),
    expect.stringContaining(`<@U0BEN> ${said}`),
  ]);
  expect(textsIn(world, message)[0]?.split('\n')).toContain('Rated differently: Critical, was high: Hit D2');
  // Only a low hit is cleared, which Ben, who follows critical and high hits, does not hear of.
  shelveAnalysis(world, '2001', { D2: 'CRITICAL', D4: 'HIGH' }, { gone: ['D3'] });
  await daysPass(world, 1, 'told');
  await followOutcome(world, 'quiet');
  expect(textsIn(world, message)[2]).toMatch(/^<@U0ANA> .*: 1 cleared \(1 low\)/);
  expect(replies(world, message)).toHaveLength(3);
  // A snapshot is read once a day, however many people follow it.
  expect(asked(world, '2001')).toBe(before + 3);
  expect(world.slack.messages(SUPPORT).find(({ ts }) => ts === message.ts)).toEqual(message);
});

test.for([
  ['a new critical hit', { ...HIGH, D3: 'CRITICAL' }, true],
  ['a hit that became critical', { D1: 'HIGH', D2: 'CRITICAL' }, true],
  ['a new high hit', { ...HIGH, D3: 'HIGH' }, false],
  ['a critical hit that was there before, and one that is cleared', { D4: 'CRITICAL', D1: 'HIGH' }, false],
] as const)(
  'News of %s is also shown in the channel only if it is critical',
  async ([, hits, isBroadcast], { world }) => {
    shelveAnalysis(world, '2001', 'D4' in hits ? { ...HIGH, D4: 'CRITICAL' } : HIGH);
    const message = await ask(world, '2001');
    await follow(world, message, 'any');
    shelveAnalysis(world, '2001', hits);
    await daysPass(world, 1, 'told');
    const [news] = replies(world, message);
    expect(news?.extras?.subtype).toBe(isBroadcast ? 'thread_broadcast' : undefined);
  },
);

test.for([
  ['fails', { status: 503 }, 4],
  ['processes the snapshot again', { status: 202 }, 1],
  ['does not know the snapshot for a moment', { status: 404 }, 1],
  ['sends a web page', 'sign-in-page', 2],
] as const)(
  'Followers hear of a change on the same day when the service at first %s',
  async ([, answer, times], { world }) => {
    // It is noon, and snapshot 2001 is read at 16:28.
    world.clock.ahead = DAY_MS - ((Date.now() + DAY_MS / 2) % DAY_MS);
    shelveAnalysis(world, '2001', HIGH);
    const message = await ask(world, '2001');
    await follow(world, message);
    shelveAnalysis(world, '2001', { ...HIGH, D3: 'HIGH' });
    const before = asked(world, '2001');
    world.service.nextAnswers(Array(times).fill(answer), '2001');
    await advanceClock(world, 5 * HOUR_MS);
    await eventually(() => expect(asked(world, '2001')).toBe(before + times));
    await settled(world);
    await advanceClock(world, HOUR_MS);
    await followOutcome(world, 'told');
    expect(textsIn(world, message)).toEqual([expect.stringContaining('1 new (1 high)')]);
    expect(asked(world, '2001')).toBe(before + times + 1);
  },
);

test('A hit that an incomplete result may have left out is no news for followers', async ({ world }) => {
  // The result states two hits but lists only D1: D2 may be the missing hit.
  shelveAnalysis(world, '2001', { D1: 'HIGH' }, { stated: 2 });
  const message = await ask(world, '2001');
  await follow(world, message, 'any');
  shelveAnalysis(world, '2001', { D1: 'HIGH', D2: 'HIGH' });
  await daysPass(world, 1, 'quiet');
  shelveAnalysis(world, '2001', { D1: 'HIGH', D2: 'HIGH', D4: 'HIGH' });
  await daysPass(world, 1, 'told');
  expect(textsIn(world, message)).toEqual([
    expect.stringMatching(/^<@U0BEN> Snapshot 2001 of edge-9.example.com: 1 new \(1 high\)/),
  ]);
});

test('Of many changes ten are named, and the others are counted', async ({ world }) => {
  const hits = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`D${at + 1}`, 'HIGH']));
  shelveAnalysis(world, '2001', {});
  const message = await ask(world, '2001');
  await follow(world, message);
  shelveAnalysis(world, '2001', hits(11));
  await daysPass(world, 1, 'told');
  const [said = ''] = textsIn(world, message);
  expect(said.match(/^New: High: Hit D/gm)).toHaveLength(10);
  expect(said).toMatch(/\nAnd 1 more$/);
});

test('“watch” beside an id looks the snapshot up and follows it, by command and by mention', async ({
  world,
}) => {
  shelveAnalysis(world, '2001', HIGH);
  const answer = await ask(world, 'watch 2001');
  await told(world, SUPPORT, 'I’ll tell you about snapshot 2001: when critical or high hits change', 'ana');
  const { message: mention } = await world.slack.say({ text: `<@${BOT}> watch 2001`, user: 'ben' });
  await followOutcome(world, 'started', 2);
  shelveAnalysis(world, '2001', { ...HIGH, D3: 'HIGH' });
  await daysPass(world, 1, 'told');
  expect((await reads(world, '<@U0ANA> Snapshot 2001')).threadTs).toBe(answer.ts);
  expect((await reads(world, '<@U0BEN> Snapshot 2001')).threadTs).toBe(mention.ts);
});

test('“Try again” after a “watch” of a snapshot that is not there yet also follows it, for who asked', async ({
  world,
}) => {
  const message = await ask(world, 'watch 2001');
  expect(message.text).toContain('was not found');
  shelveAnalysis(world, '2001', HIGH);
  await world.slack.click({ message, actionId: 'ask-again', user: 'ana' });
  await told(world, SUPPORT, 'I’ll tell you about snapshot 2001', 'ana');
  const other = await ask(world, 'watch 2002', 'ana');
  shelveAnalysis(world, '2002', HIGH);
  await world.slack.click({ message: other, actionId: 'ask-again', user: 'ben' });
  await reads(world, 'Snapshot 2002 of');
  await settled(world);
  await measures(world, 'snapshot_bot_open_follows 1');
});

test('A person’s new choice for a snapshot replaces the earlier choice', async ({ world }) => {
  shelveAnalysis(world, '2001', HIGH);
  const message = await ask(world, 'watch 2001');
  await followOutcome(world, 'started');
  await follow(world, message, 'week', 'ana');
  await chooseMore(world, message, 'Follow…', 'ana');
  const { view } = await modal(world, 'Tell me', 'ana');
  expect(objectsIn(view).find(({ initial_option }) => initial_option)).toMatchObject({
    initial_option: { value: 'week' },
  });
  expect(JSON.stringify(view)).toContain('You follow it already, as selected here.');
  await follow(world, message, 'any', 'ben');
  await measures(world, 'snapshot_bot_open_follows 2');
  shelveAnalysis(world, '2001', { ...HIGH, D3: 'HIGH' });
  await daysPass(world, 1, 'told');
  expect(textsIn(world, message)).toEqual([expect.stringContaining('<@U0BEN> Snapshot 2001')]);
});

test('“unwatch” ends one’s own follow, and says so where there is none', async ({ world }) => {
  shelveAnalysis(world, '2001', HIGH);
  for (const user of ['ana', 'ben']) await ask(world, 'watch 2001', user);
  await measures(world, 'snapshot_bot_open_follows 2');
  for (const said of ['You no longer follow snapshot 2001.', 'You don’t follow snapshot 2001'])
    expect((await world.slack.command({ text: 'unwatch 2001', user: 'ben' })).body).toContain(said);
  await measures(world, 'snapshot_bot_open_follows 1');
});

test.for(MODES)(
  'After an hour the thread mentions the follower, once, with a form for a new id, over %s',
  async (mode, { open }) => {
    const world = await open({ mode });
    shelveAnalysis(world, '2001', HIGH);
    shelveAnalysis(world, '2002', { D2: 'HIGH' });
    const message = await ask(world, '2001');
    await follow(world, message, 'hour');
    await advanceClock(world, HOUR_MS - 60_000);
    await settled(world);
    expect(replies(world, message)).toEqual([]);
    await advanceClock(world, 61_000);
    const due = await reads(world, DUE);
    expect([due.threadTs, due.text]).toEqual([message.ts, expect.stringMatching(/^<@U0BEN> /)]);
    await world.slack.click({ message: due, actionId: 'open-look-up', user: 'ben' });
    await world.slack.submit({ view: await modal(world, 'Id or link'), values: { id: '2002' } });
    expect((await reads(world, 'napshot 2002')).threadTs).toBe(message.ts);
    await advanceClock(world, DAY_MS);
    await settled(world);
    expect(textsIn(world, message).filter((text) => text.includes(DUE))).toHaveLength(1);
  },
);

test('Tomorrow at 9:00 is 9:00 where the person is', async ({ open }) => {
  const [noon, start] = [Date.UTC(2027, 9, 20, 12), Date.now()];
  const clock = { ahead: 0 };
  const world = await open({ now: () => noon + clock.ahead + Date.now() - start });
  shelveAnalysis(world, '2001', HIGH);
  const message = await ask(world, '2001');
  await follow(world, message, 'tomorrow');
  // One minute before 9:00 in Tokyo.
  clock.ahead = 12 * HOUR_MS - 60_000;
  await world.restart();
  await settled(world);
  expect(replies(world, message)).toEqual([]);
  clock.ahead = 12 * HOUR_MS;
  await world.restart();
  await reads(world, `<@U0BEN> ${DUE}`);
});

for (const store of STORES) {
  test(`On ${store}, followers hear of a newer snapshot of the device at once, and once, wherever it is read`, async ({
    open,
  }) => {
    const world = await open({ variables: await variablesOf(store) });
    shelveAnalysis(world, '2001', HIGH);
    shelveAnalysis(world, '1999', HIGH, { serial: ' CHS1 ' });
    shelveAnalysis(world, '2003', HIGH, { serial: 'chs2' });
    shelveAnalysis(world, '2004', HIGH);
    shelveAnalysis(world, '2005', HIGH, { host: 'edge-8.example.com' });
    const message = await ask(world, '2001');
    await follow(world, message, 'newer');
    await follow(world, message, 'newer', 'ana');
    await world.restart();
    // In turn: another device, the same snapshot, an older snapshot, and another host of the chassis.
    for (const id of ['2003', '2001 hit', '1999', '2005']) await ask(world, id);
    await settled(world);
    expect(replies(world, message)).toEqual([]);
    await world.slack.command({ text: '2004', user: 'ana', channel: '@ana' });
    const said = 'There is a newer snapshot of the same device, 2004.';
    const ofBen = await reads(world, `<@U0BEN> ${said}`);
    await reads(world, `<@U0ANA> ${said}`);
    expect([ofBen.threadTs, offers(ofBen)]).toEqual([message.ts, ['compare-last']]);
    // The news says neither who looked up 2004 nor where.
    expect(JSON.stringify(ofBen)).not.toMatch(/U0ANA|D0ANA/);
    await ask(world, '2004', 'ana');
    await measures(world, 'snapshot_bot_open_follows 0');
    expect(replies(world, message)).toHaveLength(2);
  });

  test(`When an account is deactivated what it follows is deleted, and nobody else's, on ${store}`, async ({
    open,
  }) => {
    const world = await open({ variables: await variablesOf(store) });
    shelveAnalysis(world, '2001', HIGH);
    shelveAnalysis(world, '2002', HIGH);
    const message = await ask(world, '2001');
    await follow(world, message, 'newer');
    await follow(world, message, 'newer', 'ana');
    const event = { type: 'user_change', user: { id: 'U0BEN', deleted: true } };
    expect(await deliverEvent(world, event)).toBe(200);
    await measures(world, 'snapshot_bot_open_follows 1');
    // A follow that waits for the next day does not count as an old lookup.
    await measures(world, 'snapshot_bot_oldest_lookup_age_seconds 0');
    await ask(world, '2002');
    await reads(world, '<@U0ANA> There is a newer snapshot');
    await measures(world, 'snapshot_bot_open_follows 0');
    expect(replies(world, message)).toHaveLength(1);
  });
}

const PARTNERS = 'C0PARTNERS';
type End = readonly [
  what: string,
  change: (world: World, message: VisibleMessage) => unknown,
  said: string,
  outcome: string,
];
/** What happens to a follow's message or channel, and what its follower is told directly. */
const ENDS: readonly End[] = [
  ['whose message is gone', ({ slack }, message) => slack.remove(message), 'Snapshot 2001', 'told'],
  ['whose channel was archived', ({ slack }, { channel }) => slack.archive(channel), 'Snapshot 2001', 'told'],
  ['whose channel is shared with another company', () => {}, 'may no longer see', 'no-access'],
];

test.for(ENDS)(
  'A person who follows a snapshot %s is told directly, once, and nothing is shown there',
  async ([what, change, said, outcome], { world }) => {
    const AUDIT_FILE = join(world.dataDir, 'audit.jsonl');
    const allowed = { AUDIT_FILE, ALLOW_SHARED_CHANNELS: 'yes' };
    await world.restart(allowed);
    shelveAnalysis(world, '2001', HIGH);
    await world.slack.command({ text: 'watch 2001', channel: PARTNERS });
    const message = await reads(world, '2 hits', { channel: PARTNERS });
    await told(world, PARTNERS, 'I’ll tell you about snapshot', 'ana');
    await change(world, message);
    shelveAnalysis(world, '2001', { ...HIGH, D3: 'HIGH' });
    const rules = what.includes('shared') ? 'no' : 'yes';
    for (const day of [1, 2]) {
      await advanceClock(world, READ_WITHIN_MS, { ...allowed, ALLOW_SHARED_CHANNELS: rules });
      if (day === 1) await followOutcome(world, outcome);
    }
    const word = await reads(world, `<@U0ANA> `, { channel: DM });
    expect(word.text).toContain(said);
    await measures(world, `snapshot_bot_open_follows ${outcome === 'told' ? 1 : 0}`);
    expect(fromBot(world, DM)).toHaveLength(1);
    expect(fromBot(world, PARTNERS, 'ben').filter(({ ts }) => ts !== message.ts)).toEqual([]);
    const audit = readFileSync(AUDIT_FILE, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(audit.filter(({ event }) => event === 'follow')).toMatchObject(
      ['started', outcome].map((each) => ({
        user: 'U0ANA',
        channel: PARTNERS,
        snapshot: '2001',
        outcome: each,
      })),
    );
  },
);

test('A follow ends with its snapshot, and after 60 days, and says so', async ({ world }) => {
  for (const id of ['2001', '2002']) shelveAnalysis(world, id, HIGH);
  const first = await ask(world, '2001');
  const second = await ask(world, '2002');
  await follow(world, first, 'any');
  await follow(world, second, 'newer', 'ana');
  world.service.shelve('2001', { title: 'Gone', purpose: 'Deleted.', always: { status: 404 } } as never);
  await daysPass(world, 2, 'deleted');
  expect(textsIn(world, first)).toEqual([
    '<@U0BEN> I no longer follow snapshot 2001 for you: the service has deleted it.',
  ]);
  await advanceClock(world, 57 * DAY_MS);
  await settled(world);
  expect(replies(world, second)).toEqual([]);
  await daysPass(world, 2, 'over');
  expect(textsIn(world, second)).toEqual([
    '<@U0ANA> I no longer follow snapshot 2002 for you: 60 days are over.',
  ]);
  await measures(world, 'snapshot_bot_open_follows 0');
});

test('News of a result that only one person sees comes as a direct message', async ({ world }) => {
  const channel = 'C0RANDOM';
  shelveAnalysis(world, '2001', HIGH);
  await world.slack.command({ text: '2001', channel });
  await follow(world, await reads(world, '2 hits', { channel }), 'any', 'ana');
  shelveAnalysis(world, '2001', { D1: 'HIGH' });
  await daysPass(world, 1, 'told');
  await reads(world, '<@U0ANA> Snapshot 2001 of edge-9.example.com: 1 cleared', { channel: DM });
});

test('A follow from a direct message between two people is confirmed directly', async ({ world }) => {
  await world.slack.command({ text: 'watch 1012', channel: 'D0ANABEN' });
  await reads(world, 'I’ll tell you about snapshot 1012', { channel: DM });
  const message = await reads(world, '1 hit', { channel: 'D0ANABEN' });
  await chooseMore(world, message, 'Follow…', 'ana');
  const view = await modal(world, 'Tell me', 'ana');
  await world.slack.submit({ view, values: { 'follow-kind': 'any' } });
  await reads(world, 'when any hit changes', { channel: DM });
  expect(fromBot(world, DM)).toHaveLength(2);
});

test('A follow of somebody who may not use the bot any more ends without news', async ({ world }) => {
  shelveAnalysis(world, '2001', HIGH);
  await follow(world, await ask(world, '2001'), 'hour');
  // The new settings have to hold before the reminder is due.
  const elsewhere = { ALLOWED_CHANNELS: 'C0WARROOM' };
  await world.restart(elsewhere);
  await advanceClock(world, DAY_MS, elsewhere);
  await measures(world, 'snapshot_bot_open_follows 0');
  for (const channel of [SUPPORT, '@ben'])
    expect(fromBot(world, channel, 'ben').filter(({ text }) => text.includes(DUE))).toEqual([]);
});

test('News of a follow whose confirmation was lost is not posted again', async ({ open }) => {
  const world = await open({ timing: { dayMs: 24 * 300 } });
  shelveAnalysis(world, '2001', HIGH);
  const message = await ask(world, '2001');
  world.slack.failNext('chat.postMessage', 'lost-response');
  await follow(world, message, 'hour');
  await measures(world, 'snapshot_bot_follows_total{outcome="told"} 1');
  expect(textsIn(world, message)).toEqual([expect.stringContaining(DUE)]);
});

test('A form that is delivered twice is confirmed once', async ({ world }) => {
  shelveAnalysis(world, '2001', HIGH);
  await chooseMore(world, await ask(world, '2001'), 'Follow…');
  const opened = await modal(world, 'Tell me');
  expect(opened.view.title).toMatchObject({ text: 'Follow 2001 · edge-9' });
  const delivery = await world.slack.submit({ view: opened });
  await told(world, SUPPORT, 'I’ll tell you about');
  expect(await world.slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
  await settled(world);
  expect(fromBot(world, SUPPORT, 'ben').filter(({ text }) => text.includes('I’ll tell you'))).toHaveLength(1);
});

test('A person who follows 25 snapshots can follow another only after stopping one, by command and by form', async ({
  open,
}) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '200' } });
  const ids = Array.from({ length: 25 }, (_, index) => String(3001 + index));
  for (const id of [...ids, '2001']) shelveAnalysis(world, id, HIGH, { serial: `chs${id}` });
  const message = await ask(world, '2001', 'ben');
  await Promise.all(ids.map((text) => world.slack.command({ text: `watch ${text}`, user: 'ben' })));
  await followOutcome(world, 'started', 25);
  const full = 'You already follow 25 snapshots';
  const command = () => world.slack.command({ text: 'watch 2001', user: 'ben' });
  expect((await command()).body).toContain(full);
  await chooseMore(world, message, 'Follow…');
  await world.slack.submit({ view: await modal(world, 'Tell me'), values: { 'follow-kind': 'any' } });
  await told(world, message.channel, `You don’t follow snapshot 2001. ${full}`, 'ben');
  await world.slack.command({ text: 'unwatch 3001', user: 'ben' });
  expect((await command()).body).toBe('');
  await followOutcome(world, 'started', 26);
});
