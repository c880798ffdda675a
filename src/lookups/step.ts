import { randomUUID } from 'node:crypto';
import type { ResponseUrl } from '../core/destination.ts';
import type { Fault } from '../core/faults.ts';
import { inOrder, type Question } from '../core/lookup.ts';
import type { Precedence } from '../core/precedence.ts';
import type { Namespace } from '../core/store.ts';
import { inTime, LATE } from '../core/time.ts';
import type { DeviceHistory } from './device-history.ts';
import { type Answer, answerTo } from './look.ts';
import {
  answersOf,
  CompositionFailed,
  type Delivery,
  type LookupStatus,
  type Read,
  type UnitState,
  type Waiting,
} from './lookup-status.ts';
import type { Polls, Processing } from './polls.ts';
import type { Job, Step } from './queue.ts';
import { dueAfter, isWorthWaiting } from './retrying.ts';
import { asIfUnknown, dueAt, isOpen, type LookedAtSeveral, lookAtSeveral, unitsOf } from './several.ts';
import type { Timing } from './timing.ts';

/** A request to cancel a lookup; `response` replaces the private message whose “Cancel” was pressed. */
export type Cancellation = { readonly response?: ResponseUrl };

export type StepOptions = {
  readonly polls: Polls;
  readonly delivery: Delivery;
  readonly history: Pick<DeviceHistory, 'find'>;
  /** By lookup. */
  readonly cancellations: Namespace<Cancellation>;
  /** `intervalMs` is also the pause after a first fault during a wait; it doubles with each further fault. */
  readonly timing: Pick<Timing, 'progressAfterMs' | 'intervalMs'>;
  /** Acknowledgements go first: steps wait here before each piece of work that keeps the processor busy. */
  readonly precedence: Precedence;
  readonly now: () => number;
  /** Called with bugs, and with the reference that the user was given. */
  readonly onBug: (error: unknown, reference: string, job: Job) => void;
  readonly onEnd: (status: LookupStatus, job: Job) => void;
};

type Save = (job: Job) => Promise<void>;

/** A lookup whose step ends the process again and again would keep the bot from ever starting. */
const MOST_DEATHS = 4;

class DeadlyStep extends Error {
  constructor(deaths: number) {
    super(`the process died ${deaths} times in the same step of this lookup`);
  }
}

/** A lookup that was accepted later than now comes from before the clock went back: its times go back with it. */
function onThisClock(job: Job, now: number): Job {
  const backMs = job.acceptedAt - now;
  if (backMs <= 0) return job;
  const since = job.waitingSince === undefined ? {} : { waitingSince: job.waitingSince - backMs };
  return { ...job, ...since, acceptedAt: now, deadline: job.deadline - backMs };
}

/**
 * Takes one step of a lookup: asks for the answer, shows what is new, and says when the next step is due. A fault of the
 * service is an answer in itself. What is thrown means that a message could not be delivered, or state could not be read
 * or written: the step is retried.
 */
export class LookupStep {
  readonly #options: StepOptions;
  readonly #save: Save;

  constructor(options: StepOptions, save: Save) {
    this.#options = options;
    this.#save = save;
  }

  /** `deaths`: how many times the process died in this same step. Throws if the step must be retried. */
  async take(stored: Job, deaths: number): Promise<Step> {
    if (deaths >= MOST_DEATHS) return this.#end(stored, this.#broken(new DeadlyStep(deaths), stored));
    await this.#options.precedence.turn();
    const job = onThisClock(stored, this.#options.now());
    const early = await this.#endIfCancelled(job);
    if (early !== undefined) return early;
    const step = await this.#look(job);
    // “Cancel” may have been pressed during the step: it takes effect now, not an interval later.
    return step.done ? step : ((await this.#endIfCancelled(step.job)) ?? step);
  }

  async #look(job: Job): Promise<Step> {
    let waiting = job;
    try {
      if (job.others === undefined) {
        const looking = answerTo(this.#options.polls, job);
        waiting = await this.#showIfSlow(job, looking);
        const answer = await looking;
        return (await this.#endIfCancelled(waiting)) ?? (await this.#follow(waiting, answer));
      }
      const looking = lookAtSeveral(job, this.#options);
      waiting = await this.#showIfSlow(job, looking);
      const looked = await looking;
      return (await this.#endIfCancelled(waiting)) ?? (await this.#followSeveral(waiting, looked));
    } catch (error) {
      if (error instanceof CompositionFailed) return this.#end(waiting, this.#broken(error, waiting));
      throw error;
    }
  }

  async #follow(job: Job, answer: Answer): Promise<Step> {
    switch (answer.kind) {
      case 'ready': {
        const compared = await this.#comparedWithLast(job, answer);
        return compared ?? this.#end(job, job.againstLast ? { ...answer, hasNoLast: true } : answer);
      }
      case 'processing':
        return this.#goOn(job, answer);
      case 'failed':
        return isWorthWaiting(answer.fault, job.waitingSince !== undefined)
          ? this.#waitOut(job, answer.fault)
          : this.#end(job, answer);
      case 'bug':
        return this.#end(job, this.#broken(answer.error, job));
      default:
        return answer satisfies never;
    }
  }

  /** Ends when there is nothing to wait for any more; until then the message changes when one of them does. */
  async #followSeveral(job: Job, looked: LookedAtSeveral): Promise<Step> {
    const { polls, now } = this.#options;
    const units = looked.stored;
    const isOver = !units.some(isOpen) || now() >= job.deadline;
    const isProcessing = units.some((unit) => unit.kind === 'open' && unit.isProcessing);
    const since = job.waitingSince ?? (isProcessing ? now() : undefined);
    const next: Job = { ...job, units, ...(since !== undefined && { waitingSince: since }) };
    const at = Math.min(dueAt(units), job.deadline);
    const waiting: Waiting = { kind: 'waiting', since: since ?? job.acceptedAt, reason: '', isProcessing };
    if (!isOver && job.shown === keyOf(waiting, units)) return { done: false, job: next, at };
    const status = { ...waiting, units: await unitsOf(job, looked, polls) };
    const forgotten = asIfUnknown(units, status.units);
    if (forgotten !== undefined && now() < job.deadline) {
      return { done: false, job: { ...next, units: forgotten }, at: now() };
    }
    const answers = answersOf(status.units);
    const final: LookupStatus = answers
      ? { kind: 'ready', ...answers }
      : { kind: 'unanswered', units: status.units };
    if (isOver) return this.#end(next, final);
    const { kind } = await this.#unlessWithheld(next, final);
    return kind === 'withheld'
      ? this.#end(next, { kind })
      : { done: false, job: await this.#show(next, status), at };
  }

  async #endIfCancelled(job: Job): Promise<Step | undefined> {
    if (job.isOver) return this.#end(job, { kind: 'cancelled' });
    if (job.shown === undefined && job.mayBeShown === undefined) return undefined;
    const cancellation = await this.#options.cancellations.get(job.id);
    if (cancellation === undefined) return undefined;
    const destination = { ...job.destination, ...cancellation };
    return this.#end({ ...job, destination }, { kind: 'cancelled' });
  }

  /** The device's last result is known only now: the lookup goes on as a comparison with it. */
  async #comparedWithLast(job: Job, answer: Read): Promise<Step | undefined> {
    if (job.againstLast === undefined) return undefined;
    const last = await this.#options.history.find(job.question, answer);
    if (last === undefined) return undefined;
    const { againstLast: _known, ...rest } = job;
    const other: Question = { ...last.question, set: job.question.set };
    return { done: false, job: { ...rest, ...inOrder(other, job.question) }, at: this.#options.now() };
  }

  /** Shows that the bot is waiting if the answer takes longer than a moment; a quick answer stays the only message. */
  async #showIfSlow(job: Job, looking: Promise<unknown>): Promise<Job> {
    if (job.shown !== undefined) return job;
    const outcome = await inTime(this.#options.timing.progressAfterMs, looking);
    if (outcome !== LATE) return job;
    return this.#show(job, { kind: 'waiting', since: job.acceptedAt, reason: '', isProcessing: false });
  }

  async #goOn(job: Job, { reason, since, lookAgainAt }: Processing): Promise<Step> {
    if (this.#options.now() >= job.deadline) return this.#end(job, { kind: 'timed-out', reason });
    const { troubles: _over, ...untroubled } = job;
    const waiting = await this.#show(
      { ...untroubled, waitingSince: since },
      { kind: 'waiting', since, reason, isProcessing: true },
    );
    return { done: false, job: waiting, at: Math.min(lookAgainAt, job.deadline) };
  }

  #broken(error: unknown, job: Job): LookupStatus {
    const reference = randomUUID().slice(0, 8);
    this.#options.onBug(error, reference, job);
    return { kind: 'broken', reference };
  }

  async #waitOut(job: Job, trouble: Fault): Promise<Step> {
    const { now, timing } = this.#options;
    if (now() >= job.deadline) return this.#end(job, { kind: 'timed-out', reason: '', trouble });
    const troubles = (job.troubles ?? 0) + 1;
    const since = job.waitingSince ?? job.acceptedAt;
    const isProcessing = job.waitingSince !== undefined;
    const status: Waiting = { kind: 'waiting', since, reason: '', isProcessing, trouble };
    const waiting = await this.#show({ ...job, troubles }, status);
    const at = dueAfter(trouble, troubles, timing.intervalMs, now());
    return { done: false, job: waiting, at: Math.min(at, job.deadline) };
  }

  /** Shows progress if it differs from what the message says already. */
  async #show(job: Job, status: Waiting): Promise<Job> {
    const shown = keyOf(status, status.units);
    if (job.shown === shown) return job;
    const { destination, isShown, isOver } = await this.#deliver(job, status);
    const next = { ...job, destination, ...(isShown ? { shown } : {}), ...(isOver ? { isOver } : {}) };
    await this.#save(next);
    return next;
  }

  async #end(job: Job, status: LookupStatus): Promise<Step> {
    const permitted = await this.#unlessWithheld(job, status);
    try {
      await this.#deliver(job, permitted);
    } catch (error) {
      if (!(error instanceof CompositionFailed)) throw error;
      if (permitted.kind !== 'broken') return this.#end(job, this.#broken(error, job));
      // A retry would only repeat the bug.
      this.#options.onBug(error, permitted.reference, job);
    }
    this.#options.onEnd(permitted, job);
    return { done: true };
  }

  /** The asker may lose access during a wait, so it is checked again before a result is shown. */
  async #unlessWithheld(job: Job, status: LookupStatus): Promise<LookupStatus> {
    if (status.kind !== 'ready') return status;
    return (await this.#options.delivery.mayStillSee(job)) ? status : { kind: 'withheld' };
  }

  async #deliver(job: Job, status: LookupStatus) {
    await this.#options.precedence.turn();
    return this.#options.delivery.deliver(job, status, (destination) =>
      this.#save({ ...job, destination, mayBeShown: true }),
    );
  }
}

/** Identifies what a message says of a wait: another one is news. */
function keyOf({ isProcessing, trouble, reason }: Waiting, units: readonly UnitState[] = []): string {
  const each = units.map((unit) => {
    const { kind, isProcessing: isOne, trouble: why, reason: said } = { ...NOTHING, ...unit };
    return `${kind}:${isOne}:${why}:${said}`;
  });
  return [`${isProcessing ? 'processing' : ''}:${trouble?.code ?? ''}:${reason}`, ...each].join('\n');
}
const NOTHING = { isProcessing: false, trouble: '', reason: '' };
