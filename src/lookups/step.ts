import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fault, isFault, LoginRefused, RateLimited, StorageFailed } from '../core/faults.ts';
import type { Lookup, Question } from '../core/lookup.ts';
import type { Delivery, News, Read, Waiting } from './news.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, Step } from './queue.ts';
import { StepInterrupted, Unanswered } from './step-errors.ts';

/** Milliseconds. */
type StepTiming = {
  /** How long an answer may take before the message says that it is awaited. */
  readonly patienceMs: number;
  /** How long after a first fault in a wait to ask again; it doubles with each further one. */
  readonly intervalMs: number;
};

export type StepOptions<Place> = {
  readonly polls: Polls;
  readonly delivery: Delivery<Place>;
  readonly isCancelled: (id: string) => Promise<boolean>;
  readonly timing: StepTiming;
  readonly now: () => number;
  /** Hears of what is no fault but a bug, with the reference that the user was given. */
  readonly onBug: (error: unknown, reference: string) => void;
  readonly onEnd: (news: News, lookup: Lookup<Place>) => void;
};

type Save<Place> = (job: Job<Place>) => Promise<void>;

const LONGEST_PAUSE_MS = 60_000;

/** One step in the life of a lookup: look, show what is new, and say that it is done or when to come back. */
export class LookupStep<Place> {
  readonly #options: StepOptions<Place>;
  readonly #save: Save<Place>;

  constructor(options: StepOptions<Place>, save: Save<Place>) {
    this.#options = options;
    this.#save = save;
  }

  /** Throws `StepInterrupted` when the step has to be done again. */
  async take(job: Job<Place>): Promise<Step<Place>> {
    if (await interruptible(() => this.#options.isCancelled(job.id))) {
      return this.#end(job, { kind: 'cancelled' });
    }
    const looking = this.#lookAtAll(job);
    // It is awaited below; until then a failure of it must not count as unhandled.
    looking.catch(() => {});
    const waiting = await this.#showIfSlow(job, looking);
    try {
      const answer = await looking;
      return answer.kind === 'ready' ? await this.#end(waiting, answer) : await this.#goOn(waiting, answer);
    } catch (error) {
      if (error instanceof StepInterrupted) throw error;
      return this.#fail(waiting, error);
    }
  }

  async #lookAtAll(job: Job<Place>): Promise<(News & { kind: 'ready' }) | Processing> {
    const { polls } = this.#options;
    const look = (question: Question) =>
      polls.look(question, job.acceptedAt).catch((error: unknown) => {
        throw isFault(error) ? new Unanswered(question, error) : error;
      });
    const [answer, before] = await Promise.all([
      look(job.question),
      job.before === undefined ? undefined : look(job.before),
    ]);
    if (answer.kind === 'processing') return before?.kind === 'processing' ? both(answer, before) : answer;
    if (before?.kind === 'processing') return before;
    return { ...read(answer), kind: 'ready', ...(before === undefined ? {} : { before: read(before) }) };
  }

  /** Whoever waits longer than a moment is told so; a quick answer stays one message. */
  async #showIfSlow(job: Job<Place>, looking: Promise<unknown>): Promise<Job<Place>> {
    if (job.shown !== undefined) return job;
    const answered = new AbortController();
    const slow = delay(this.#options.timing.patienceMs, true, { signal: answered.signal }).catch(() => false);
    const quick = looking.then(
      () => false,
      () => false,
    );
    const isSlow = await Promise.race([slow, quick]);
    answered.abort();
    return isSlow
      ? this.#show(job, { kind: 'waiting', since: job.acceptedAt, reason: '', isProcessing: true })
      : job;
  }

  async #goOn(job: Job<Place>, { reason, since, lookAgainAt }: Processing): Promise<Step<Place>> {
    if (this.#options.now() >= job.deadline) return this.#end(job, { kind: 'timed-out', reason });
    const { troubles: _over, ...untroubled } = job;
    const waiting = await this.#show(
      { ...untroubled, waitingSince: since },
      { kind: 'waiting', since, reason, isProcessing: true },
    );
    return { done: false, job: waiting, at: Math.min(lookAgainAt, job.deadline) };
  }

  /** A fault that may pass is waited out, as a snapshot that is not ready is; every other one is the answer. */
  async #fail(job: Job<Place>, error: unknown): Promise<Step<Place>> {
    if (!(error instanceof Unanswered)) {
      const reference = randomUUID().slice(0, 8);
      this.#options.onBug(error, reference);
      return this.#end(job, { kind: 'broken', reference });
    }
    // What the bot itself can't read or write says nothing about the snapshot: the step is done again.
    const { fault, question } = error;
    if (fault instanceof StorageFailed) throw new StepInterrupted(fault);
    const isWorthWaiting = fault.isTransient || (isLoginFault(fault) && job.waitingSince !== undefined);
    return isWorthWaiting ? this.#waitOut(job, fault) : this.#end(job, { kind: 'failed', fault, question });
  }

  async #waitOut(job: Job<Place>, trouble: Fault): Promise<Step<Place>> {
    const { now, timing } = this.#options;
    if (now() >= job.deadline) return this.#end(job, { kind: 'timed-out', reason: '', trouble });
    const troubles = (job.troubles ?? 0) + 1;
    const since = job.waitingSince ?? job.acceptedAt;
    const isProcessing = job.waitingSince !== undefined;
    const news: Waiting = { kind: 'waiting', since, reason: '', isProcessing, trouble };
    const waiting = await this.#show({ ...job, troubles }, news);
    const pauseMs = Math.min(timing.intervalMs * 2 ** (troubles - 1), LONGEST_PAUSE_MS);
    const at = Math.max(now() + pauseMs, notBefore(trouble));
    return { done: false, job: waiting, at: Math.min(at, job.deadline) };
  }

  /** Shows progress, but only when the message would say something that it does not say yet. */
  async #show(job: Job<Place>, news: Waiting): Promise<Job<Place>> {
    const shown = `${news.trouble?.code ?? ''}:${news.reason}`;
    if (job.shown === shown) return job;
    return interruptible(async () => {
      const { place, isShown } = await this.#deliver(job, news);
      const next = { ...job, place, ...(isShown ? { shown } : {}) };
      await this.#save(next);
      return next;
    });
  }

  async #end(job: Job<Place>, news: News): Promise<Step<Place>> {
    await interruptible(() => this.#deliver(job, news));
    this.#options.onEnd(news, job);
    return { done: true };
  }

  #deliver(job: Job<Place>, news: News) {
    return this.#options.delivery.deliver(job, news, (place) => this.#save({ ...job, place }));
  }
}

function read({ result, at }: Ready): Read {
  return { result, readAt: at };
}

/** Both snapshots of a comparison are awaited: the step comes back for whichever can be asked first. */
function both(one: Processing, other: Processing): Processing {
  return {
    kind: 'processing',
    reason: [...new Set([one.reason, other.reason])].filter((reason) => reason !== '').join(' '),
    since: Math.min(one.since, other.since),
    lookAgainAt: Math.min(one.lookAgainAt, other.lookAgainAt),
  };
}

/** A login that is refused in the middle of a wait does not end it: somebody may repair it in time. */
function isLoginFault({ code }: Fault): boolean {
  return code === 'login-refused' || code === 'session-refused';
}

function notBefore(fault: Fault): number {
  if (fault instanceof RateLimited) return fault.retryAt;
  return fault instanceof LoginRefused ? fault.coolDownUntil : 0;
}

async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StepInterrupted(error);
  }
}
