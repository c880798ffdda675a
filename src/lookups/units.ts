import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import { type Fault, isFault, Stopping } from '../core/faults.ts';
import { type Asked, type Question, questionsOf } from '../core/lookup.ts';
import { search } from '../core/searching.ts';
import {
  type Answers,
  answersOf,
  type LookupStatus,
  type Read,
  type ReadyUnit,
  type Unit,
  type UnitState,
  type Waiting,
} from './lookup-status.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, Step } from './queue.ts';

/** What a step needs to ask for the units of a lookup. A unit is one snapshot of the request. */
export type UnitParts = {
  readonly polls: Polls;
  readonly now: () => number;
  /** Called when a bug ends a lookup. The user sees the same reference. */
  readonly onBug: (error: unknown, reference: string, job: Job) => void;
};

/** What a job's step knows of a unit. */
export type FoundUnit = {
  readonly question: Question;
  readonly state: UnitState;
  /** Absent if an earlier step read the result; it is then read from the cache when it is needed. */
  readonly ready?: ReadyUnit;
  readonly fault?: Fault;
  /** Epoch milliseconds. */
  readonly lookAgainAt?: number;
};

const READY = { kind: 'ready' } as const;
const OF_LOGIN: ReadonlySet<Fault['code']> = new Set(['login-refused', 'session-refused', 'cookie-domain']);
const UNKNOWN = { kind: 'open', isProcessing: false, reason: '' } as const;

/**
 * Asks for every open unit of a job. A failed unit does not end the other units. Throws `Stopping` and
 * `storage-failed`, after which the step is retried.
 */
export function findUnits(job: Job, parts: UnitParts): Promise<FoundUnit[]> {
  return eachOf(questionsOf(job), async (question, at) => {
    const state = job.units?.[at] ?? UNKNOWN;
    return state.kind === 'open' ? ask(question, state.isProcessing, job, parts) : { question, state };
  });
}

/** Adds the results that earlier steps read. A result that left the cache is asked for again. */
export function withResults(found: readonly FoundUnit[], job: Job, parts: UnitParts): Promise<FoundUnit[]> {
  return eachOf(found, async (unit) => {
    const isThere = unit.state.kind !== 'ready' || unit.ready !== undefined;
    return isThere ? unit : ask(unit.question, false, { ...job, mayBeCached: true }, parts);
  });
}

/** Asks for a unit. `wasProcessing`: whether the service has answered 202. */
async function ask(
  question: Question,
  wasProcessing: boolean,
  job: Job,
  parts: UnitParts,
): Promise<FoundUnit> {
  const { polls } = parts;
  try {
    const answer = await answerTo(question, job, polls);
    if (answer.kind === 'ready')
      return { question, state: READY, ready: await unitOf(question, answer, job) };
    const { reason, lookAgainAt } = answer;
    return { question, state: { kind: 'open', isProcessing: true, reason }, lookAgainAt };
  } catch (error) {
    if (error instanceof Stopping || isFault(error, 'storage-failed')) throw error;
    if (!isFault(error)) return { question, state: broken(error, job, parts) };
    // An operator can repair the login during a wait; a lookup that was not waiting ends at once.
    const goesOn = error.isTransient || (wasProcessing && OF_LOGIN.has(error.code));
    if (!goesOn) return { question, state: { kind: 'failed', why: error.code }, fault: error };
    const state = { ...UNKNOWN, isProcessing: wasProcessing, trouble: error.code };
    return { question, state, fault: error, lookAgainAt: polls.lookAgainAt(question) };
  }
}

/** A cached complete analysis answers a request for a part. Other requests ask the service, unless `mayBeCached`. */
async function answerTo(question: Question, job: Job, polls: Polls): Promise<Ready | Processing> {
  const isPart = question.set !== 'all' || job.filter !== undefined || job.search !== undefined;
  const sought = job.mayBeCached ? question : isPart ? ({ ...question, set: 'all' } as const) : undefined;
  return (sought && (await polls.results.cached(sought))) ?? polls.ask(question, job.acceptedAt);
}

/** Reports a bug, and returns the status with the reference for the user. */
export function broken(error: unknown, job: Job, { onBug }: Pick<UnitParts, 'onBug'>) {
  const reference = randomUUID().slice(0, 8);
  onBug(error, reference, job);
  return { kind: 'broken', reference } as const;
}

/** Whether the lookup can end: no unit is open, or one of the two snapshots of a comparison failed. */
export function isSettled(found: readonly FoundUnit[], { others }: Job): boolean {
  const kinds = found.map(({ state }) => state.kind);
  const hasFailed = kinds.includes('failed') || kinds.includes('broken');
  return !kinds.includes('open') || (others === undefined && hasFailed);
}

/** Delays the next step of a job until a unit may be asked for again. */
export function putOff(job: Job, found: readonly FoundUnit[]): Step {
  const at = Math.min(job.deadline, ...found.flatMap(({ lookAgainAt }) => lookAgainAt ?? []));
  return { done: false, job: { ...job, units: found.map(({ state }) => state) }, at };
}

/** The units as a message shows them. */
export function unitsOf(found: readonly FoundUnit[]): Unit[] {
  return found.map(
    ({ question, state, ready }) => ready ?? { ...(state.kind === 'ready' ? UNKNOWN : state), question },
  );
}

/** The status of a lookup with open units. */
export function waitingOf(job: Job, found: readonly FoundUnit[]): Waiting {
  const isProcessing = found.some(({ state }) => state.kind === 'open' && state.isProcessing);
  if (job.others === undefined) return { kind: 'waiting', isProcessing, ...reasonsOf(found) };
  return { kind: 'waiting', isProcessing, reason: '', units: unitsOf(found) };
}

/** Identifies the content of `waitingOf`; the message is updated when it changes. */
export function newsOf(job: Job, found: readonly FoundUnit[]): string {
  if (job.others !== undefined) return JSON.stringify(found.map(({ state }) => state));
  const { isProcessing, reason, trouble } = waitingOf(job, found);
  return JSON.stringify([isProcessing, reason, trouble?.code]);
}

/** The status of a lookup that ends without an answer. */
export function unansweredOf(job: Job, found: readonly FoundUnit[]): LookupStatus {
  if (job.others !== undefined) return { kind: 'unanswered', units: unitsOf(found) };
  for (const { question, state, fault } of found) {
    if (state.kind === 'broken') return state;
    if (state.kind === 'failed' && fault !== undefined) return { kind: 'failed', fault, question };
  }
  return { kind: 'timed-out', ...reasonsOf(found) };
}

/** Why one snapshot, or one of the two in a comparison, has no result yet. */
function reasonsOf(found: readonly FoundUnit[]) {
  const reasons = found.flatMap(({ state }) => (state.kind === 'open' && state.reason) || []);
  const trouble = found.find(({ fault }) => fault !== undefined)?.fault;
  return { reason: [...new Set(reasons)].join(' '), ...(trouble && { trouble }) };
}

/**
 * The results for a click. For several snapshots, a snapshot that can't be read is shown as failed. Undefined while
 * there is no result. Throws `Stopping`, `storage-failed`, and the first fault if nothing could be read.
 */
export async function answersTo(
  asked: Asked,
  read: (question: Question) => Promise<Ready | Processing | undefined>,
): Promise<Answers | undefined> {
  const faults: Fault[] = [];
  const units = await eachOf(questionsOf(asked), async (question): Promise<Unit> => {
    try {
      const answer = await read(question);
      if (answer?.kind === 'ready') return await unitOf(question, answer, asked);
      return { ...UNKNOWN, question, isProcessing: true, reason: answer?.reason ?? '' };
    } catch (error) {
      if (!isFault(error) || isFault(error, 'storage-failed')) throw error;
      faults.push(error);
      return { question, kind: 'failed', why: error.code };
    }
  });
  const answers = answersOf(asked, units);
  if (answers === undefined && faults[0] !== undefined) throw faults[0];
  return answers;
}

/** How many documents of one request are in memory at the same time. */
const AT_ONCE = 2;

function eachOf<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  return new PQueue({ concurrency: AT_ONCE }).addAll(items.map((item, at) => () => work(item, at)));
}

/** A unit with its result and the matches of a search. */
export async function unitOf(
  question: Question,
  { result, readAt }: Read,
  { search: sought }: Asked,
): Promise<ReadyUnit> {
  const found = sought && (await search(result.diagnostics, sought));
  return { kind: 'ready', question, readAt, result, ...(found && { found }) };
}
