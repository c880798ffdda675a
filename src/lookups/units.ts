import { randomUUID } from 'node:crypto';
import { Stopping } from '../core/errors.ts';
import { type Fault, isFault, retryAtOf, StorageFailed, Unreachable } from '../core/faults.ts';
import { type Question, questionsOf } from '../core/lookup.ts';
import type { Answers, LookupStatus, ReadyUnit, Unit } from './lookup-status.ts';
import type { Polls } from './polls.ts';
import type { Job, StoredUnit } from './queue.ts';
import { eachOf, unitOf } from './read-units.ts';

/** What a step needs to ask for the units of a lookup, which are its snapshots: one, the two of a comparison, or several. */
export type UnitParts = {
  readonly polls: Polls;
  /** `intervalMs` is the pause after a first fault; it doubles with each further fault of a unit in a row. */
  readonly timing: { readonly intervalMs: number };
  readonly now: () => number;
  /** Milliseconds on a clock that nobody sets: `now` can be set during a step, which can last as long as a post. */
  readonly elapsed?: () => number;
  /** Called with bugs, and with the reference that the user is given. */
  readonly onBug: (error: unknown, reference: string, job: Job) => void;
};

type OpenUnit = Extract<StoredUnit, { kind: 'open' }>;

/** How a step finds a unit: its state, and what only this step knows. */
type StepUnit = {
  readonly state: StoredUnit;
  readonly ready?: ReadyUnit;
  readonly fault?: Fault;
  /** Since when the service processes it: epoch milliseconds. */
  readonly since?: number;
  /** When it may be asked for again, on the clock that nobody sets. */
  readonly due?: number;
};

const UNKNOWN: OpenUnit = { kind: 'open', isProcessing: false, reason: '' };

export class StepUnits {
  readonly #units: readonly StepUnit[];
  readonly #parts: UnitParts;

  private constructor(units: readonly StepUnit[], parts: UnitParts) {
    this.#units = units;
    this.#parts = parts;
  }

  /**
   * Asks for each unit of a job that may be asked for now. What ends one of them ends no other. Throws the end of the
   * process, and faults of the bot's own storage, which say nothing about a snapshot: the step is retried.
   */
  static async of(job: Job, parts: UnitParts): Promise<StepUnits> {
    const units = await eachOf(questionsOf(job), async (question, index) => {
      const { laterMs, ...state }: StoredUnit = job.units?.[index] ?? UNKNOWN;
      if (state.kind !== 'open') return { state };
      if (laterMs !== undefined) return { state, due: elapsed(parts) + laterMs };
      return answered(question, job, parts).catch((error: unknown) => {
        if (error instanceof Stopping || error instanceof StorageFailed) throw error;
        return isFault(error) ? inTrouble(error, state, parts) : { state: broken(error, job, parts) };
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
    const next = this.#nextDue();
    const units = this.#units.map(({ state, due = next }) =>
      due > next ? { ...state, laterMs: due - next } : state,
    );
    const times = [job.waitingSince, ...this.#units.map(({ since }) => since)].filter(
      (at) => at !== undefined,
    );
    const waitingSince = Math.max(Math.min(...times), job.acceptedAt);
    return { ...job, units, ...(times.length > 0 && { waitingSince }) };
  }

  /** When the next step of the job is due, on the clock as it is now: epoch milliseconds. */
  dueAt({ deadline }: Job): number {
    const leftMs = this.#nextDue() - elapsed(this.#parts);
    return Math.min(this.#parts.now() + leftMs, deadline);
  }

  #nextDue(): number {
    return Math.min(...this.#units.flatMap(({ due }) => due ?? []));
  }

  /** The units of a message. What an earlier step has read is read again from the cache; one that is gone there is open. */
  read(job: Job, polls: Polls): Promise<Unit[]> {
    return eachOf(questionsOf(job), async (question, index): Promise<Unit> => {
      const { state, ready } = this.#units[index] ?? { state: UNKNOWN };
      if (ready !== undefined) return ready;
      if (state.kind !== 'ready') return { ...state, question };
      const cached = await polls.cached(question, notBefore(job));
      return cached === undefined ? { ...UNKNOWN, question } : unitOf(question, cached, job);
    });
  }

  /** What to ask for now, where results are gone from the cache; undefined where none is. */
  askedAnew(units: readonly Unit[]): StepUnits | undefined {
    const isGone = ({ state }: StepUnit, index: number) =>
      state.kind === 'ready' && units[index]?.kind === 'open';
    if (!this.#units.some(isGone)) return undefined;
    const due = elapsed(this.#parts);
    const again = this.#units.map((each, index) => (isGone(each, index) ? { state: UNKNOWN, due } : each));
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

function elapsed({ elapsed: steady = () => performance.now() }: UnitParts): number {
  return steady();
}

async function answered(question: Question, job: Job, parts: UnitParts): Promise<StepUnit> {
  const answer = await parts.polls.look(question, notBefore(job));
  if (answer.kind === 'ready')
    return { state: { kind: 'ready' }, ready: await unitOf(question, answer, job) };
  const { reason, since, lookAgainAt: due } = answer;
  return { state: { kind: 'open', isProcessing: true, reason }, since, due };
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

const LONGEST_PAUSE_MS = 60_000;

/**
 * A fault that may pass is waited out: the pause doubles with each one in a row. A time that the fault names holds for
 * everybody, and until then nobody asks: where it is far away, it is looked at again each minute, because the clock may be
 * set meanwhile. A service that can't be reached is spared by `Transport`, and once it is back nobody waits for longer
 * than after a 202. What is wrong with the login does not end a wait for a snapshot that is processed: an operator may
 * repair it in time.
 */
function inTrouble(
  fault: Fault,
  { isProcessing, troubles: before = 0 }: OpenUnit,
  parts: UnitParts,
): StepUnit {
  const { timing, now } = parts;
  const isOfLogin = ['login-refused', 'session-refused', 'cookie-domain'].includes(fault.code);
  if (!fault.isTransient && !(isOfLogin && isProcessing))
    return { state: { kind: 'failed', why: fault.code }, fault };
  const namedMs = (retryAtOf(fault) ?? 0) - now();
  const troubles = namedMs > LONGEST_PAUSE_MS ? before : before + 1;
  const doubled = fault instanceof Unreachable ? 0 : before;
  const pauseMs = Math.max(timing.intervalMs * 2 ** doubled, namedMs);
  return {
    state: { kind: 'open', isProcessing, reason: '', trouble: fault.code, troubles },
    fault,
    due: elapsed(parts) + Math.min(pauseMs, LONGEST_PAUSE_MS),
  };
}

/** Identifies what a message says while it waits: another one is news. Of several it has a line for each. */
export function newsOf({ others, units = [] }: Job): string {
  const lines = units
    .filter(({ kind }) => others !== undefined || kind === 'open')
    .map(({ laterMs: _laterMs, troubles: _troubles, ...said }) => JSON.stringify(said));
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
