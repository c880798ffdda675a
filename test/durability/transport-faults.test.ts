import { expect } from 'vitest';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../../src/service/transport.ts';
import type { Misbehaviour } from '../emulators/diagnostics-service/types.ts';
import { askDuringFault, offers, reachedBy, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { READY } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';
import type { WorldOptions } from '../support/world.ts';

const test = sequential.concurrent;
/**
 * Only the cases that end by a timeout shorten it: with a short timeout, the bot could give up a request before the
 * service counts it. The slowest case is first, because the cases run at the same time.
 */
const passing: [how: Misbehaviour, words: string, limits: Partial<HttpTimeouts>][] = [
  ['trickle', 'took too long to answer', { wholeMs: 2_000 }],
  ['reset', 'closed the connection before its answer was complete', {}],
  ['hang', 'took too long to answer', { headersMs: 1_000 }],
  ['hang-in-body', 'took too long to answer', { bodyMs: 1_000 }],
  ['truncate', 'closed the connection before its answer was complete', {}],
];

function withLimits(limits: Partial<HttpTimeouts>): WorldOptions {
  return { timing: { http: { ...HTTP_TIMEOUTS, ...limits } } };
}

test.for(passing)(
  'A repeated %s is reported after four requests, and then not tried for a while',
  async ([how, words, limits], { open }) => {
    const world = await open(withLimits(limits));
    world.service.nextAnswers([how, how, how, how]);
    const message = await askDuringFault(world, '1012');
    expect(message.text).toContain(words);
    expect(message.text).toContain(new URL(world.service.baseUrl).host);
    expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
    const result = await shown(world, '1 hit');
    expect(result.ts).toBe(message.ts);
    expect(reachedBy(world, words).requests).toBe(4);
    expect(world.service.records.requests).toHaveLength(5);
  },
);

test('A login that is refused in the middle of a wait does not end it: the wait goes on when it is repaired', async ({
  open,
}) => {
  const coolDownMs = 600;
  const world = await open({ timing: { coolDownMs } });
  const { service } = world;
  await beginWait(world);
  service.switches.loginRefused = true;
  service.expireSessions();
  const troubled = await shown(world, 'I’ll keep trying');
  expect(troubled.text).toContain('the service rejected the bot’s account');
  expect(offers(troubled)).toContain('cancel');
  // The bot tries again after each refusal; the test waits for the second refused login.
  await eventually(() => expect(service.records.logins.length).toBeGreaterThanOrEqual(3));
  service.switches.loginRefused = false;
  service.shelve('7001', READY);
  const result = await shown(world, '1 hit');
  expect(result.ts).toBe(troubled.ts);
  const refused = service.records.logins.filter(({ outcome }) => outcome === 'refused');
  const times = refused.map(({ arrivedAt }) => arrivedAt);
  for (const [index, at] of times.slice(1).entries())
    expect(at - (times[index] ?? at)).toBeGreaterThanOrEqual(coolDownMs);
  expect(service.records.logins.at(-1)?.outcome).toBe('granted');
});
