import { expect } from 'vitest';
import {
  ask,
  offers,
  reachedBy,
  test as sequential,
  shown,
  stumble,
  waits,
} from '../support/conversation.ts';

const test = sequential.concurrent;
const HTML = { 'content-type': 'text/html' };
const UNUSABLE = 'sent an answer that the bot can’t use';
/** Text of an error's body, which no user may see. */
const PRIVATE = 'Reference 7f3a-11 <!channel>';

const final: [status: number, headers: Record<string, string>, words: string[], offered: string[]][] = [
  [403, HTML, ['account has no access to snapshot 1012', 'share'], ['ask-again']],
  [404, HTML, ['Snapshot 1012 was not found', '30 days'], ['ask-again']],
  [406, HTML, ['406', 'DIAGNOSTICS_VENDOR'], []],
  [204, {}, [UNUSABLE, 'status 204'], ['ask-again']],
  [400, HTML, [UNUSABLE, 'status 400'], ['ask-again']],
  [410, HTML, ['Snapshot 1012 was deleted', 'status 410'], []],
  [304, {}, [UNUSABLE, 'status 304'], ['ask-again']],
  [302, {}, [UNUSABLE, 'status 302'], ['ask-again']],
  [302, { location: 'https://<!channel>' }, [UNUSABLE], ['ask-again']],
];

test.for(final)(
  'A %i (%j) is final: it is requested once, and the message has its own words',
  async ([status, headers, words, offered], { open }) => {
    const world = await open();
    const body = status === 204 || status === 304 ? '' : PRIVATE;
    world.service.nextAnswers([{ status, headers, body }]);
    const message = await ask(world, '1012');
    for (const word of words) expect(message.text).toContain(word);
    expect(offers(message)).toEqual(offered);
    expect(JSON.stringify(message.blocks) + message.text).not.toMatch(/7f3a-11|!channel/);
    expect(world.service.records.requests).toHaveLength(1);
    expect(world.service.records.logins).toHaveLength(1);
  },
);

test('Each status has a sentence of its own', async ({ open }) => {
  const world = await open();
  const texts = new Set<string>();
  const add = ({ text }: { text: string }) => texts.add(text.replaceAll(/\b7\d{3}\b/g, 'ID'));
  for (const status of [403, 404, 406, 204, 410, 302]) {
    const id = `7${status}`;
    world.service.nextAnswers([{ status }], id);
    add(await ask(world, id));
  }
  world.service.shelve('7500', { title: 'Broken', purpose: 'Fails for ever.', status: 500 });
  world.service.nextAnswers([{ status: 429, headers: { 'retry-after': '900' } }], '7429');
  for (const id of ['7500', '7429']) add(await stumble(world, id));
  expect(texts.size).toBe(8);
});

test.for([500, 502, 503, 504, 599])(
  'A %i is asked again, and the answer that follows is shown',
  async (status, { open }) => {
    const world = await open();
    world.service.nextAnswers([{ status, body: PRIVATE }, { status }]);
    expect((await ask(world, '1012')).text).toContain('1 hit');
    expect(world.service.records.requests).toHaveLength(3);
  },
);

test('A service that goes on failing is reported after four requests, and then not asked for a while', async ({
  open,
}) => {
  const world = await open();
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

test('Between failures the bot pauses', async ({ open }) => {
  const retry = { retries: 3, firstDelayMs: 60, longestDelayMs: 200, maxRetryAfterMs: 1_000 };
  const world = await open({ timing: { retry } });
  world.service.nextAnswers([{ status: 503 }, { status: 503 }]);
  await ask(world, '1012');
  const [first, second, third] = world.service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(59);
  expect((third?.arrivedAt ?? 0) - (second?.answeredAt ?? 0)).toBeGreaterThanOrEqual(119);
});

const reasons: [as: string, headers: Record<string, string>, body: string, said: string][] = [
  [
    'text',
    { 'content-type': 'text/plain' },
    'The archive is being unpacked.',
    'The archive is being unpacked.',
  ],
  [
    'XML',
    { 'content-type': 'application/xml' },
    '<?xml version="1.0"?><s><r>In a &lt;queue&gt;</r></s>',
    'In a &lt;queue&gt;',
  ],
  [
    'HTML',
    HTML,
    '<html><head><title>Accepted</title></head><body><p>In a queue</p></body></html>',
    'In a queue',
  ],
  ['JSON', { 'content-type': 'application/json' }, '{"reason":"In a queue","code":7}', 'In a queue'],
];

test.for(reasons)('The reason of a 202 is shown, given as %s', async ([_, headers, body, said], { open }) => {
  const world = await open();
  world.service.nextAnswers([{ status: 202, headers, body }]);
  await world.slack.command({ text: '1012' });
  const { text } = await shown(world, 'still being processed');
  expect(text).toBe(`Snapshot 1012 is still being processed. The service says: ${said}`);
  await shown(world, '1 hit');
});

test.for(['', '   ', '<html></html>', '{"code":7}'])(
  'A 202 without a reason (%j) is shown without one',
  async (body, { open }) => {
    const world = await open();
    world.service.nextAnswers([{ status: 202, body }]);
    await world.slack.command({ text: '1012' });
    expect((await shown(world, 'still being processed')).text).toBe(
      'Snapshot 1012 is still being processed.',
    );
    await shown(world, '1 hit');
  },
);

test('A reason can neither page anyone nor fill the channel', async ({ open }) => {
  const world = await open();
  const body = `<!channel> <@U0BEN> *now* ${'and so on '.repeat(20_000)}`;
  world.service.nextAnswers([{ status: 202, body }]);
  await world.slack.command({ text: '1012' });
  await shown(world, 'still being processed');
  const [message] = waits(world);
  expect(message?.text).not.toMatch(/<[!@#]/);
  expect(message?.text.length).toBeLessThan(500);
  await shown(world, '1 hit');
});
