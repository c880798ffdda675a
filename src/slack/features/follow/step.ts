import { isFault } from '../../../core/faults.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import type { Follow, Known, Processor, Step } from '../../../lookups/queue.ts';
import type { Message } from '../../blocks/blocks.ts';
import { inSight, type Where } from '../../delivery/own-messages.ts';
import { isRefusedHere } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import { areNews, changesSince, haveCritical, knownOf } from './changes.ts';
import type { Follows } from './follows.ts';
import { dueMessage, type Ending, endedMessage, newerMessage, newsMessage } from './messages.ts';

const DONE = { done: true } as const;
/** What finds no room is tried again within this part of a day, at random. */
const BUSY_FOR = 1 / 48;

/** The person has stopped it, or follows anew, while the word was made. */
class Stopped extends Error {}

/** What a step works with; `save` stores what must survive the death of the process. */
type Parts = FeatureParts & {
  readonly follows: Follows;
  readonly save: (follow: Follow) => Promise<void>;
};

/** The steps of a follow: a daily reading, or one word when its time or its snapshot has come. */
export function followSteps(parts: FeatureParts, follows: Follows): Processor<Follow> {
  return (follow, { save }) => takeStep(follow, { ...parts, follows, save });
}

/** Throws `storage-failed`, `Stopping`, and what Slack's client throws: then the step is taken again. */
async function takeStep(given: Follow, parts: Parts): Promise<Step<Follow>> {
  const { now, follows } = parts;
  const newer = await follows.newerOf(given);
  // A job can be handed out before it is due.
  if (newer === undefined && now() < given.at) return { done: false, job: given, at: given.at };
  if (!(await follows.isOpen(given))) return DONE;
  const follow = await settled(given, parts);
  if (follow === undefined) return DONE;
  if (newer !== undefined) return lastWord(follow, newerMessage(follow, newer), 'told', parts);
  if (follows.isTimed(follow)) return lastWord(follow, dueMessage(follow), 'told', parts);
  if (now() >= follows.untilOf(follow)) return ending(follow, 'over', parts);
  return dailyStep(follow, parts);
}

/** Reads the analysis, and tells what changed. What the service does not answer is asked for the next day. */
async function dailyStep(follow: Follow, parts: Parts): Promise<Step<Follow>> {
  try {
    return await readDaily(follow, parts);
  } catch (err) {
    if (isFault(err, 'snapshot-not-found')) return ending(follow, 'deleted', parts);
    if (!isFault(err) || err.code === 'storage-failed') throw err;
    parts.logger.warn({ err, snapshot: follow.question.snapshotId }, 'the day of a followed snapshot failed');
    return nextDay(follow, 'unanswered', parts);
  }
}

async function readDaily(follow: Follow, parts: Parts): Promise<Step<Follow>> {
  const { now, dayMs, backgroundReads, devices, follows } = parts;
  const { question, at } = follow;
  const answer = await backgroundReads.look(question, at);
  if (answer === undefined)
    return { done: false, job: follow, at: now() + Math.ceil(Math.random() * BUSY_FOR * dayMs) };
  if (answer.kind === 'processing') return nextDay(follow, 'unanswered', parts);
  const accepted = await devices.acceptedFor(question, answer);
  const changes = changesSince(follow.known, answer.result, accepted);
  const known = knownOf(answer);
  if (changes === undefined) return nextDay({ ...follow, ...(known.hits && { known }) }, 'quiet', parts);
  if (!areNews(changes, follow.kind)) return nextDay(follow, 'quiet', parts);
  const outcome = await say(follow, newsMessage(follow, changes), parts, known, haveCritical(changes));
  if (outcome === 'told') return nextDay({ ...follow, known }, outcome, parts);
  return follows.end(follow, outcome).then(() => DONE);
}

function nextDay(follow: Follow, outcome: string, { now, dayMs, follows }: Parts): Step<Follow> {
  follows.note(outcome, follow);
  const at = dueAfter(now(), follow.question.snapshotId, dayMs);
  return { done: false, job: { ...follow, at }, at };
}

/** A follow whose last word is settled: what its person knows if that arrived; undefined if it was the end. */
async function settled(follow: Follow, { poster, follows }: Parts): Promise<Follow | undefined> {
  const { unconfirmed, ...rest } = follow;
  if (unconfirmed === undefined) return follow;
  const { where, known, at } = unconfirmed;
  if ((await poster.find(where, wordOf(follow), at, 'final')) === undefined) return rest;
  if (known !== undefined) return { ...rest, known };
  await follows.end(follow, 'told');
  return undefined;
}

function ending(follow: Follow, why: Ending, parts: Parts): Promise<Step<Follow>> {
  return lastWord(follow, endedMessage(follow, why), why, parts);
}

async function lastWord(follow: Follow, message: Message, what: string, parts: Parts): Promise<Step<Follow>> {
  const outcome = await say(follow, message, parts);
  await parts.follows.end(follow, outcome === 'told' ? what : outcome);
  return DONE;
}

/**
 * Says a word in the thread, or directly where Slack refuses that or the result is private. A person who lost access
 * learns that directly, if that is allowed. `known`: what the person knows then, unless it is the last word;
 * `isInSight`: whether an old thread is not enough for it.
 */
async function say(
  follow: Follow,
  message: Message,
  parts: Parts,
  known?: Known,
  isInSight = false,
): Promise<'told' | 'no-access' | 'undeliverable'> {
  const { access, now } = parts;
  const { user, origin } = follow;
  const places = placesOf(follow).map((where) => (isInSight ? inSight(where, now()) : where));
  if (await access.mayStillSee(user, origin.channel)) {
    const isTold = await postAt(places, message, follow, parts, known);
    return isTold ? 'told' : 'undeliverable';
  }
  if (await access.mayStillSee(user, user))
    await postAt([{ channel: user }], endedMessage(follow, 'no-access'), follow, parts);
  return 'no-access';
}

function placesOf({ user, origin: { channel, messageTs, threadTs = messageTs } }: Follow): Where[] {
  const direct = { channel: user };
  return messageTs === undefined || threadTs === undefined ? [direct] : [{ channel, threadTs }, direct];
}

/** Posts it at the first of these places that Slack takes it at; false if it takes it at none. */
async function postAt(
  places: readonly Where[],
  message: Message,
  follow: Follow,
  { poster, follows, now, save, logger }: Parts,
  known?: Known,
): Promise<boolean> {
  for (const where of places) {
    const saving = async () => {
      if (!(await follows.isOpen(follow))) throw new Stopped();
      await save({ ...follow, unconfirmed: { at: now(), where, ...(known && { known }) } });
    };
    try {
      const posted = await poster.post(where, message, 'final', { id: wordOf(follow), confirm: saving });
      if (!posted.isOutsideThread) return true;
      // Slack posts what answers a removed message in the channel itself.
      await poster.remove(posted);
    } catch (err) {
      if (err instanceof Stopped) return false;
      if (!isRefusedHere(err)) throw err;
      logger.warn(
        { err, snapshot: follow.question.snapshotId },
        'a word to somebody who follows was refused',
      );
    }
  }
  return false;
}

/** What finds a word again: another one for each time since when it tells. */
function wordOf({ id, known }: Follow): string {
  return `${id}:${known.at}`;
}
