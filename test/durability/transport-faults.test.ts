import { expect } from 'vitest';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../../src/service/transport.ts';
import { makeCertificates } from '../emulators/certificates.ts';
import { startDiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import { BAD_SHAPES } from '../emulators/diagnostics-service/shapes.ts';
import type { Misbehaviour, ScriptedAnswer } from '../emulators/diagnostics-service/types.ts';
import {
  ask,
  ended,
  offers,
  reachedBy,
  test as sequential,
  shown,
  stumble,
} from '../support/conversation.ts';
import type { WorldOptions } from '../support/world.ts';

const test = sequential.concurrent;
/**
 * A request that is given up before it arrives is not counted by the service: only what must end by a limit gets a
 * short one. The one that takes longest comes first: the others run beside it.
 */
const passing: [how: Misbehaviour, words: string, limits: Partial<HttpTimeouts>][] = [
  ['trickle', 'took too long to answer', { wholeMs: 2_000 }],
  ['reset', 'closed the connection in the middle of an answer', {}],
  ['hang', 'took too long to answer', { headersMs: 1_000 }],
  ['hang-in-body', 'took too long to answer', { bodyMs: 1_000 }],
  ['truncate', 'closed the connection in the middle of an answer', {}],
];

function withLimits(limits: Partial<HttpTimeouts>): WorldOptions {
  return { timing: { http: { ...HTTP_TIMEOUTS, ...limits } } };
}

test.for(passing)(
  'A %s each time is reported after four requests, and then not tried for a while',
  async ([how, words, limits], { open }) => {
    const world = await open(withLimits(limits));
    world.service.nextAnswers([how, how, how, how]);
    const message = await stumble(world, '1012');
    expect(message.text).toContain(words);
    expect(message.text).toContain(new URL(world.service.baseUrl).host);
    expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
    const result = await shown(world, '1 hit');
    expect(result.ts).toBe(message.ts);
    expect(reachedBy(world, words).requests).toBe(4);
    expect(world.service.records.requests).toHaveLength(5);
  },
);

test.for(passing)(
  'After a %s the request is repeated, and the answer that follows is shown',
  async ([how, _words, limits], { open }) => {
    const world = await open(withLimits(limits));
    world.service.nextAnswers([how]);
    expect((await ask(world, '1012')).text).toContain('1 hit');
    expect(world.service.records.requests).toHaveLength(2);
  },
);

test('A body without end is cut off at 32 MB, and reported', async ({ open }) => {
  const world = await open();
  world.service.nextAnswers(['huge']);
  const message = await ask(world, '1001');
  expect(message.text).toContain('result of snapshot 1001 is too large for the bot to read (32 MB');
  expect(offers(message)).toEqual([]);
  expect(world.service.records.requests).toHaveLength(1);
});

const received: [what: string, answer: ScriptedAnswer, words: string][] = [
  ['nothing', { status: 200 }, 'an empty answer'],
  ['JSON', { status: 200, body: BAD_SHAPES.json }, 'JSON'],
  ['a DOCTYPE', { status: 200, body: BAD_SHAPES.billionLaughs }, 'a document with an unexpected DOCTYPE'],
  [
    'half a document',
    { status: 200, body: BAD_SHAPES.truncatedAfterStart },
    'a broken or incomplete document',
  ],
  [
    'an error in place of a list',
    { status: 200, body: BAD_SHAPES.errorInstead },
    'a document without a list of checks',
  ],
  ['another document', { status: 200, body: BAD_SHAPES.wrongRoot }, 'the wrong kind of document'],
  ['plain text', { status: 200, body: BAD_SHAPES.plainText }, 'something other than XML'],
];

test.for(received)(
  'A 200 with %s is no result: it is requested once, and reported',
  async ([_, answer, words], { open }) => {
    const world = await open();
    world.service.nextAnswers([answer]);
    const message = await ask(world, '1012');
    expect(message.text).toContain(`The service sent ${words} instead of the result of snapshot 1012`);
    expect(message.text).not.toContain('busy');
    expect(offers(message)).toEqual(['ask-again']);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test('An answer in another encoding is read as its declaration says', async ({ open }) => {
  const world = await open();
  const xml =
    '<?xml version="1.0" encoding="ISO-8859-1"?><diagnostic_output><diagnostics/><system_information><hostname>zürich-1</hostname>' +
    '</system_information></diagnostic_output>';
  world.service.nextAnswers([{ status: 200, body: Buffer.from(xml, 'latin1') }]);
  expect((await ask(world, '1012')).text).toContain('zürich-1');
});

test('A service whose port nobody listens on is reported, with its host', async ({ open }) => {
  const variables = { DIAGNOSTICS_BASE_URL: 'https://localhost:1', WAIT_LIMIT_MINUTES: '0.05' };
  const world = await open({ variables });
  const message = await stumble(world, '1012');
  expect(message.text).toContain('diagnostics service (localhost:1) can’t be reached');
  const [last] = await ended(world, 1);
  expect(last?.text).toMatch(/still no result.*can’t be reached/);
  expect(last === undefined ? [] : offers(last)).toEqual(['ask-again']);
  expect(last?.history).toHaveLength(1);
});

test('A host name that does not resolve is reported', async ({ open }) => {
  const variables = { DIAGNOSTICS_AUTH_URL: 'https://login.diagnostics.invalid', WAIT_LIMIT_MINUTES: '0.05' };
  const world = await open({ variables });
  const { text } = await stumble(world, '1012');
  expect(text).toContain('host name of the login servers (login.diagnostics.invalid) could not be resolved');
  expect((await ended(world, 1))[0]?.text).toContain('still no result');
});

test('A certificate of an unknown authority is never accepted, and reported', async ({ open }) => {
  const stranger = await startDiagnosticsService({ certificates: await makeCertificates() });
  const world = await open({ variables: { DIAGNOSTICS_BASE_URL: stranger.baseUrl } });
  const message = await ask(world, '1012');
  expect(message.text).toMatch(
    /doesn’t trust the certificate of the diagnostics service.*NODE_EXTRA_CA_CERTS/,
  );
  expect(offers(message)).toEqual([]);
  expect(stranger.records.requests).toEqual([]);
  await stranger.close();
});
