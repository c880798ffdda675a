import { expect } from 'vitest';
import type { ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { SlackEvent, VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { BOT } from '../support/bot-messages.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { dueSoon } from '../support/due-soon.ts';
import { eventually } from '../support/eventually.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';
import { CLUSTER, shelveUnit } from '../support/several.ts';
import { READY, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;

/** How long a bot that starts again may take to its result. Milliseconds. */
const LONGEST_MS = 30_000;

/** Kills the bot when something has happened in Slack, before the bot gets Slack's answer. */
function killAt(
  { slack }: ProcessWorld,
  bot: BotProcess,
  is: (event: SlackEvent) => boolean,
): Promise<unknown> {
  return new Promise((done) => {
    const stop = slack.on((event) => {
      if (!is(event)) return;
      stop();
      done(bot.end('SIGKILL'));
    });
  });
}

const isMessage = (change: 'posted' | 'edited', words: string) => (event: SlackEvent) =>
  event.type === 'message' && event.change === change && event.message.text.includes(words);

/** Restarts the bot, waits until all work is done, and returns its only message, the result. */
async function startAgain({ slack }: ProcessWorld, bot: BotProcess): Promise<VisibleMessage> {
  await bot.start();
  const done = () => slack.messages(SUPPORT).find(({ text }) => text.includes('1 hit'));
  const result = await slack.waitFor(done, 'the result', LONGEST_MS);
  await atRest(bot.address);
  expect(slack.messages(SUPPORT)).toHaveLength(1);
  return result;
}

/**
 * Before the result the message only said that the snapshot is processed. The bot may write that twice if it restarts
 * within the interval.
 */
function expectOneWait({ history }: VisibleMessage): void {
  expect(history.length).toBeGreaterThan(0);
  for (const { text } of history) expect(text).toBe('Snapshot 7001 is still being processed.');
}

test('Killed after it posted a wait, the bot finds that message, also if Slack first asks to slow down', async ({
  world,
}) => {
  const { slack, service } = world;
  const bot = await world.start();
  service.shelve('7001', SLOW);
  const killed = killAt(world, bot, isMessage('posted', 'is still being processed'));
  await slack.command({ text: '7001' });
  await killed;
  slack.failNext('conversations.history', { status: 429, retryAfter: 1 });
  await bot.start();
  const refused = () => slack.records.calls.find(({ status }) => status === 429);
  await slack.waitFor(refused, 'a 429', LONGEST_MS);
  const steps = service.records.requests.length + 2;
  await eventually(() => expect(service.records.requests.length).toBeGreaterThan(steps));
  service.shelve('7001', READY);
  expectOneWait(await startAgain(world, bot));
});

const OF_ONE: Record<string, readonly [moment: (event: SlackEvent) => boolean, entry: ShelfEntry]> = {
  'a wait': [isMessage('posted', 'is still being processed'), SLOW],
  'a result': [isMessage('posted', '1 hit'), READY],
  'the edit to a result': [isMessage('edited', '1 hit'), SLOW],
};
test.for(Object.entries(OF_ONE))(
  'Killed after %s reached Slack but before that is stored, it shows nothing twice',
  async ([, [moment, entry]], { world }) => {
    const { slack, service } = world;
    const bot = await world.start();
    service.shelve('7001', entry);
    const killed = killAt(world, bot, moment);
    await slack.command({ text: '7001' });
    await slack.waitFor(() => slack.messages(SUPPORT)[0], 'a message');
    service.shelve('7001', READY);
    await killed;
    const result = await startAgain(world, bot);
    if (entry === SLOW) expectOneWait(result);
  },
);

test('Killed when a direct message in place of the channel had reached Slack, it edits that message', async ({
  world,
}) => {
  const { slack, service } = world;
  const bot = await world.start();
  service.shelve('7001', SLOW);
  const release = service.hold();
  await slack.say({ text: `<@${BOT}> 7001`, user: 'ben' });
  slack.leave('support');
  const killed = killAt(world, bot, isMessage('posted', 'is still being processed'));
  release();
  await killed;
  service.shelve('7001', READY);
  await bot.start();
  await atRest(bot.address, LONGEST_MS);
  expect(slack.messages('@ben', 'ben').map(({ text }) => text)).toEqual([expect.stringContaining('1 hit')]);
});

test('Killed after it answered privately, while it confirms the follow, it does not answer again', async ({
  world,
}) => {
  const { slack } = world;
  const bot = await world.start();
  const killed = killAt(world, bot, isMessage('posted', 'I’ll tell you about'));
  await slack.command({ text: 'watch 1012', channel: 'C0SECRET' });
  await killed;
  await bot.start();
  await atRest(bot.address, LONGEST_MS);
  const answers = [...slack.messages('C0SECRET', 'ana'), ...slack.messages('@ana', 'ana')];
  expect(answers.filter(({ text }) => text.includes('1 hit'))).toHaveLength(1);
});

test('Killed right after the acknowledgement, it answers after the start', async ({ world }) => {
  const { slack, service } = world;
  const bot = await world.start();
  service.switches.latencyMs = 60_000;
  const delivery = await slack.command({ text: '1012' });
  await bot.end('SIGKILL');
  expect([delivery.acknowledged, delivery.body]).toEqual([true, '']);
  expect(slack.messages(SUPPORT)).toEqual([]);
  service.switches.latencyMs = 0;
  await startAgain(world, bot);
});

test('Killed before it read a 202, it asks again only after the interval, for everybody', async ({
  world,
}) => {
  const { slack, service } = world;
  // A restart takes less than this interval.
  const intervalMs = 6_000;
  const bot = await world.start({}, intervalMs);
  for (const id of ['7001', '7002']) service.shelve(id, SLOW);
  service.switches.latencyMs = 1_000;
  for (const text of ['7002', '7001']) await slack.command({ text });
  await eventually(() => expect(service.records.requests).toHaveLength(2));
  process.kill(bot.pid, 'SIGSTOP');
  const unread = () => service.records.requests.filter(({ id, answeredAt }) => id === '7001' && answeredAt);
  await eventually(() => expect(unread()).toHaveLength(1));
  await bot.end('SIGKILL');
  service.switches.latencyMs = 0;
  service.shelve('7001', READY);
  await bot.start();
  await slack.command({ text: '7001', channel: 'C0WARROOM', user: 'ben' });
  for (const channel of [SUPPORT, 'C0WARROOM'])
    await slack.waitFor(
      () => slack.messages(channel).find(({ text }) => text.includes('1 hit')),
      'a result',
      LONGEST_MS,
    );
  const [first, second] = service.records.requests.filter(({ id }) => id === '7001');
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(intervalMs);
});

test('Killed before “compare last” read a 202 for the earlier snapshot, it asks that no sooner either', async ({
  world,
}) => {
  const { slack, service } = world;
  const intervalMs = 6_000;
  const bot = await world.start({}, intervalMs);
  const reads = (channel: string, words: string) => {
    const said = () => slack.messages(channel).find(({ text }) => text.includes(words));
    return slack.waitFor(said, `a message with ${words}`, LONGEST_MS);
  };
  await slack.command({ text: '1010' });
  await reads(SUPPORT, 'Snapshot 1010');
  service.shelve('1010', SLOW);
  service.switches.latencyMs = 1_000;
  const earlier = () => service.records.requests.filter(({ id }) => id === '1010').slice(1);
  await slack.command({ text: 'compare last 1011' });
  await eventually(() => expect(earlier()).toHaveLength(1));
  process.kill(bot.pid, 'SIGSTOP');
  await eventually(() => expect(earlier()[0]?.answeredAt).toBeDefined());
  await bot.end('SIGKILL');
  service.switches.latencyMs = 0;
  service.shelve('1010', READY);
  await bot.start();
  await slack.command({ text: '1010', channel: 'C0WARROOM', user: 'ben' });
  await reads('C0WARROOM', '1 hit');
  const [first, second] = earlier();
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(intervalMs);
});

test('Killed before it read a 202 for a snapshot that somebody follows, it asks that no sooner either', async ({
  world,
}) => {
  const { slack, service } = world;
  const intervalMs = 6_000;
  const bot = await world.start({}, intervalMs);
  const [[id] = ['']] = dueSoon(4_000);
  service.shelve(id, READY);
  await slack.command({ text: `watch ${id}` });
  await eventually(() => expect(bot.log.join('')).toContain('"outcome":"started"'));
  service.shelve(id, SLOW);
  service.switches.latencyMs = 1_000;
  const read = () => service.records.requests[1];
  await eventually(() => expect(read()).toBeDefined(), LONGEST_MS);
  process.kill(bot.pid, 'SIGSTOP');
  await eventually(() => expect(read()?.answeredAt).toBeDefined());
  await bot.end('SIGKILL');
  service.switches.latencyMs = 0;
  await bot.start();
  await eventually(() => expect(service.records.requests).toHaveLength(3), LONGEST_MS);
  const [, first, second] = service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(intervalMs);
});

test('Killed again and again with twenty lookups open, it ends each in one message', async ({ world }) => {
  const { slack, service } = world;
  const bot = await world.start();
  const ids = Array.from({ length: 20 }, (_, index) => String(7000 + index));
  for (const id of ids) service.shelve(id, { ...READY, processing: { forMs: 2_500 } });
  await Promise.all(ids.map((text) => slack.command({ text })));
  for (let times = 0; times < 4; times += 1) {
    const posts = slack.records.calls.length;
    await slack.waitFor(() => slack.records.calls[posts], 'another call');
    await bot.end('SIGKILL');
    await bot.start();
  }
  const results = () => slack.messages(SUPPORT).filter(({ text }) => text.includes('1 hit'));
  await slack.waitFor(() => results()[19], 'twenty results', LONGEST_MS);
  await atRest(bot.address);
  expect(slack.messages(SUPPORT)).toHaveLength(20);
  expect(service.records.logins).toHaveLength(1);
});

const OF_SEVERAL: Record<string, (event: SlackEvent) => boolean> = {
  'the command was acknowledged': (event) =>
    event.type === 'delivery' && event.phase === 'answered' && event.delivery.acknowledged,
  'the first message had reached Slack': isMessage('posted', 'processed: One.'),
  'an edit had reached Slack': isMessage('edited', 'processed: Two.'),
  'the last edit had reached Slack': isMessage('edited', '3 of 4 are ready'),
};
test.for(Object.entries(OF_SEVERAL))(
  'Killed when %s of several snapshots, it goes on in the same message',
  async ([, moment], { world }) => {
    const { slack, service } = world;
    const bot = await world.start();
    const killed = killAt(world, bot, moment).then(() => bot.start());
    const seen = (words: string) =>
      slack.waitFor(
        () => slack.messages(SUPPORT).find(({ text }) => text.includes(words)),
        words,
        LONGEST_MS,
      );
    shelveUnit(world, 'One.');
    await slack.command({ text: CLUSTER });
    await seen('processed: One.');
    shelveUnit(world, 'Two.');
    await seen('processed: Two.');
    shelveUnit(world);
    const final = await seen('3 of 4 are ready');
    await killed;
    await atRest(bot.address);
    expect(slack.messages(SUPPORT)).toEqual([expect.objectContaining({ ts: final.ts })]);
    expect(final.text).toContain('27 hits on all 3');
    expect(service.records.logins.length).toBeLessThanOrEqual(2);
  },
);

const LINK = 'https://service.example.com/snapshots/1012';
const MOMENTS: Record<string, (event: SlackEvent) => boolean> = {
  'the event of a link was acknowledged': (event) =>
    event.type === 'delivery' && event.phase === 'answered' && event.delivery.acknowledged,
  'its preview had reached Slack': (event) => event.type === 'message' && event.change === 'unfurled',
};
test.for(Object.entries(MOMENTS))('Killed when %s, it shows the preview', async ([, moment], { world }) => {
  const { slack } = world;
  const bot = await world.start();
  const killed = killAt(world, bot, moment);
  const { message } = await slack.say({ text: LINK });
  await killed;
  await bot.start();
  const shown = () => slack.messages(SUPPORT).find(({ ts }) => ts === message.ts)?.unfurls?.[LINK];
  await slack.waitFor(
    () => (JSON.stringify(shown() ?? '').includes('1 hit') ? true : undefined),
    'a preview',
  );
  await atRest(bot.address);
  expect(slack.messages(SUPPORT)).toHaveLength(1);
});
