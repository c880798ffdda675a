import { expect } from 'vitest';
import {
  ask,
  ended,
  finals,
  offers,
  reachedBy,
  test as sequential,
  shown,
  stumble,
  waits,
} from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;
const HTML = { 'content-type': 'text/html' };
const UNUSABLE = 'sent an answer that the bot can’t use';
/** Text of an error's body, which no user may see. */
const PRIVATE = 'Reference 7f3a-11 <!channel>';

const final: [status: number, headers: Record<string, string>, words: string[], offered: string[]][] = [
  [404, HTML, ['Snapshot 1012 was not found', '30 days'], ['ask-again']],
  [406, HTML, ['406', 'DIAGNOSTICS_VENDOR'], []],
  [410, HTML, ['Snapshot 1012 was deleted', 'status 410'], []],
  [302, { location: 'https://<!channel>' }, [UNUSABLE], ['ask-again']],
];

test.for(final)(
  'A %i (%j) is final: it is requested once, and the message has its own words',
  async ([status, headers, words, offered], { world }) => {
    world.service.nextAnswers([{ status, headers, body: PRIVATE }]);
    const message = await ask(world, '1012');
    for (const word of words) expect(message.text).toContain(word);
    expect(offers(message)).toEqual(offered);
    expect(JSON.stringify(message.blocks) + message.text).not.toMatch(/7f3a-11|!channel/);
    expect(world.service.records.requests).toHaveLength(1);
    expect(world.service.records.logins).toHaveLength(1);
  },
);

test('A snapshot that goes away while it is processed is no wrong id: it is gone, and it is said since when', async ({
  world,
}) => {
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'is still being processed');
  world.service.shelve('7001', { ...SLOW, status: 404 });
  const gone = await shown(world, 'Snapshot 7001 is no longer available: the service still had it at ');
  expect(gone.text).not.toContain('Check the id');
  // Who asks again is told the same, as the service may have forgotten it for good.
  await world.slack.click({ message: gone, actionId: 'ask-again' });
  await eventually(() => expect(finals(world)[0]?.history).toHaveLength(2));
  expect(finals(world)[0]?.text).toBe(gone.text);
});

test('A service that goes on failing is reported after four requests, and then not asked for a while', async ({
  world,
}) => {
  const { service } = world;
  service.switches.apiStatus = 503;
  const message = await stumble(world, '1012');
  expect(message.text).toContain('diagnostics service failed (status 503)');
  expect(message.text).toContain('I’ll keep trying.');
  expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
  expect(reachedBy(world, 'failed (status 503)').requests).toBe(4);
  service.switches.apiStatus = undefined;
  const result = await shown(world, '1 hit');
  expect(result.ts).toBe(message.ts);
  expect(result.history).toHaveLength(1);
});

test('The pause doubles each time that a service goes on failing, to the end of the wait', async ({
  open,
}) => {
  const retry = { retries: 0, firstDelayMs: 5, longestDelayMs: 20, maxRetryAfterMs: 100 };
  const world = await open({ timing: { retry }, variables: { WAIT_LIMIT_MINUTES: '0.06' } });
  world.service.switches.apiStatus = 503;
  const message = await ask(world, '1012');
  expect(message.text).toMatch(/still no result.*failed \(status 503\)/);
  expect(offers(message)).toEqual(['ask-again']);
  const { requests } = world.service.records;
  const pauses = requests.slice(1).map(({ arrivedAt }, at) => arrivedAt - (requests[at]?.answeredAt ?? 0));
  // At once, after 250, 500 and 1,000 ms more, and at the end of the wait, 3,600 ms. Nothing makes it more; a machine
  // that stands still for 1,850 ms of these makes it one less.
  expect([4, 5]).toContain(requests.length);
  for (const [index, ms] of [250, 500, 1_000].entries()) {
    if (index < requests.length - 2) expect(pauses[index]).toBeGreaterThanOrEqual(ms - 1);
  }
});

test('A time that the service names is kept, for every snapshot and after a restart: nobody asks before it', async ({
  open,
}) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.05' } });
  world.service.nextAnswers([{ status: 429, headers: { 'retry-after': '900' } }]);
  const message = await stumble(world, '1012');
  expect(message.text).toContain('pause its requests');
  expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
  await world.restart();
  expect((await stumble(world, '1002')).text).toContain('pause its requests');
  // Both waits end long before that time.
  for (const { text } of await ended(world, 2)) expect(text).toMatch(/still no result.*pause its requests/);
  expect(world.service.records.requests).toHaveLength(1);
});

test.for([
  ['In a queue', ' The service says: In a queue'],
  ['{"code":7}', ''],
] as const)('The reason of a 202, %j, is shown, if it gives one', async ([body, said], { world }) => {
  world.service.nextAnswers([{ status: 202, body }]);
  await world.slack.command({ text: '1012' });
  const { text } = await shown(world, 'still being processed');
  expect(text).toBe(`Snapshot 1012 is still being processed.${said}`);
  await shown(world, '1 hit');
});

test('A reason can neither page anyone nor fill the channel', async ({ world }) => {
  const body = `<!channel> <@U0BEN> *now* ${'and so on '.repeat(20_000)}`;
  world.service.nextAnswers([{ status: 202, body }]);
  await world.slack.command({ text: '1012' });
  await shown(world, 'still being processed');
  const [message] = waits(world);
  expect(message?.text).not.toMatch(/<[!@#]/);
  expect(message?.text.length).toBeLessThan(500);
  await shown(world, '1 hit');
});
