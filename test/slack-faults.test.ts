import { expect, vi } from 'vitest';
import { atRest } from './harness/at-rest.ts';
import { ended, finals, SUPPORT, test as sequential, shown, waits } from './harness/conversation.ts';
import type { Workplace, WorkplaceOptions } from './harness/workplace.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { ShelfEntry } from './stand-ins/diagnostics-service/types.ts';
import type { ApiCall, Fault } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const SLOW: ShelfEntry = { title: 'Slow', purpose: 'Not ready yet.', processing: { forMs: 'forever' } };
const READY: ShelfEntry = demoShelf()[1012] ?? SLOW;
/** Whoever installs the bot may refuse the scopes to read. */
const NO_HISTORY: WorkplaceOptions = { slack: { scopes: ['commands', 'chat:write'] } };

function calls({ slack }: Workplace, method: string): ApiCall[] {
  return slack.records.calls.filter((call) => call.method === method);
}

/** A lookup that waits in a message of its own. */
async function waiting(workplace: Workplace, id = '7001') {
  workplace.service.shelve(id, SLOW);
  await workplace.slack.command({ text: id });
  return shown(workplace, `Snapshot ${id} is still being processed`);
}

/** One message, which is the result, when all is over. */
async function expectOneResult(workplace: Workplace): Promise<void> {
  await workplace.slack.waitFor(() => finals(workplace)[0], 'the result', 15_000);
  await atRest(workplace.address());
  expect(workplace.slack.messages(SUPPORT).map(({ text }) => text)).toEqual([
    expect.stringContaining('1 hit'),
  ]);
}

const notDone: [what: string, fault: Fault][] = [
  ['a 429', { status: 429, retryAfter: 1 }],
  ['ratelimited', { error: 'ratelimited' }],
  ['a 500', { status: 500 }],
  ['a 503', { status: 503 }],
  ['internal_error', { error: 'internal_error' }],
  ['a reset', 'reset'],
  ['no answer at all', 'hang'],
];

test.for(notDone)('A post that Slack answers with %s is made again, once', async ([_, fault], { open }) => {
  const workplace = await open();
  workplace.slack.failNext('chat.postMessage', fault);
  await workplace.slack.command({ text: '1012' });
  await expectOneResult(workplace);
});

test.for(notDone)('An edit that Slack answers with %s is made again', async ([_, fault], { open }) => {
  const workplace = await open();
  const message = await waiting(workplace);
  workplace.slack.failNext('chat.update', fault);
  workplace.service.shelve('7001', READY);
  await expectOneResult(workplace);
  expect(finals(workplace)[0]?.ts).toBe(message.ts);
});

test('A 429 is obeyed to the second that it names', async ({ open }) => {
  const workplace = await open();
  workplace.slack.failNext(
    'chat.postMessage',
    { status: 429, retryAfter: 1 },
    { status: 429, retryAfter: 1 },
  );
  await workplace.slack.command({ text: '1012' });
  await ended(workplace, 1);
  const times = calls(workplace, 'chat.postMessage').map(({ at }) => at);
  expect(times).toHaveLength(3);
  // A timer may count a millisecond less than the clock.
  for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? at)).toBeGreaterThan(997);
});

test('A post that arrived although its answer was lost is found, and not made again', async ({ open }) => {
  const workplace = await open();
  workplace.slack.failNext('chat.postMessage', 'lost-response');
  await workplace.slack.command({ text: '1012' });
  await expectOneResult(workplace);
  expect(calls(workplace, 'conversations.history')).toHaveLength(1);
  expect(calls(workplace, 'chat.postMessage')).toHaveLength(1);
});

test('It is found behind more messages than one page of the history', async ({ open }) => {
  const workplace = await open();
  const { slack } = workplace;
  slack.failNext('chat.postMessage', 'lost-response');
  await slack.command({ text: '1012' });
  await slack.waitFor(() => finals(workplace)[0], 'the post');
  await Promise.all(Array.from({ length: 250 }, () => slack.say({ text: 'chatter', channel: SUPPORT })));
  await slack.waitFor(() => calls(workplace, 'chat.update')[0], 'the post to be found');
  expect(calls(workplace, 'chat.postMessage')).toHaveLength(1);
  expect(calls(workplace, 'conversations.history')).toHaveLength(2);
});

test('A wait whose first post lost its answer goes on in that message', async ({ open }) => {
  const workplace = await open();
  workplace.slack.failNext('chat.postMessage', 'lost-response');
  const message = await waiting(workplace);
  workplace.service.shelve('7001', READY);
  await expectOneResult(workplace);
  expect(finals(workplace)[0]?.ts).toBe(message.ts);
});

test('Where the bot may not read, a lost answer leads to a second message rather than to none', async ({
  open,
}) => {
  const workplace = await open(NO_HISTORY);
  workplace.slack.failNext('chat.postMessage', 'lost-response');
  await workplace.slack.command({ text: '1012' });
  const messages = await ended(workplace, 2);
  await atRest(workplace.address());
  expect(finals(workplace)).toHaveLength(2);
  for (const { text } of messages) expect(text).toContain('1 hit');
  expect(calls(workplace, 'conversations.history').map(({ answer }) => answer)).toEqual([
    expect.objectContaining({ error: 'missing_scope' }),
  ]);
});

test.for(notDone.filter(([, fault]) => fault !== 'hang'))(
  'Where the bot may not read, a post that Slack answers with %s ends in one message all the same',
  async ([_, fault], { open }) => {
    const workplace = await open(NO_HISTORY);
    workplace.slack.failNext('chat.postMessage', fault);
    await workplace.slack.command({ text: '1012' });
    await expectOneResult(workplace);
  },
);

test('A message that somebody has removed is followed by a new one', async ({ open }) => {
  const workplace = await open();
  workplace.slack.remove(await waiting(workplace));
  workplace.service.shelve('7001', READY);
  await expectOneResult(workplace);
  expect(calls(workplace, 'chat.update').at(-1)?.answer).toMatchObject({ error: 'message_not_found' });
});

test('An answer whose channel was archived in the meantime goes to the one who asked, once', async ({
  open,
}) => {
  const workplace = await open();
  const { slack, service } = workplace;
  await waiting(workplace);
  slack.archive(SUPPORT);
  service.shelve('7001', READY);
  const seen = () => slack.messages(SUPPORT).concat(slack.messages('D0ANABOT'));
  await slack.waitFor(() => seen().find(({ text }) => text.includes('1 hit')), 'the result');
  await atRest(workplace.address());
  expect(seen().filter(({ text }) => text.includes('1 hit'))).toHaveLength(1);
  expect(waits(workplace)).toHaveLength(1);
});

const FOR_GOOD = ['token_revoked', 'account_inactive', 'invalid_auth', 'missing_scope', 'no_permission'];

test.for(FOR_GOOD)(
  '%s ends a lookup with a line in the log, and not with tries for ever',
  async (error, { open }) => {
    const workplace = await open();
    const { slack, log } = workplace;
    slack.failNext('chat.postMessage', { error });
    await slack.command({ text: '1012' });
    await slack.command({ text: '1002' });
    await ended(workplace, 1);
    await atRest(workplace.address());
    expect(calls(workplace, 'chat.postMessage')).toHaveLength(2);
    const said = log.filter((line) => line.includes('Slack will not take'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(error);
  },
);

test('A token that is revoked during a wait is logged once for each piece of news, not at each look', async ({
  open,
}) => {
  const workplace = await open();
  const { slack, service, log } = workplace;
  slack.failNext('chat.postMessage', { error: 'token_revoked' });
  service.shelve('7001', SLOW);
  await slack.command({ text: '7001' });
  await slack.waitFor(() => calls(workplace, 'chat.postMessage')[0], 'a refusal');
  await vi.waitFor(() => expect(service.records.requests.length).toBeGreaterThan(3));
  expect(calls(workplace, 'chat.postMessage')).toHaveLength(1);
  expect(log.filter((line) => line.includes('Slack will not take'))).toHaveLength(1);
  service.shelve('7001', READY);
  await shown(workplace, '1 hit');
});
