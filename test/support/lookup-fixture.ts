import type { DatabaseSync } from 'node:sqlite';
import type { DiagnosticsResult } from '../../src/core/diagnostics.ts';
import { Precedence } from '../../src/core/event-loop.ts';
import type { Store } from '../../src/core/store.ts';
import type { Delivered, Delivery, LookupStatus } from '../../src/lookups/lookup-status.ts';
import { Polls } from '../../src/lookups/polls.ts';
import type { Follow, Job, JobQueue, LookupQueue, Step } from '../../src/lookups/queue.ts';
import { type Cancellation, LookupStep, type StepOptions } from '../../src/lookups/step.ts';
import { embedded } from './embedded.ts';
import { configOf } from './other-settings.ts';
import { snapshotId } from './snapshot-id.ts';

/** What the service is made to answer: a result, a 202 with its reason, a fault; or what happens before a result. */
type Scripted =
  | DiagnosticsResult
  | { readonly reason: string; readonly pauseMs?: number }
  | Error
  | (() => Promise<void>);

/** A device with nothing found. */
const RESULT: DiagnosticsResult = {
  sha1: 'da39a3ee',
  device: { hostname: 'edge-7', platform: 'C117', chassisSerial: 'chs777' },
  software: { version: '17.1.3', product: 'Product', built: '240216', edition: 'Point Release 3' },
  stated: { hits: 0, misses: 247 },
  diagnostics: [],
};

/** The parts below Slack, on a real embedded store, with a service and a delivery that a test scripts. */
type LookupFixture = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
  readonly database: DatabaseSync;
  readonly polls: Polls;
  /** Polls as another replica on the same store has them. */
  readonly otherPolls: () => Polls;
  /** What each request led to, as it is counted. */
  readonly outcomes: string[];
  /** The answers to come, one for each request; the last one is given again and again. */
  readonly answers: Scripted[];
  /** What happens right before each of the next requests. */
  readonly before: (() => Promise<unknown>)[];
  /** How many requests reached the service. */
  readonly requests: () => number;
  /** What was shown, in order. */
  readonly shown: LookupStatus[];
  readonly saved: Job[];
  readonly bugs: { readonly error: unknown; readonly reference: string; readonly job: Job }[];
  /** The lookups that ended, and with what. */
  readonly ends: { readonly status: LookupStatus; readonly job: Job }[];
  /** Settings of the next step; a test may change them. */
  readonly options: { -readonly [Key in keyof StepOptions]: StepOptions[Key] };
  job(changes?: Partial<Job>): Job;
  /** Takes a step of a job; `deaths`: how often the process has died in that step before. */
  take(job: Job, deaths?: number): Promise<Step>;
};

/** `now` is the clock of all parts, in epoch milliseconds; `elapsed` one that nobody sets. */
export function lookupFixture(
  now: () => number = Date.now,
  intervalMs = 10_000,
  elapsed: () => number = now,
): LookupFixture {
  const { store, queue, follows, database } = embedded(now);
  const { source, answers, before, requests } = scripted();
  const outcomes: string[] = [];
  const onOutcome = (outcome: string) => void outcomes.push(outcome);
  const otherPolls = () =>
    new Polls({
      ...{ source, store, retention: configOf().retention, timing: { intervalMs, answerMs: 5_000 } },
      ...{ now, elapsed, onOutcome },
    });
  const polls = otherPolls();
  const [shown, saved]: [LookupStatus[], Job[]] = [[], []];
  const [bugs, ends]: [LookupFixture['bugs'][number][], LookupFixture['ends'][number][]] = [[], []];
  const options = {
    polls,
    history: { find: async () => undefined },
    delivery: recording(shown),
    cancellations: store.namespace<Cancellation>('cancelled'),
    timing: { progressAfterMs: 5_000, intervalMs },
    precedence: new Precedence(),
    now,
    elapsed,
    onBug: (error: unknown, reference: string, job: Job) => void bugs.push({ error, reference, job }),
    onEnd: (status: LookupStatus, job: Job) => void ends.push({ status, job }),
  };
  const take = (job: Job, deaths = 0) =>
    new LookupStep(options, async (each) => void saved.push(each)).take(job, deaths);
  const job = (changes: Partial<Job> = {}) => ({ ...jobAt(now()), ...changes });
  const seen = { answers, before, requests, outcomes, shown, saved, bugs, ends };
  return { store, queue, follows, database, polls, otherPolls, ...seen, options, job, take };
}

function scripted() {
  const answers: Scripted[] = [RESULT];
  const before: (() => Promise<unknown>)[] = [];
  let requests = 0;
  const source: ConstructorParameters<typeof Polls>[0]['source'] = {
    diagnostics: async (_question, lease) => {
      await before.shift()?.();
      await lease.confirm();
      lease.verify();
      requests += 1;
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? RESULT;
      if (answer instanceof Error) throw answer;
      if (typeof answer === 'function') {
        await answer();
        return { kind: 'ready', result: RESULT };
      }
      return 'reason' in answer ? { kind: 'processing', ...answer } : { kind: 'ready', result: answer };
    },
  };
  return { source, answers, before, requests: () => requests };
}

function recording(shown: LookupStatus[]): Delivery {
  return {
    mayStillSee: async () => true,
    deliver: async ({ destination }, status): Promise<Delivered> => {
      shown.push(status);
      return { destination: { ...destination, messageTs: '1.1' }, isShown: true };
    },
  };
}

function jobAt(now: number): Job {
  return {
    id: 'a-lookup',
    question: { snapshotId: snapshotId('26808463'), set: 'all' },
    askedBy: 'U0ANA',
    destination: { channel: 'C0SUPPORT', user: 'U0ANA' },
    acceptedAt: now,
    deadline: now + 3_600_000,
  };
}
