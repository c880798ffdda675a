import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SnapshotNotFound } from '../../src/core/faults.ts';
import { Precedence } from '../../src/core/precedence.ts';
import type { Job, LookupQueue, Processor } from '../../src/lookups/queue.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { RecentEvents } from '../../src/ops/recent-events.ts';
import { UpstreamHealth } from '../../src/ops/upstream-health.ts';
import { DEFAULT_TIMING } from '../../src/timing.ts';
import { USER_AGENT } from '../../src/version.ts';
import type { Base } from '../../src/wiring/base.ts';
import { createLookups } from '../../src/wiring/lookups.ts';
import { createPolls, createSession, createTransport } from '../../src/wiring/service.ts';
import {
  DEFAULT_USER_ID,
  DEFAULT_USER_SECRET,
  DEFAULT_VENDOR,
} from '../emulators/diagnostics-service/state.ts';
import { lookupFixture, RESULT } from '../support/lookup-fixture.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { configOf } from '../support/other-settings.ts';
import { snapshotId } from '../support/snapshot-id.ts';
import { startService } from '../support/upstreams.ts';

const MINUTE_MS = 60_000;
const QUESTION = { snapshotId: snapshotId('1012'), set: 'hit' } as const;

/** What all parts need, with what they report to operators. */
function basing(settings: Readonly<Record<string, string>> = {}, changes: Partial<Base> = {}) {
  const log: Record<string, unknown>[] = [];
  const audited: unknown[] = [];
  const traced: unknown[][] = [];
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const observation = {
    events: new RecentEvents(),
    upstreams: new UpstreamHealth(now),
    metrics: new Metrics({
      ...{ version: '1.0.0', now, readiness: async () => ({ ready: true, reasons: [] }) },
      ...{
        openLookups: async () => 0,
        oldestAcceptedAt: async () => undefined,
        openReminders: async () => 0,
      },
    }),
  };
  const base = {
    ...{
      config: configOf(settings),
      store: new MemoryStore(),
      observation,
      now,
      precedence: new Precedence(),
    },
    logger: pino({ base: null, timestamp: false }, { write: (line) => void log.push(JSON.parse(line)) }),
    timing: { ...DEFAULT_TIMING, progressAfterMs: MINUTE_MS },
    audit: (entry: unknown) => audited.push(entry),
    tracing: {
      step: (job: Job, work: () => Promise<unknown>) => {
        traced.push(['step', job.id]);
        return work();
      },
      ended: (job: Job, ...rest: unknown[]) => traced.push(['ended', job.id, ...rest]),
    },
    ...changes,
  } as unknown as Base;
  const metrics = async (name: RegExp) =>
    (await observation.metrics.text()).split('\n').filter((line) => name.test(line) && !line.startsWith('#'));
  return { base, log, audited, traced, clock, observation, metrics };
}

describe('What becomes of a lookup is told to operators', () => {
  /** Lookups whose steps a test takes. */
  function looking(settings: Readonly<Record<string, string>> = {}) {
    const based = basing(settings);
    const fixture = lookupFixture(() => based.clock.now);
    const added: Job[] = [];
    let step: Processor = () => Promise.reject(new Error('not started'));
    const queue = {
      add: async (job: Job) => void added.push(job),
      start: async (processor: Processor) => {
        step = processor;
      },
    };
    const { delivery, history } = fixture.options;
    const lookups = createLookups(based.base, fixture.polls, queue as unknown as LookupQueue, {
      delivery,
      history: history as never,
    });
    const accept = async () => {
      const destination = { channel: 'C1', user: 'U2' };
      await lookups.accept({ question: QUESTION, askedBy: 'U1', destination });
      await lookups.start();
      const job = added[0];
      if (job === undefined) throw new Error('no job');
      return { job, take: (changes = {}) => step({ ...job, ...changes }, async () => {}, 0) };
    };
    return { ...based, ...fixture, accept };
  }
  const who = (job: Job) => ({ lookup: job.id, user: 'U1', channel: 'C1', snapshot: '1012' });

  test('when it is accepted, and until when it may wait', async () => {
    const { accept, log, audited, clock } = looking({ WAIT_LIMIT_MINUTES: '7' });
    const { job } = await accept();
    expect(job).toMatchObject({ acceptedAt: clock.now, deadline: clock.now + 7 * MINUTE_MS });
    expect(log).toEqual([
      { level: 30, lookup: job.id, snapshot: '1012', set: 'hit', msg: 'lookup accepted' },
    ]);
    expect(audited).toEqual([{ event: 'accepted', ...who(job) }]);
  });

  test('when it ends in a result', async () => {
    const { accept, answers, log, audited, traced, metrics, clock, observation } = looking();
    answers.push(RESULT);
    const { job, take } = await accept();
    clock.now += 2_500;
    expect(await take({ waitingSince: clock.now - 1_000 })).toEqual({ done: true });
    expect(log.at(-1)).toEqual({
      level: 30,
      lookup: job.id,
      outcome: 'ready',
      ms: 2_500,
      msg: 'lookup ended',
    });
    expect(audited.at(-1)).toEqual({ event: 'answered', ...who(job), outcome: 'ready' });
    expect(traced).toEqual([
      ['step', job.id],
      ['ended', job.id, 'ready', clock.now],
    ]);
    expect(await metrics(/lookups_total|answer_seconds_sum/)).toEqual([
      'snapshot_bot_lookups_total{outcome="ready"} 1',
      'snapshot_bot_answer_seconds_sum{waited="true"} 2.5',
    ]);
    expect(observation.events.faults).toEqual([]);
  });

  test('when it ends in a fault, by the beginning of its id', async () => {
    const { accept, answers, audited, metrics, clock, observation } = looking();
    answers[0] = new SnapshotNotFound();
    const { job, take } = await accept();
    await take();
    const [fault] = observation.events.faults;
    expect(fault?.at).toBe(clock.now);
    expect(fault?.reference).toBe(job.id.slice(0, 8));
    expect(audited.at(-1)).toMatchObject({ event: 'answered', outcome: fault?.code });
    expect(await metrics(/lookups_total|answer_seconds_sum/)).toEqual([
      `snapshot_bot_lookups_total{outcome="${fault?.code}"} 1`,
      expect.stringContaining('{waited="false"}'),
    ]);
  });
});

describe('What the service and its login servers answer is told to operators', () => {
  async function reaching(settings: Readonly<Record<string, string>> = {}) {
    const service = await startService({ waitMs: 0 });
    onTestFinished(() => service.close());
    const based = basing({
      ...{ DIAGNOSTICS_BASE_URL: service.baseUrl, DIAGNOSTICS_AUTH_URL: service.authUrl },
      ...{ DIAGNOSTICS_VENDOR: DEFAULT_VENDOR, DIAGNOSTICS_USER_ID: DEFAULT_USER_ID },
      ...{ DIAGNOSTICS_USER_SECRET: DEFAULT_USER_SECRET, ...settings },
    });
    const transport = createTransport(based.base);
    onTestFinished(() => transport.close());
    const session = createSession(based.base, transport);
    return { ...based, service, session, polls: createPolls(based.base, transport, session) };
  }

  test('with each login, answer and poll, and who asked is said to the service', async () => {
    const { polls, service, metrics, observation, clock } = await reaching();
    await polls.look(QUESTION, clock.now);
    expect(await metrics(/_(?:service_answers|logins|polls)_total/)).toEqual([
      expect.stringMatching(/answers_total\{upstream="login servers",status="200"\} 1/),
      expect.stringMatching(/answers_total\{upstream="diagnostics service",status="200"\} 1/),
      'snapshot_bot_logins_total{outcome="succeeded"} 1',
      'snapshot_bot_polls_total{outcome="ready"} 1',
    ]);
    expect(observation.events.lastLogin('succeeded')).toBe(clock.now);
    expect(service.records.logins[0]?.userAgent).toBe(USER_AGENT);
    expect(USER_AGENT).toMatch(/^snapshot-bot\/\d+\.\d+\.\d+ /);
  });

  test('a refused login at its time, and a host that stays without an answer', async () => {
    const { session, service, observation, clock, metrics } = await reaching();
    service.switches.loginRefused = true;
    await expect(session.authenticate(new URL(service.baseUrl))).rejects.toMatchObject({
      code: 'login-refused',
    });
    expect(observation.events.lastLogin('refused')).toBe(clock.now);
    expect(await metrics(/logins_total/)).toEqual(['snapshot_bot_logins_total{outcome="refused"} 1']);
  });
});
