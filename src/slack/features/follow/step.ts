import { isFault } from '../../../core/faults.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import type { Follow, Known, Processor, Step } from '../../../lookups/queue.ts';
import type { Message } from '../../blocks/blocks.ts';
import { isOldThread, type Where } from '../../delivery/poster.ts';
import type { FeatureParts } from '../../front/context.ts';
import { isCritical } from '../../report/levels.ts';
import { type Follows, isTimed } from './follows.ts';
import { changesSince, dueMessage, endedMessage, knownOf, newerMessage, newsMessage } from './messages.ts';

const DONE = { done: true } as const;
/** If no read is possible now, the step is repeated at a random time within this fraction of a day. */
const BUSY_FOR = 1 / 48;

/** What a step needs. `save` stores the follow, so that it survives a crash. */
type Parts = FeatureParts & {
  readonly follows: Follows;
  readonly save: (follow: Follow) => Promise<void>;
};

/** Processes the jobs of follows: reads an analysis daily, or sends a message at a set time or for a newer snapshot. */
export function followSteps(parts: FeatureParts, follows: Follows): Processor<Follow> {
  return (follow, { save }) => takeStep(follow, { ...parts, follows, save });
}

/** Throws `storage-failed`, `Stopping` and the errors of Slack's client; the step is then retried. */
async function takeStep(given: Follow, parts: Parts): Promise<Step<Follow>> {
  const { now, follows, devices } = parts;
  const { at, device } = given;
  const newer = device === undefined ? undefined : await devices.newerThan(given.question.snapshotId, device);
  // The queue may hand out a job before its time.
  if (newer === undefined && now() < at) return { done: false, job: given, at };
  if (!(await follows.isOpen(given))) return DONE;
  const follow = await settled(given, parts);
  if (follow === undefined) return DONE;
  if (newer !== undefined) return lastWord(follow, newerMessage(follow, newer), 'told', parts);
  if (isTimed(follow)) return lastWord(follow, dueMessage(follow), 'told', parts);
  if (now() >= follow.until) return lastWord(follow, endedMessage(follow, 'over'), 'over', parts);
  try {
    return await readDaily(follow, parts);
  } catch (err) {
    return afterFault(err, follow, parts);
  }
}

async function afterFault(err: unknown, follow: Follow, parts: Parts): Promise<Step<Follow>> {
  if (!isFault(err) || err.code === 'storage-failed') throw err;
  // A refused login is not repeated for each follow, because accounts get locked.
  const later = err.code === 'login-refused' ? undefined : laterToday(follow, parts);
  if (later !== undefined) return later;
  if (err.code === 'snapshot-not-found')
    return lastWord(follow, endedMessage(follow, 'deleted'), 'deleted', parts);
  parts.logger.warn({ err, snapshot: follow.question.snapshotId }, 'the day of a followed snapshot failed');
  return nextDay(follow, 'unanswered', parts);
}

/**
 * After a crash or a missing answer of Slack, finds out whether the unconfirmed message was posted. Returns the follow
 * with the hits that the follower knows now; undefined if the message was the last one of the follow.
 */
async function settled(follow: Follow, { poster, follows }: Parts): Promise<Follow | undefined> {
  const { unconfirmed, ...rest } = follow;
  if (unconfirmed === undefined) return follow;
  const { where, known, at } = unconfirmed;
  if ((await poster.find(where, wordOf(follow), at, 'final')) === undefined) return rest;
  if (known !== undefined) return { ...rest, known };
  await follows.end(follow, 'told');
  return undefined;
}

/** Reads the analysis, and reports changes. */
async function readDaily(follow: Follow, parts: Parts): Promise<Step<Follow>> {
  const { now, dayMs, backgroundReads, devices, follows } = parts;
  const { question, at } = follow;
  const answer = await backgroundReads.look(question, at);
  if (answer === undefined)
    return { done: false, job: follow, at: now() + Math.ceil(Math.random() * BUSY_FOR * dayMs) };
  if (answer.kind === 'processing') return laterToday(follow, parts) ?? nextDay(follow, 'unanswered', parts);
  const known = knownOf(answer);
  const { accepted = [] } = await devices.complete<Answers>({ question }, answer, false);
  const changes = changesSince(follow.known, answer.result, accepted);
  if (changes === undefined) return nextDay({ ...follow, ...(known.hits && { known }) }, 'quiet', parts);
  const news = newsMessage(follow, changes, answer.result);
  if (news === undefined) return nextDay(follow, 'quiet', parts);
  const isForAll = [...changes.new, ...changes.changed].some(({ hit }) => isCritical(hit));
  const outcome = await say(follow, news, parts, { known, isForAll });
  if (outcome === 'told') return nextDay({ ...follow, known }, outcome, parts);
  await follows.end(follow, outcome);
  return DONE;
}

/** Reads again today, each time twice as late: a service can be down at one hour each night. Undefined after 8 hours. */
function laterToday(follow: Follow, { now, dayMs }: Parts): Step<Follow> | undefined {
  const lateMs = now() - follow.at;
  const at = now() + Math.max(lateMs, dayMs / 48);
  return lateMs < dayMs / 3 ? { done: false, job: follow, at } : undefined;
}

function nextDay(follow: Follow, outcome: string, { now, dayMs, follows }: Parts): Step<Follow> {
  const { snapshotId } = follow.question;
  follows.note(outcome, follow.user, { ...follow, snapshotId });
  const at = dueAfter(now(), snapshotId, dayMs);
  return { done: false, job: { ...follow, at }, at };
}

async function lastWord(follow: Follow, message: Message, what: string, parts: Parts): Promise<Step<Follow>> {
  const outcome = await say(follow, message, parts);
  await parts.follows.end(follow, outcome === 'told' ? what : outcome);
  return DONE;
}

/**
 * Posts a message in the thread; as a direct message if Slack refuses the thread or the report is ephemeral. Tells a
 * person who lost access only that the follow has ended. `known`: the hits that the message reports; absent for the
 * last message. `isForAll`: an old thread's reply is also sent to the channel.
 */
async function say(
  follow: Follow,
  message: Message,
  { access, poster, now, save, logger }: Parts,
  { known, isForAll = false }: { readonly known?: Known; readonly isForAll?: boolean } = {},
): Promise<'told' | 'no-access' | 'undeliverable'> {
  const { user, question, origin } = follow;
  const { channel, messageTs, threadTs = messageTs } = origin;
  const maySee = await access.mayStillSee(user, channel);
  if (!maySee && !(await access.mayStillSee(user, user))) return 'no-access';
  const isThread = maySee && messageTs !== undefined && threadTs !== undefined;
  const isBroadcast = isForAll && isThread && isOldThread(threadTs, now());
  const places: Where[] = [...(isThread ? [{ channel, threadTs, isBroadcast }] : []), { channel: user }];
  const said = maySee ? message : endedMessage(follow, 'no-access');
  const warn = (err: unknown) =>
    logger.warn({ err, snapshot: question.snapshotId }, 'a word to somebody who follows was refused');
  const confirm = (where: Where) =>
    save({ ...follow, unconfirmed: { at: now(), where, ...(maySee && known && { known }) } });
  const isTold = await poster.postAtFirst(places, said, warn, { id: wordOf(follow), confirm });
  return maySee ? (isTold ? 'told' : 'undeliverable') : 'no-access';
}

/** The id by which `find` recognizes a posted message. It changes with the hits that the person knows. */
function wordOf({ id, known }: Follow): string {
  return `${id}:${known.at}`;
}
