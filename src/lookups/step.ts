import type { Precedence } from '../core/event-loop.ts';
import { inOrder, type Question, type ResponseUrl } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { inTime, LATE } from '../core/time.ts';
import type { Devices } from './devices.ts';
import {
  type Answers,
  answersOf,
  CompositionFailed,
  type Delivery,
  type LookupStatus,
  type Waiting,
} from './lookup-status.ts';
import type { Job, Step, Try } from './queue.ts';
import {
  awaiting,
  broken,
  dueAt,
  type FoundUnit,
  findUnits,
  isSettled,
  newsOf,
  type UnitParts,
  unansweredOf,
  unitsOf,
  waitingOf,
  withResults,
} from './units.ts';

/** A request to cancel a lookup; `response` replaces the private message whose “Cancel” was pressed. */
export type Cancellation = { readonly response?: ResponseUrl };

export type StepOptions = UnitParts & {
  readonly delivery: Delivery;
  readonly devices: Pick<Devices, 'of'>;
  /** By lookup. */
  readonly cancellations: Namespace<Cancellation>;
  readonly timing: { readonly progressAfterMs: number };
  /** Acknowledgements go first: steps wait here before each piece of work that keeps the processor busy. */
  readonly precedence: Precedence;
  readonly onEnd: (status: LookupStatus, job: Job) => void;
};

/** A lookup whose step ends the process again and again would keep the bot from ever starting. */
const MOST_DEATHS = 4;

/**
 * Takes one step of a lookup: asks for the answer, shows what is new, and says when the next step is due. A fault of the
 * service is an answer in itself. What is thrown means that a message could not be delivered, or state could not be read
 * or written: the step is retried.
 */
export class LookupStep {
  readonly #options: StepOptions;
  readonly #try: Try;

  constructor(options: StepOptions, attempt: Try) {
    this.#options = options;
    this.#try = attempt;
  }

  /** Throws if the step must be retried. */
  async take(given: Job): Promise<Step> {
    const { deaths, isRepeated } = this.#try;
    // Stays known until its message was looked for, which may be in a later step.
    const destination = { ...given.destination, mayBePosted: true as const };
    const job = isRepeated ? { ...given, destination } : given;
    if (deaths >= MOST_DEATHS)
      return this.#endBroken(job, new Error(`the process died ${deaths} times in one step of this lookup`));
    await this.#options.precedence.turn();
    return this.#look(job);
  }

  async #look(job: Job): Promise<Step> {
    let waiting = job;
    try {
      const looking = findUnits(job, this.#options);
      if ((await inTime(this.#options.timing.progressAfterMs, looking)) === LATE) {
        const cancelled = await this.#endIfCancelled(job);
        if (cancelled !== undefined) return cancelled;
        waiting = await this.#showThatItLooks(job);
      }
      return await this.#follow(waiting, await looking);
    } catch (error) {
      if (error instanceof CompositionFailed) return this.#endBroken(waiting, error);
      throw error;
    }
  }

  /** Ends when there is nothing to wait for any more; until then the message changes when there is news of a unit. */
  async #follow(job: Job, asked: readonly FoundUnit[]): Promise<Step> {
    const isLate = this.#options.now() >= job.deadline;
    // A result is shown even if the lookup was cancelled while it arrived.
    if (!isLate && !isSettled(asked, job)) {
      const cancelled = await this.#endIfCancelled(job);
      if (cancelled !== undefined) return cancelled;
      if (job.shown === newsOf(job, asked)) return putOff(awaiting(job, asked), asked);
    }
    const found = await withResults(asked, job, this.#options);
    const answers = answersOf(job, unitsOf(found));
    // The asker may have lost access during the wait.
    if (answers !== undefined && !(await this.#options.delivery.mayStillSee(job)))
      return this.#end(job, { kind: 'withheld' });
    if (!isLate && !isSettled(found, job)) {
      const next = awaiting(job, found);
      // The end of the step stores where it is shown.
      return putOff(await this.#show(next, waitingOf(next, found), newsOf(next, found)), found);
    }
    if (answers === undefined) return this.#end(job, unansweredOf(job, found));
    return job.againstLast
      ? this.#compareWithLast(job, answers)
      : this.#end(job, { ...answers, kind: 'ready' });
  }

  /** The device's last result is known only now: the lookup goes on as a comparison with it, if there is one. */
  async #compareWithLast(job: Job, answers: Answers): Promise<Step> {
    const { lastRead: last } = await this.#options.devices.of(job.question, answers);
    if (last === undefined) return this.#end(job, { ...answers, kind: 'ready', hasNoLast: true });
    const { againstLast: _known, ...rest } = job;
    const other: Question = { ...last.question, set: job.question.set };
    return { done: false, job: { ...rest, ...inOrder(other, job.question) }, at: this.#options.now() };
  }

  async #endIfCancelled(job: Job): Promise<Step | undefined> {
    // In the first try of the first step there is no “Cancel” to press yet.
    if (job.units === undefined && job.shown === undefined && !this.#try.isRepeated) return undefined;
    const cancellation = await this.#options.cancellations.get(job.id);
    if (cancellation === undefined) return undefined;
    const destination = { ...job.destination, ...cancellation };
    return this.#end({ ...job, destination }, { kind: 'cancelled' });
  }

  /** Says that the snapshot is looked up, unless a message of the lookup is there; a quick answer stays the only message. */
  async #showThatItLooks(job: Job): Promise<Job> {
    if (job.shown !== undefined) return job;
    const status = { kind: 'waiting', since: job.acceptedAt, reason: '', isProcessing: false } as const;
    const shown = await this.#show(job, status, '');
    await this.#try.save(shown);
    return shown;
  }

  async #show(job: Job, status: Waiting, news: string): Promise<Job> {
    const { destination, isShown } = await this.#deliver(job, status);
    return { ...job, destination, ...(isShown && { shown: news }) };
  }

  async #end(job: Job, status: LookupStatus): Promise<Step> {
    const { onBug, onEnd } = this.#options;
    try {
      await this.#deliver(job, status);
    } catch (error) {
      if (!(error instanceof CompositionFailed)) throw error;
      if (status.kind !== 'broken') return this.#endBroken(job, error);
      // A retry would only repeat the bug.
      onBug(error, status.reference, job);
    }
    onEnd(status, job);
    return { done: true };
  }

  #endBroken(job: Job, error: unknown): Promise<Step> {
    return this.#end(job, broken(error, job, this.#options));
  }

  async #deliver(job: Job, status: LookupStatus) {
    const { save, confirm, isRepeated } = this.#try;
    await this.#options.precedence.turn();
    return this.#options.delivery.deliver(job, status, {
      save: (destination) => save({ ...job, destination }),
      confirm,
      isRepeated,
    });
  }
}

/** The next step follows when a unit may be asked for again. */
function putOff(job: Job, found: readonly FoundUnit[]): Step {
  return { done: false, job, at: dueAt(job, found) };
}
