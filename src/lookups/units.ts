import { randomUUID } from 'node:crypto';
import { Stopping } from '../core/errors.ts';
import { type Fault, isFault } from '../core/faults.ts';
import { type Question, questionsOf } from '../core/lookup.ts';
import type { Answers, LookupStatus, ReadyUnit, Unit, UnitState } from './lookup-status.ts';
import { isOfLogin, type Polls } from './polls.ts';
import type { Job } from './queue.ts';
import { eachOf, unitOf } from './read-units.ts';

/** What a step needs to ask for the units of a lookup, which are its snapshots: one, the two of a comparison, or several. */
export type UnitParts = {
  readonly polls: Polls;
  readonly now: () => number;
  /** Called with bugs, and with the reference that the user is given. */
  readonly onBug: (error: unknown, reference: string, job: Job) => void;
};

/** How a step finds a unit: its state, and what only this step knows. Times are epoch milliseconds. */
type StepUnit = {
  readonly state: UnitState;
  readonly ready?: ReadyUnit;
  readonly fault?: Fault;
  /** Since when the service processes it. */
  readonly since?: number;
  readonly lookAgainAt?: number;
};

const UNKNOWN: Extract<UnitState, { kind: 'open' }> = { kind: 'open', isProcessing: false, reason: '' };

export class StepUnits {
  readonly #units: readonly StepUnit[];
  readonly #parts: UnitParts;

  private constructor(units: readonly StepUnit[], parts: UnitParts) {
    this.#units = units;
    this.#parts = parts;
  }

  /**
   * Asks for each unit of a job that is open. What ends one of them ends no other. Throws the end of the process, and
   * faults of the bot's own storage, which say nothing about a snapshot: the step is retried.
   */
  static async of(job: Job, parts: UnitParts): Promise<StepUnits> {
    const units = await eachOf(questionsOf(job), async (question, index) => {
      const state = job.units?.[index] ?? UNKNOWN;
      if (state.kind !== 'open') return { state };
      return asked(question, state, job, parts).catch((error: unknown): StepUnit => {
        if (error instanceof Stopping || isFault(error, 'storage-failed')) throw error;
        return isFault(error) ? failed(error) : { state: broken(error, job, parts) };
      });
    });
    return new StepUnits(units, parts);
  }

  /** Whether there is nothing to wait for: several snapshots are all awaited, of others the first without a result ends all. */
  isSettled({ others }: Job): boolean {
    const kinds = this.#units.map(({ state }) => state.kind);
    const hasFailed = kinds.includes('failed') || kinds.includes('broken');
    return !kinds.includes('open') || (others === undefined && hasFailed);
  }

  /** The job as it is stored until the next step. For a lookup no wait for the service begins before its request. */
  awaiting(job: Job): Job {
    const units = this.#units.map(({ state }) => state);
    const known = [job.waitingSince, ...this.#units.map(({ since }) => since)];
    const times = known.filter((at) => at !== undefined);
    const waitingSince = Math.max(Math.min(...times), job.acceptedAt);
    return { ...job, units, ...(times.length > 0 && { waitingSince }) };
  }

  /** When the next step of the job is due. */
  dueAt({ deadline }: Job): number {
    return Math.min(deadline, ...this.#units.flatMap(({ lookAgainAt }) => lookAgainAt ?? []));
  }

  /** The units of a message. What an earlier step has read is read again from the cache; one that is gone there is open. */
  read(job: Job, polls: Polls): Promise<Unit[]> {
    return eachOf(questionsOf(job), async (question, index): Promise<Unit> => {
      const { state, ready } = this.#units[index] ?? { state: UNKNOWN };
      if (ready !== undefined) return ready;
      if (state.kind !== 'ready') return { ...state, question };
      // It was read for this job: its time is of a clock that may have stepped since.
      const cached = (await wholeFor(question, job, polls)) ?? (await polls.cached(question));
      return cached === undefined ? { ...UNKNOWN, question } : unitOf(question, cached, job);
    });
  }

  /** What to ask for now, where results are gone from the cache; undefined where none is. */
  askedAnew(units: readonly Unit[]): StepUnits | undefined {
    const isGone = ({ state }: StepUnit, index: number) =>
      state.kind === 'ready' && units[index]?.kind === 'open';
    if (!this.#units.some(isGone)) return undefined;
    const lookAgainAt = this.#parts.now();
    const again = this.#units.map((each, index) =>
      isGone(each, index) ? { state: UNKNOWN, lookAgainAt } : each,
    );
    return new StepUnits(again, this.#parts);
  }

  /** What the units come to. `isOver`: nothing is awaited any more. */
  statusOf(
    job: Job,
    { units, answers, isOver }: { units: readonly Unit[]; answers: Answers | undefined; isOver: boolean },
  ): LookupStatus {
    if (answers !== undefined && (isOver || job.others === undefined)) return { ...answers, kind: 'ready' };
    const since = job.waitingSince ?? job.acceptedAt;
    const isProcessing = this.#units.some(({ state }) => state.kind === 'open' && state.isProcessing);
    const waiting = { kind: 'waiting', since, isProcessing } as const;
    if (job.others !== undefined)
      return isOver ? { kind: 'unanswered', units } : { ...waiting, reason: '', units };
    const end = endOf(this.#units, units);
    if (end !== undefined) return end;
    const reasons = this.#units.flatMap(({ state }) => (state.kind === 'open' && state.reason) || []);
    const trouble = this.#units.find(({ fault }) => fault !== undefined)?.fault;
    const said = { reason: [...new Set(reasons)].join(' '), ...(trouble && { trouble }) };
    return isOver ? { kind: 'timed-out', ...said } : { ...waiting, ...said };
  }
}

async function asked(
  question: Question,
  { isProcessing }: typeof UNKNOWN,
  job: Job,
  { polls }: UnitParts,
): Promise<StepUnit> {
  const answer = (await wholeFor(question, job, polls)) ?? (await polls.ask(question, notBefore(job)));
  if (answer.kind === 'ready')
    return { state: { kind: 'ready' }, ready: await unitOf(question, answer, job) };
  const { lookAgainAt } = answer;
  if (answer.kind === 'processing')
    return {
      state: { kind: 'open', isProcessing: true, reason: answer.reason },
      since: answer.since,
      lookAgainAt,
    };
  const { fault } = answer;
  // An operator may repair the login before a snapshot is processed; a lookup without a wait ends at once.
  if (isOfLogin(fault) && !fault.isTransient && !isProcessing) return failed(fault);
  return { state: { kind: 'open', isProcessing, reason: '', trouble: fault.code }, fault, lookAgainAt };
}

/** The whole analysis that is kept, where only a part of it is asked for: a lookup of all reads anew. */
async function wholeFor(question: Question, { filter, search }: Job, polls: Polls) {
  const isPart = question.set !== 'all' || filter !== undefined || search !== undefined;
  return isPart ? polls.cached({ ...question, set: 'all' }) : undefined;
}

function failed(fault: Fault): StepUnit {
  return { state: { kind: 'failed', why: fault.code }, fault };
}

function notBefore({ mayBeCached, acceptedAt }: Job): number {
  return mayBeCached ? 0 : acceptedAt;
}

/** Reports a bug, and gives what the user is lines of it. */
export function broken(error: unknown, job: Job, { onBug }: Pick<UnitParts, 'onBug'>) {
  const reference = randomUUID().slice(0, 8);
  onBug(error, reference, job);
  return { kind: 'broken', reference } as const;
}

/** Identifies what a message says while it waits: another one is news. Of several it has a line for each. */
export function newsOf({ others, units = [] }: Job): string {
  const lines = units
    .filter(({ kind }) => others !== undefined || kind === 'open')
    .map((said) => JSON.stringify(said));
  return (others === undefined ? [...new Set(lines)] : lines).join('\n');
}

/** What the first one without a result makes of a lookup of one, or of a comparison. */
function endOf(found: readonly StepUnit[], units: readonly Unit[]): LookupStatus | undefined {
  for (const [index, { state, fault }] of found.entries()) {
    const { question } = units[index] ?? {};
    if (state.kind === 'broken') return state;
    if (fault && question && state.kind === 'failed') return { kind: 'failed', fault, question };
  }
  return undefined;
}
