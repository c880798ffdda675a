import { type Acceptance, acceptanceOf } from '../../../core/accepting.ts';
import { type Comparison, compareHits, type Named } from '../../../core/comparing.ts';
import { sideOf } from '../../../core/counting.ts';
import { isFault, SnapshotNotFound, StorageFailed } from '../../../core/faults.ts';
import { levelOf } from '../../../core/importance.ts';
import type { SnapshotId } from '../../../core/snapshot-id.ts';
import { CompositionFailed, composing, type Read } from '../../../lookups/lookup-status.ts';
import type { Step } from '../../../lookups/queue.ts';
import type { WatchJob } from '../../../lookups/watch.ts';
import { isOfSlack, isRefused, isRefusedHere } from '../../delivery/slack-errors.ts';
import type { Accepting, FeatureParts } from '../../front/context.ts';
import { newsMessage, watchEndedMessage } from './messages.ts';
import { type Base, baseOf, isSame, type Watch, type Why } from './watched.ts';
import type { Watches } from './watches.ts';

const DONE = { done: true } as const;
/** The second try of a day comes after this part of it. */
const AGAIN_AFTER = 1 / 24;
/** What finds no room is tried again within this part of a day, at random. */
const BUSY_FOR = 1 / 48;
/** The least important rank of hits that are worth a word to everybody: critical and high. */
const GRAVE_RANK = 1;

/** Slack does not say now whether somebody may see a result. */
class Unsure extends Error {}

/**
 * The daily reading of a watched snapshot. What people at a message know is stored once its word has arrived, so that a
 * word that failed, or whose process died, is told by the next reading, once.
 */
export class DailyReading {
  readonly #parts: FeatureParts;
  readonly #watches: Watches;
  readonly #accepting: Accepting;

  constructor(parts: FeatureParts, watches: Watches, accepting: Accepting) {
    this.#parts = parts;
    this.#accepting = accepting;
    this.#watches = watches;
  }

  /** Takes one step of the reading. Throws `StorageFailed` and `Stopping`: then it is taken again. */
  async step(job: WatchJob): Promise<Step<WatchJob>> {
    const { now, dayMs, backgroundReads, logger } = this.#parts;
    const { snapshotId } = job.question;
    // Its first step may come before what it reads for is stored.
    if (now() < job.at) return { done: false, job, at: job.at };
    if ((await this.#watches.get(snapshotId))?.job !== job.id) return DONE;
    const watches = await this.#watches.openOf(snapshotId);
    const over = watches.filter(({ until }) => until <= now());
    await this.#end(over, 'over', snapshotId);
    if (over.length === watches.length) return this.#untilTomorrow(job);
    try {
      const answer = await backgroundReads.look(job.question, job.at);
      if (answer === undefined)
        return { done: false, job, at: now() + Math.ceil(Math.random() * BUSY_FOR * dayMs) };
      if (answer.kind === 'processing') return await this.#tryAgain(job);
      const isTold = await this.#tell(job, answer);
      this.#note(isTold ? 'told' : 'quiet', snapshotId);
    } catch (err) {
      if (!isPassing(err)) throw err;
      if (!(err instanceof SnapshotNotFound)) {
        logger.warn({ err, snapshot: snapshotId }, 'a watched snapshot had no answer');
        return this.#tryAgain(job);
      }
      await this.#end(await this.#watches.openOf(snapshotId), 'deleted', snapshotId);
    }
    return this.#untilTomorrow(job);
  }

  /** After an hour once more; then the day is given up. */
  async #tryAgain(job: WatchJob): Promise<Step<WatchJob>> {
    const { now, dayMs } = this.#parts;
    if (job.again === undefined) {
      const at = now() + dayMs * AGAIN_AFTER;
      return { done: false, job: { ...job, at, again: true }, at };
    }
    this.#note('unanswered', job.question.snapshotId);
    return this.#untilTomorrow(job);
  }

  async #untilTomorrow({ again: _over, ...job }: WatchJob): Promise<Step<WatchJob>> {
    const { snapshotId } = job.question;
    await this.#tellEndings(job.id, snapshotId);
    if ((await this.#watches.get(snapshotId))?.job !== job.id) return DONE;
    const at = this.#watches.slotAfter(this.#parts.now(), snapshotId);
    return { done: false, job: { ...job, at }, at };
  }

  /** Tells each message what is new there. Gives whether there was anything. */
  async #tell(job: WatchJob, read: Read): Promise<boolean> {
    const open = await this.#watches.openOf(job.question.snapshotId);
    const present = baseOf(read);
    // Of a document that does not list all its hits nobody knows what is cleared.
    if (present.hits === undefined) return false;
    let isTold = false;
    for (const [first, ...others] of byMessage(open))
      if (first !== undefined)
        isTold = (await this.#tellAt([first, ...others], present, job, read)) || isTold;
    return isTold;
  }

  /** Tells those at one message. */
  async #tellAt(
    here: readonly [Watch, ...Watch[]],
    present: Base,
    { id: job, question: { snapshotId } }: WatchJob,
    read: Read,
  ): Promise<boolean> {
    const { poster, now } = this.#parts;
    const where = whereOf(here[0]);
    const put = (progress: Pick<Watch, 'base' | 'unconfirmed'>) =>
      this.#watches.change(
        snapshotId,
        (each) => isIn(here, each),
        (each) => ({ ...each, ...progress }),
      );
    const known = await this.#known(here[0], job);
    const hits: readonly Named[] = sideOf(read.result, 'hit');
    const { inForce, over } = await this.#accepting.of(read);
    const found = known.hits && withoutAccepted(compareHits(known.hits, hits), inForce);
    const users = found && (await this.#whom(here, found, snapshotId));
    if (found === undefined || users?.length === 0) {
      const base = found === undefined ? present : known;
      if (base !== here[0].base) await put({ base, unconfirmed: undefined });
      return false;
    }
    const message = composing(() =>
      newsMessage({ snapshotId, users: users ?? [], found, over, since: known.at, read }),
    );
    const save = async () => void (await put({ base: known, unconfirmed: { at: now(), base: present } }));
    const id = wordOf(job, here[0], known);
    const posted = await poster.post(where, message, 'final', { id, save }).catch((error: unknown) => {
      if (!isRefusedHere(error)) throw error;
    });
    // Slack posts what answers a deleted message in the channel itself.
    if (posted?.isOutsideThread) await poster.remove(posted);
    if (posted === undefined || posted.isOutsideThread) {
      await this.#end(here, 'no-place', snapshotId);
      return false;
    }
    await put({ base: present, unconfirmed: undefined });
    return true;
  }

  /** What people at a message know: a word whose confirmation was lost is looked for. */
  async #known(watch: Watch, job: string): Promise<Base> {
    const { base, unconfirmed } = watch;
    if (unconfirmed === undefined) return base;
    const found = await this.#parts.poster.find(
      whereOf(watch),
      wordOf(job, watch, base),
      unconfirmed,
      'final',
    );
    return found === undefined ? base : unconfirmed.base;
  }

  /** Those to whom the news are worth a word and who may still see them; for the others the watch ends. */
  async #whom(here: readonly Watch[], found: Comparison<Named>, snapshotId: SnapshotId): Promise<string[]> {
    const changes = [...found.new, ...found.cleared, ...found.changed];
    const isGrave = changes.some(({ hit, was }) =>
      [hit, was ?? hit].some((each) => levelOf(each).rank <= GRAVE_RANK),
    );
    const users: string[] = [];
    for (const watch of changes.length === 0 ? [] : here) {
      if (watch.worth === 'grave' && !isGrave) continue;
      if (await this.#mayStillSee(watch.user, watch.channel)) users.push(watch.user);
      else await this.#end([watch], 'no-access', snapshotId);
    }
    return users;
  }

  async #mayStillSee(user: string, channel: string): Promise<boolean> {
    return this.#parts.access.mayStillSee(user, channel).catch((cause: unknown) => {
      throw new Unsure('nobody knows who may see the result', { cause });
    });
  }

  /** Ends watches; their people are told after that. */
  async #end(ended: readonly Watch[], why: Why, snapshotId: SnapshotId): Promise<void> {
    if (ended.length === 0) return;
    await this.#watches.change(
      snapshotId,
      (each) => isIn(ended, each),
      ({ unconfirmed: _over, base: { at }, ...rest }) => ({ ...rest, base: { at }, ended: why }),
    );
    for (const watch of ended) this.#note('ended', snapshotId, { ...watch, ended: why });
    for (const [first] of byMessage(ended)) if (first) await this.#watches.redraw(first, snapshotId);
  }

  /** Tells those whose watch ended. Who can't be told now is told another day. */
  async #tellEndings(job: string, snapshotId: SnapshotId): Promise<void> {
    for (const watch of (await this.#watches.get(snapshotId))?.watches ?? []) {
      if (watch.ended === undefined) continue;
      try {
        await this.#tellEnding(watch, watch.ended, job, snapshotId);
      } catch (err) {
        if (!isPassing(err)) throw err;
        this.#parts.logger.warn({ err, snapshot: snapshotId }, 'the end of a watch could not be told yet');
        continue;
      }
      // Who watches it again by now keeps that.
      if ((await this.#watches.find(watch.user, snapshotId)) === undefined)
        await this.#watches.remove(watch.user, snapshotId);
    }
  }

  async #tellEnding(watch: Watch, why: Why, job: string, snapshotId: SnapshotId): Promise<void> {
    const { poster, now, logger } = this.#parts;
    const { user, channel, unconfirmed } = watch;
    // Who may not use the bot any more learns nothing from it.
    if (!(await this.#mayStillSee(user, user))) return;
    const save = async () => {
      const tried = { at: now(), base: watch.base };
      await this.#watches.change(
        snapshotId,
        (each) => each.user === user && each.ended !== undefined,
        (each) => ({ ...each, unconfirmed: tried }),
      );
    };
    const findable = { id: `${job}:end:${user}`, save, unconfirmed };
    const compose = () => composing(() => watchEndedMessage(snapshotId, why, channel));
    await poster.postOnce({ channel: user }, compose, findable).catch((err: unknown) => {
      if (!isRefused(err)) throw err;
      logger.warn({ err, snapshot: snapshotId }, 'the end of a watch could not be told');
    });
  }

  #note(outcome: string, snapshot: SnapshotId, watch?: Watch): void {
    const { logger, audit, countWatch } = this.#parts;
    const why = watch?.ended;
    countWatch(outcome);
    logger.info({ snapshot, outcome, why }, 'watch');
    const who = watch && { user: watch.user, channel: watch.channel };
    // Most days are quiet.
    if (outcome !== 'quiet' && outcome !== 'unanswered')
      audit({ event: 'watch', snapshot, outcome: why ?? outcome, ...who });
  }
}

/** Whether another try may go well, later: the service or Slack fails now. A bug in a message would only be repeated. */
function isPassing(error: unknown): boolean {
  if (error instanceof StorageFailed) return false;
  return isFault(error) || isOfSlack(error) || error instanceof Unsure || error instanceof CompositionFailed;
}

function byMessage(watches: readonly Watch[]): Watch[][] {
  return [...Map.groupBy(watches, ({ channel, messageTs = '' }) => `${channel}:${messageTs}`).values()];
}

/** Whether it is one of these, and still the same: not one that ended, or began anew at another message. */
function isIn(some: readonly Watch[], { user, ended, ...watch }: Watch): boolean {
  return ended === undefined && some.some((each) => each.user === user && isSame(each, watch));
}

function whereOf({ channel, messageTs, threadTs = messageTs }: Watch) {
  return threadTs === undefined ? { channel } : { channel, threadTs };
}

/** What finds a word again: another one for each message, and for each time since when it tells. */
function wordOf(job: string, { channel, messageTs = '' }: Watch, { at }: Base): string {
  return `${job}:${channel}:${messageTs}:${at}`;
}

/** What was accepted for the device is no news of it. */
function withoutAccepted(found: Comparison<Named>, accepted: readonly Acceptance[]): Comparison<Named> {
  const news = (change: keyof Comparison<Named>) =>
    found[change].filter(({ hit }) => acceptanceOf(hit, accepted) === undefined);
  return { ...found, new: news('new'), changed: news('changed'), cleared: news('cleared') };
}
