import { isBug } from '../core/errors.ts';
import type { Precedence } from '../core/event-loop.ts';
import { type Destination, inOrder, type Lookup, type Question, type ResponseUrl } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { inTime, LATE } from '../core/time.ts';
import type { Devices } from './devices.ts';
import { type Answers, answersOf, type LookupStatus, type Waiting } from './lookup-status.ts';
import type { Job, Step, Try } from './queue.ts';
import * as units from './units.ts';

/** A request to cancel a lookup; `response` replaces the private message whose “Cancel” was pressed. */
export type Cancellation = { readonly response?: ResponseUrl };

/**
 * Where a status is shown, and whether it is: progress may be skipped while Slack limits the bot, and a final status is
 * not shown if no way of delivery is left.
 */
export type Delivered = {
  readonly destination: Destination;
  readonly isShown: boolean;
};

/** How a status is delivered in a try of a step. */
export type Attempt = Pick<Try, 'confirm' | 'isRepeated'> & {
  /** Stores where the status is shown, if nothing else can tell that later. Throws as `confirm`. */
  readonly save: (destination: Destination) => Promise<void>;
};

/** Shows the status of a lookup at its destination. */
export interface Delivery {
  /** Whether the asker may still see a result there. Throws if that cannot be found out now. */
  mayStillSee(lookup: Lookup): Promise<boolean>;

  /**
   * The first post makes the message that is edited later. Throws bugs, and when a final status could not be shown and
   * another try may succeed.
   */
  deliver(lookup: Lookup, status: LookupStatus, attempt: Attempt): Promise<Delivered>;
}

export type StepOptions = units.UnitParts & {
  readonly delivery: Delivery;
  readonly devices: Pick<Devices, 'of'>;
  /** By lookup. */
  readonly cancellations: Namespace<Cancellation>;
  readonly timing: { readonly progressAfterMs: number };
  /** Acknowledgements go first: steps wait here before each piece of work that keeps the processor busy. */
  readonly precedence: Precedence;
  readonly onEnd: (status: LookupStatus, job: Job) => void;
};

/** After this many deaths in one step a lookup ends: otherwise it could keep the bot from ever starting. */
const MOST_DEATHS = 4;

/**
 * One step of a lookup: asks for the answer, shows what is new, and says when the next step is due. A fault of the service
 * is an answer in itself. What is thrown means that a message could not be delivered, or state could not be read or
 * written: the step is retried.
 */
export class LookupStep {
  readonly #options: StepOptions;
  readonly #try: Try;
  #job: Job;

  constructor(options: StepOptions, attempt: Try, job: Job) {
    this.#options = options;
    this.#try = attempt;
    // The mark stays until the message was looked for, which may be in a later step.
    const destination = { ...job.destination, mayBePosted: true as const };
    this.#job = attempt.isRepeated ? { ...job, destination } : job;
  }

  /** Throws if the step must be retried. */
  async take(): Promise<Step> {
    const { deaths } = this.#try;
    if (deaths >= MOST_DEATHS)
      return this.#endBroken(new Error(`the process died ${deaths} times in one step of this lookup`));
    await this.#options.precedence.turn();
    try {
      return await this.#look();
    } catch (error) {
      // A retry would only repeat a bug.
      if (isBug(error)) return this.#endBroken(error);
      throw error;
    }
  }

  async #look(): Promise<Step> {
    const looking = units.findUnits(this.#job, this.#options);
    if ((await inTime(this.#options.timing.progressAfterMs, looking)) === LATE) {
      if (await this.#isCancelled()) return this.#end({ kind: 'cancelled' });
      await this.#showThatItLooks();
    }
    return this.#follow(await looking);
  }

  /** Ends the lookup when nothing is awaited any more; until then, updates the message when a unit has news. */
  async #follow(asked: readonly units.FoundUnit[]): Promise<Step> {
    const job = this.#job;
    const isLate = this.#options.now() >= job.deadline;
    // A result is shown even if the lookup was cancelled while it came.
    if (!isLate && !units.isSettled(asked, job)) {
      if (await this.#isCancelled()) return this.#end({ kind: 'cancelled' });
      if (job.shown === units.newsOf(job, asked)) return this.#putOff(asked);
    }
    const found = await units.withResults(asked, job, this.#options);
    const answers = answersOf(job, units.unitsOf(found));
    // The asker may have lost access during the wait.
    if (answers !== undefined && !(await this.#options.delivery.mayStillSee(job)))
      return this.#end({ kind: 'withheld' });
    if (!isLate && !units.isSettled(found, job)) {
      this.#job = units.awaiting(job, found);
      await this.#show(units.waitingOf(this.#job, found), units.newsOf(job, found));
      // The end of the step stores the destination.
      return this.#putOff(found);
    }
    if (answers === undefined) return this.#end(units.unansweredOf(job, found));
    return job.againstLast ? this.#compareWithLast(answers) : this.#end({ ...answers, kind: 'ready' });
  }

  /** The next step follows when a unit may be asked for again. */
  #putOff(found: readonly units.FoundUnit[]): Step {
    return { done: false, job: units.awaiting(this.#job, found), at: units.dueAt(this.#job, found) };
  }

  /** The device's last result is known only now: the lookup goes on as a comparison with it, if there is one. */
  async #compareWithLast(answers: Answers): Promise<Step> {
    const { againstLast: _known, ...job } = this.#job;
    const { lastRead: last } = await this.#options.devices.of(job.question, answers);
    if (last === undefined) return this.#end({ ...answers, kind: 'ready', hasNoLast: true });
    const other: Question = { ...last.question, set: job.question.set };
    return { done: false, job: { ...job, ...inOrder(other, job.question) }, at: this.#options.now() };
  }

  /** Whether the lookup was cancelled. The private message whose “Cancel” was pressed becomes the one to replace. */
  async #isCancelled(): Promise<boolean> {
    const { id, shown, destination } = this.#job;
    // In the first try of the first step there is no “Cancel” to press yet.
    if (this.#job.units === undefined && shown === undefined && !this.#try.isRepeated) return false;
    const cancellation = await this.#options.cancellations.get(id);
    this.#job = { ...this.#job, destination: { ...destination, ...cancellation } };
    return cancellation !== undefined;
  }

  /** Says that the snapshot is looked up, unless a message of the lookup is there; a quick answer stays the only message. */
  async #showThatItLooks(): Promise<void> {
    const { shown, acceptedAt: since } = this.#job;
    if (shown !== undefined) return;
    await this.#show({ kind: 'waiting', since, reason: '', isProcessing: false }, '');
    await this.#try.save(this.#job);
  }

  async #show(status: Waiting, news: string): Promise<void> {
    const { destination, isShown } = await this.#deliver(status);
    this.#job = { ...this.#job, destination, ...(isShown && { shown: news }) };
  }

  #endBroken(error: unknown): Promise<Step> {
    return this.#end(units.broken(error, this.#job, this.#options));
  }

  async #end(status: LookupStatus): Promise<Step> {
    const { onBug, onEnd } = this.#options;
    try {
      await this.#deliver(status);
    } catch (error) {
      if (!isBug(error)) throw error;
      if (status.kind !== 'broken') return this.#endBroken(error);
      onBug(error, status.reference, this.#job);
    }
    onEnd(status, this.#job);
    return { done: true };
  }

  async #deliver(status: LookupStatus): Promise<Delivered> {
    const job = this.#job;
    const { save, confirm, isRepeated } = this.#try;
    await this.#options.precedence.turn();
    const saveAt = (destination: Destination) => save({ ...job, destination });
    return this.#options.delivery.deliver(job, status, { save: saveAt, confirm, isRepeated });
  }
}
