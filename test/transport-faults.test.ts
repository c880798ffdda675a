import { expect } from 'vitest';
import { ask, ended, offers, reachedBy, test as sequential, shown, stumble } from './harness/conversation.ts';
import { makeCertificates } from './stand-ins/certificates.ts';
import { startDiagnosticsService } from './stand-ins/diagnostics-service/service.ts';
import { BAD_SHAPES } from './stand-ins/diagnostics-service/shapes.ts';
import type { Misbehaviour, ScriptedAnswer } from './stand-ins/diagnostics-service/types.ts';

const test = sequential.concurrent;
const SHORT = { connectMs: 2_000, headersMs: 400, bodyMs: 400, wholeMs: 800 };

const SHORT_TIMES = { timing: { http: SHORT } };

const passing: [how: Misbehaviour, words: string][] = [
  ['reset', 'broke off in the middle of an answer'],
  ['hang', 'took too long to answer'],
  ['hang-in-body', 'took too long to answer'],
  ['trickle', 'took too long to answer'],
  ['truncate', 'broke off in the middle of an answer'],
];

test.for(passing)(
  'After a %s the request is repeated, and the answer that follows is shown',
  async ([how], { open }) => {
    const workplace = await open(SHORT_TIMES);
    workplace.service.nextAnswers([how]);
    expect((await ask(workplace, '1012')).text).toContain('1 hit');
    expect(workplace.service.records.requests).toHaveLength(2);
  },
);

test.for(passing)(
  'A %s each time is given up for a while after four requests, and said',
  async ([how, words], { open }) => {
    const workplace = await open(SHORT_TIMES);
    workplace.service.nextAnswers([how, how, how, how]);
    const message = await stumble(workplace, '1012');
    expect(message.text).toContain(words);
    expect(message.text).toContain(new URL(workplace.service.baseUrl).host);
    expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
    const result = await shown(workplace, '1 hit');
    expect(result.ts).toBe(message.ts);
    expect(reachedBy(workplace, words).requests).toBe(4);
    expect(workplace.service.records.requests).toHaveLength(5);
  },
);

test('A body without end is cut off at 32 MB, and said', async ({ open }) => {
  const workplace = await open();
  workplace.service.nextAnswers(['huge']);
  const message = await ask(workplace, '1001');
  expect(message.text).toContain('result of snapshot 1001 is larger than 32 MB');
  expect(offers(message)).toEqual([]);
  expect(workplace.service.records.requests).toHaveLength(1);
});

const received: [what: string, answer: ScriptedAnswer, words: string][] = [
  ['the sign-in page', 'sign-in-page', 'a web page'],
  ['nothing', { status: 200 }, 'an empty answer'],
  ['JSON', { status: 200, body: BAD_SHAPES.json }, 'JSON'],
  ['a DOCTYPE', { status: 200, body: BAD_SHAPES.billionLaughs }, 'a document with a DOCTYPE'],
  [
    'half a document',
    { status: 200, body: BAD_SHAPES.truncatedAfterStart },
    'a document that is broken or cut off',
  ],
  ['another document', { status: 200, body: BAD_SHAPES.wrongRoot }, 'another kind of document'],
  ['plain text', { status: 200, body: BAD_SHAPES.plainText }, 'something else'],
];

test.for(received)(
  'A 200 with %s is no result: asked once, and said',
  async ([_, answer, words], { open }) => {
    const workplace = await open(SHORT_TIMES);
    workplace.service.nextAnswers([answer]);
    const message = await ask(workplace, '1012');
    expect(message.text).toContain(`Instead of the result of snapshot 1012 the service sent ${words}`);
    expect(message.text).not.toContain('busy');
    expect(offers(message)).toEqual(['ask-again']);
    expect(workplace.service.records.requests).toHaveLength(1);
  },
);

test('An answer in another encoding is read as its declaration says', async ({ open }) => {
  const workplace = await open(SHORT_TIMES);
  const xml =
    '<?xml version="1.0" encoding="ISO-8859-1"?><diagnostic_output><system_information><hostname>zürich-1</hostname>' +
    '</system_information></diagnostic_output>';
  workplace.service.nextAnswers([{ status: 200, body: Buffer.from(xml, 'latin1') }]);
  expect((await ask(workplace, '1012')).text).toContain('zürich-1');
});

test('A service that nobody answers for is said, with its host', async ({ open }) => {
  const variables = { DIAGNOSTICS_BASE_URL: 'https://localhost:1', WAIT_LIMIT_MINUTES: '0.01' };
  const workplace = await open({ variables });
  const message = await stumble(workplace, '1012');
  expect(message.text).toContain('diagnostics service (localhost:1) cannot be reached');
  const [last] = await ended(workplace, 1);
  expect(last?.text).toMatch(/still not ready.*fault of the service/);
  expect(last === undefined ? [] : offers(last)).toEqual(['ask-again']);
  expect(last?.history).toHaveLength(1);
});

test('A host whose name nobody knows is said', async ({ open }) => {
  const variables = { DIAGNOSTICS_AUTH_URL: 'https://login.diagnostics.invalid', WAIT_LIMIT_MINUTES: '0.01' };
  const workplace = await open({ variables });
  const { text } = await stumble(workplace, '1012');
  expect(text).toContain('no host with the name of the login servers (login.diagnostics.invalid)');
  expect((await ended(workplace, 1))[0]?.text).toContain('still not ready');
});

test('A certificate of an unknown authority is never accepted, and said', async ({ open }) => {
  const stranger = await startDiagnosticsService({ certificates: await makeCertificates() });
  const workplace = await open({ variables: { DIAGNOSTICS_BASE_URL: stranger.baseUrl } });
  const message = await ask(workplace, '1012');
  expect(message.text).toMatch(
    /does not trust the certificate of the diagnostics service.*NODE_EXTRA_CA_CERTS/,
  );
  expect(offers(message)).toEqual([]);
  expect(stranger.records.requests).toEqual([]);
  await stranger.close();
});
