import { isBug } from '../core/faults.ts';
import { type Destination, inOrder, type Lookup, type Question, type ResponseUrl } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { inTime, LATE, type Precedence } from '../core/time.ts';
import type { Devices } from './devices.ts';
import { type Answers, answersOf, type LookupStatus, type Waiting } from './lookup-status.ts';
import type { Job, Step, Try } from './queue.ts';
import * as units from './units.ts';

/** A request to cancel a lookup. `response`: the URL to replace the private message whose “Cancel” was clicked. */
export type Cancellation = { readonly response?: ResponseUrl };

/** Where a status was delivered. `isShown`: false if progress was dropped, or a final status refused everywhere. */
export type Delivered = {
  readonly destination: Destination;
  readonly isShown: boolean;
};

/** The part of a step's attempt that a delivery needs. */
export type Attempt = Pick<Try, 'confirm' | 'isRepeated'> & {
  /** Stores the destination of a post that can't be found again later. Throws like `confirm`. */
  readonly save: (destination: Destination) => Promise<void>;
};

/** Shows the status of a lookup at its destination. */
export interface Delivery {
  /** Whether the asker may still see the result there. Throws if this is unknown now. */
  mayStillSee(lookup: Lookup): Promise<boolean>;

  /**
   * Shows a status: posts the first one, and edits the message for every later one. Throws bugs, and every error after
   * which a retry may still deliver a final status.
   */
  deliver(lookup: Lookup, status: LookupStatus, attempt: Attempt): Promise<Delivered>;
}

export type StepOptions = units.UnitParts & {
  readonly delivery: Delivery;
  readonly devices: Pick<Devices, 'of'>;
  /** Requests to cancel a lookup. The key is the lookup's id. */
  readonly cancellations: Namespace<Cancellation>;
  readonly timing: { readonly progressAfterMs: number };
  /** Lets acknowledgements run first: each step waits here before work that blocks the processor. */
  readonly precedence: Precedence;
  readonly onEnd: (status: LookupStatus, job: Job) => void;
};

/** A lookup ends after its step has killed the process this often; otherwise it could prevent every start. */
const MOST_DEATHS = 4;

/**
 * One step of a lookup: asks for the answer, shows what is new, and says when the next step is due. A fault of the
 * service is an answer, too. An error means that a message was not delivered, or that storage failed; the step is then
 * retried.
 */
export class LookupStep {
  readonly #options: StepOptions;
  readonly #try: Try;
  #job: Job;

  constructor(options: StepOptions, attempt: Try, job: Job) {
    this.#options = options;
    this.#try = attempt;
    // `mayBePosted` stays set until the message is found or posted, maybe in a later step.
    const destination = { ...job.destination, mayBePosted: true as const };
    this.#job = attempt.isRepeated ? { ...job, destination } : job;
  }

  /** Does the step. Throws if it must be retried. */
  async take(): Promise<Step> {
    const { deaths } = this.#try;
    if (deaths >= MOST_DEATHS)
      return this.#endBroken(new Error(`the process died ${deaths} times in one step of this lookup`));
    await this.#options.precedence.turn();
    try {
      return await this.#look();
    } catch (error) {
      // A retry would only repeat the bug.
      if (isBug(error)) return this.#endBroken(error);
      throw error;
    }
  }

  async #look(): Promise<Step> {
    const found = await this.#ask(this.#job);
    return found === undefined ? this.#end({ kind: 'cancelled' }) : this.#follow(found);
  }

  /** Asks for the open units of a job; undefined if the lookup is cancelled meanwhile. */
  async #ask(job: Job): Promise<units.FoundUnit[] | undefined> {
    const looking = units.findUnits(job, this.#options);
    // A silent service can take minutes, during which people cancel.
    while ((await inTime(this.#options.timing.progressAfterMs, looking)) === LATE) {
      if (await this.#isCancelled()) return undefined;
      // A fast lookup posts only its answer; a slow lookup first shows that it is waiting.
      if (this.#job.shown === undefined) {
        await this.#show({ kind: 'waiting', reason: '', isProcessing: false }, '');
        await this.#try.save(this.#job);
      }
    }
    return looking;
  }

  /** Ends the lookup when all units are settled; until then, updates the message if a unit has news. */
  async #follow(asked: readonly units.FoundUnit[]): Promise<Step> {
    const job = this.#job;
    const isLate = this.#options.now() >= job.deadline;
    // A result is shown even if the lookup was cancelled while it arrived.
    if (!isLate && !units.isSettled(asked, job)) {
      if (await this.#isCancelled()) return this.#end({ kind: 'cancelled' });
      if (job.shown === units.newsOf(job, asked)) return units.putOff(this.#job, asked);
    }
    const found = await units.withResults(asked, job, this.#options);
    const answers = answersOf(job, units.unitsOf(found));
    // The asker may have lost access during the wait.
    if (answers !== undefined && !(await this.#options.delivery.mayStillSee(job)))
      return this.#end({ kind: 'withheld' });
    if (!isLate && !units.isSettled(found, job)) {
      await this.#show(units.waitingOf(job, found), units.newsOf(job, found));
      // Needs no `save`, because the end of the step stores the job with its new destination.
      return units.putOff(this.#job, found);
    }
    if (answers === undefined) return this.#end(units.unansweredOf(job, found));
    return job.againstLast ? this.#compareWithLast(answers) : this.#end({ ...answers, kind: 'ready' });
  }

  /** The device is known now. If it has a previous result, the lookup continues as a comparison with that result. */
  async #compareWithLast(answers: Answers): Promise<Step> {
    const { question } = this.#job;
    const { lastRead: last } = await this.#options.devices.of(question, answers);
    if (last === undefined) return this.#end({ ...answers, kind: 'ready', hasNoLast: true });
    const other: Question = { ...last.question, set: question.set };
    const { againstLast: _known, ...job } = this.#job;
    this.#job = { ...job, ...inOrder(other, question), mayBeCached: true };
    // Stored first: if the process dies now, the next one asks neither question too soon.
    await this.#try.save(this.#job);
    const [earlier] = (await this.#ask({ ...job, question: other })) ?? [];
    // The next step reads both from the cache, and checks access and cancellation again, as some time has passed.
    const { before: _deleted, ...alone } = this.#job;
    // The service deletes old snapshots. The report says what changed since, as far as the bot keeps it.
    const isGone = earlier?.fault?.code === 'snapshot-not-found';
    return { done: false, job: isGone ? { ...alone, question } : this.#job, at: this.#options.now() };
  }

  /** Whether a user cancelled the lookup. The answer then replaces the private message whose “Cancel” was clicked. */
  async #isCancelled(): Promise<boolean> {
    const { id, shown, destination } = this.#job;
    // Before the first message there is no “Cancel” to click.
    if (this.#job.units === undefined && shown === undefined && !this.#try.isRepeated) return false;
    const cancellation = await this.#options.cancellations.get(id);
    this.#job = { ...this.#job, destination: { ...destination, ...cancellation } };
    return cancellation !== undefined;
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
