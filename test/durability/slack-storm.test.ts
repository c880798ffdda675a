import { expect } from 'vitest';
import { record, string } from '../emulators/slack/json.ts';
import type { ApiCall } from '../emulators/slack/model.ts';
import type { Slack } from '../emulators/slack/slack.ts';
import { atRest } from '../support/at-rest.ts';
import { settled } from '../support/bot-messages.ts';
import { ended, finals, SUPPORT, shown, test, waits } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { processing, READY, SLOW } from '../support/shelved.ts';

const PROGRESS = /is still being processed|Looking up/;

function edits(slack: Slack): ApiCall[] {
  return slack.records.calls.filter(({ method }) => method === 'chat.update');
}

test('While Slack asks to slow down, the final edit goes before all progress', async ({ world }) => {
  const { service, slack } = world;
  const reasons = Array.from({ length: 14 }, (_, index) => processing(`Step ${index}.`));
  service.shelve('7001', SLOW);
  service.nextAnswers(reasons, '7002');
  service.shelve('7002', READY);
  await Promise.all(['7001', '7002'].map((text) => slack.command({ text })));
  await shown(world, 'Snapshot 7001 is still being processed');
  const status = await shown(world, /Snapshot 7002 .* Step 2\./);
  slack.failNext('chat.update', { status: 429, retryAfter: 2 });
  await slack.waitFor(() => edits(slack).find(({ status }) => status === 429), 'Slack to slow the bot down');
  service.shelve('7001', READY);
  await ended(world, 1);
  await atRest(world.address());
  const refusedAt = edits(slack).findIndex(({ status }) => status === 429);
  const [refused, next] = edits(slack).slice(refusedAt);
  expect(string(next?.args.text)).toMatch(/Snapshot 7001.*1 hit/);
  const [stopped, resumed] = [refused?.at ?? 0, next?.at ?? 0];
  expect(resumed - stopped).toBeGreaterThan(1_990);
  // Meanwhile the other lookup goes on: none of its edits is queued.
  const looks = service.records.requests.filter(
    ({ id, arrivedAt }) => id === '7002' && arrivedAt > stopped && arrivedAt < resumed,
  );
  expect(looks.length).toBeGreaterThanOrEqual(3);
  expect(finals(world).find(({ ts }) => ts === status.ts)?.text).toContain('1 hit');
});

test('An answer overtakes the queued progress of other lookups', async ({ world }) => {
  const { service, slack } = world;
  const slow = Array.from({ length: 12 }, (_, index) => String(7001 + index));
  for (const id of [...slow, '7100']) service.shelve(id, SLOW);
  await Promise.all([...slow, '7100'].map((text) => slack.command({ text })));
  await slack.waitFor(() => waits(world).length === 13 || undefined, 'all to wait');
  // While Slack does not answer edits, twelve of them with progress are queued, and the answer of 7100 behind them.
  const release = slack.hold('chat.update');
  const [before, asked] = [edits(slack).length, service.records.requests.length];
  for (const id of slow) service.nextAnswers([processing('Step 1.')], id);
  const areAsked = (ids: string[]) =>
    ids.every((each) => service.records.requests.slice(asked).some(({ id }) => id === each));
  await eventually(() => expect(areAsked(slow)).toBe(true));
  service.shelve('7100', READY);
  await eventually(() => expect(service.records.requests.at(-1)?.status).toBe(200));
  // By the time that a later command is answered, the answer of 7100 is queued.
  await settled(world);
  release();
  await ended(world, 1);
  const texts = edits(slack)
    .slice(before)
    .map(({ args }) => string(args.text));
  expect(texts.findIndex((each) => !PROGRESS.test(each))).toBeLessThan(9);
});

test('When Slack refuses two edits at once, the longer of the two pauses is kept', async ({ world }) => {
  const { service, slack } = world;
  for (const id of ['7001', '7002']) service.shelve(id, SLOW);
  await Promise.all(['7001', '7002'].map((text) => slack.command({ text })));
  await slack.waitFor(() => waits(world).length === 2 || undefined, 'both to wait');
  slack.failNext('chat.update', { status: 429, retryAfter: 1 }, { status: 429, retryAfter: 3 });
  const release = slack.hold();
  for (const id of ['7001', '7002']) service.shelve(id, READY);
  await eventually(() => expect(edits(slack).length).toBe(2));
  release();
  await ended(world, 2);
  await atRest(world.address());
  const refused = edits(slack).filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  const [next] = edits(slack).filter(({ status }) => status === 200);
  expect((next?.at ?? 0) - (refused[1]?.at ?? 0)).toBeGreaterThan(2_990);
});

test('A message that Slack refused for its rate limit is posted once more, without looking for it', async ({
  world,
}) => {
  const { service, slack } = world;
  service.shelve('7001', SLOW);
  slack.failNext('chat.postMessage', { status: 429, retryAfter: 1 });
  await slack.command({ text: '7001' });
  await shown(world, 'Snapshot 7001 is still being processed');
  service.shelve('7001', READY);
  await ended(world, 1);
  await atRest(world.address());
  expect(slack.messages(SUPPORT)).toHaveLength(1);
  // The bot uses `conversations.history` to look for a message whose confirmation was lost.
  const methods = slack.records.calls.map(({ method }) => method);
  expect(methods.filter((method) => method === 'chat.postMessage')).toHaveLength(2);
  expect(methods).not.toContain('conversations.history');
});

const CHANNELS = [SUPPORT, 'C0WARROOM', 'C0PARTNERS', 'C0RANDOM', 'C0SECRET'];
const IDS = Array.from({ length: 100 }, (_, index) => String(7000 + index));
/**
 * The bot makes four calls of a kind at once. When Slack refuses the first of four, the other three may still succeed,
 * and three more may begin before the bot hears of the refusal.
 */
const MOST_ON_THEIR_WAY = 4 + 3;

/** Lets Slack refuse every 101st edit with a Retry-After of one second. */
function limitEdits(slack: Slack): void {
  let received = 0;
  slack.on((event) => {
    if (event.type !== 'call' || event.phase !== 'received' || event.call.method !== 'chat.update') return;
    received += 1;
    if (received % 101 === 0) slack.failNext('chat.update', { status: 429, retryAfter: 1 });
  });
}

test('Five hundred lookups that end together have one answer each, and Slack’s pauses in between are kept', async ({
  open,
}) => {
  const intervalMs = 1_500;
  const world = await open({ timing: { intervalMs }, service: { waitMs: intervalMs } });
  const { service, slack } = world;
  for (const channel of ['C0RANDOM', 'C0SECRET']) slack.join(channel);
  for (const id of IDS) service.shelve(id, SLOW);
  for (const channel of CHANNELS) {
    await Promise.all(IDS.map((text) => slack.command({ text, channel })));
  }
  const allWait = () => CHANNELS.every((channel) => waits(world, channel).length === IDS.length);
  await slack.waitFor(() => (allWait() ? true : undefined), 'all to wait', 15_000);
  const before = edits(slack).length;
  limitEdits(slack);
  for (const id of IDS) service.shelve(id, READY);
  await atRest(world.address(), 30_000);
  for (const channel of CHANNELS) {
    const texts = finals(world, channel).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('1 hit'))).toHaveLength(IDS.length);
    expect(slack.messages(channel)).toHaveLength(IDS.length);
  }
  const all = edits(slack).slice(before);
  const answers = all.filter(({ answer }) => record(answer).ok === true && !PROGRESS.test(textIn(answer)));
  expect(answers).toHaveLength(IDS.length * CHANNELS.length);
  const refused = all.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(4);
  for (const refusal of refused) {
    const duringPause = all.slice(all.indexOf(refusal) + 1).filter(({ at }) => at < refusal.at + 900);
    expect(duringPause.length).toBeLessThan(MOST_ON_THEIR_WAY);
  }
});

function textIn(answer: ApiCall['answer']): string {
  return string(record(record(answer).message).text);
}
