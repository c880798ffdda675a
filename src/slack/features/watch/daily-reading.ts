import type { Acceptance, Comparison, Named } from '../../../core/comparing.ts';
import { acceptanceOf, compareHits } from '../../../core/comparing.ts';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { Stopping } from '../../../core/errors.ts';
import { SnapshotNotFound, StorageFailed } from '../../../core/faults.ts';
import { levelOf, listsWholeSide, sideOf } from '../../../core/importance.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import type { Step, WatchJob } from '../../../lookups/queue.ts';
import type { Message } from '../../blocks/blocks.ts';
import type { Findable } from '../../delivery/poster.ts';
import { isRefusedHere } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { Base, Place, Watcher } from './news.ts';
import { baseOf, isSame, isSameWatch, newsMessage, openIn, watchEndedMessage } from './news.ts';
import type { Watches } from './watches.ts';

/** What finds no room is tried again within this part of a day, at random. */
const BUSY_FOR = 1 / 48;
/** The least important rank of hits that are worth a word to everybody: critical and high. */
const GRAVE_RANK = 1;

/** While a process stood still, another one has told it, or the last person has stopped. */
class Overtaken extends Error {}

/** What a reading works with. */
type Parts = FeatureParts & { readonly watches: Watches };

/**
 * Takes one step of the daily reading of a watched snapshot. What people at a message know is stored once its word has
 * arrived, so that a word that failed, or whose process died, is told by the next reading, once. Throws `StorageFailed` and
 * `Stopping`: then it is taken again.
 */
export async function readDaily(job: WatchJob, parts: Parts): Promise<Step<WatchJob>> {
  const { now, dayMs, watches } = parts;
  const { snapshotId } = job.question;
  const due = (at: number): Step<WatchJob> => ({ done: false, job: { ...job, at }, at });
  const nextDay = () => due(dueAfter(now(), snapshotId, dayMs));
  const isOpen = async () => (await watches.get(snapshotId))?.job === job.id;
  // A job can be handed out before it is due.
  if (now() < job.at) return due(job.at);
  // The watch is stored after its job, which can be due within that moment.
  if (!(await isOpen())) return job.at <= job.acceptedAt + dayMs ? nextDay() : { done: true };
  const outcome = await dayOf(job, parts);
  if (outcome === 'busy')
    return { done: false, job, at: now() + Math.ceil(Math.random() * BUSY_FOR * dayMs) };
  if (outcome !== 'over') watches.note(outcome, snapshotId);
  await tellEndings(job, parts);
  return (await isOpen()) ? nextDay() : { done: true };
}

/** `over`: nobody watches any more. */
async function dayOf(
  job: WatchJob,
  parts: Parts,
): Promise<'told' | 'quiet' | 'unanswered' | 'busy' | 'over'> {
  const { now, backgroundReads, logger, watches } = parts;
  const { snapshotId } = job.question;
  await watches.end(snapshotId, 'over', ({ until }) => until <= now());
  const places = new Set(openIn(await watches.get(snapshotId)).map(({ place }) => place));
  if (places.size === 0) return 'over';
  try {
    const answer = await backgroundReads.look(job.question, job.at);
    if (answer === undefined) return 'busy';
    if (answer.kind === 'processing') return 'unanswered';
    // Of a document that does not list all its hits nobody knows what is cleared.
    if (!listsWholeSide(answer.result, 'hit')) return 'quiet';
    let outcome: 'told' | 'quiet' = 'quiet';
    for (const place of places) if (await tell(place, answer, job, parts)) outcome = 'told';
    return outcome;
  } catch (err) {
    if (err instanceof StorageFailed || err instanceof Stopping) throw err;
    if (err instanceof SnapshotNotFound) {
      await watches.end(snapshotId, 'deleted', () => true);
      return 'over';
    }
    // A bug too: it would only be repeated.
    logger.warn({ err, snapshot: snapshotId }, 'the day of a watched snapshot failed');
    return 'unanswered';
  }
}

/** Tells those at one message what is new there, if anything is: then it is true. */
async function tell(
  place: Place,
  read: Read,
  { id: job, question }: WatchJob,
  parts: Parts,
): Promise<boolean> {
  const { snapshotId } = question;
  const { poster, now, watches, acceptances } = parts;
  const put = watches.progressAt(snapshotId, place);
  const known = await knownAt(place, job, parts);
  const present = baseOf(read);
  const { inForce, over } = await acceptances.of(question, read);
  const hits: readonly Named[] = sideOf(read.result, 'hit');
  const found = newsIn(compareHits(known.hits ?? hits, hits), inForce);
  const users = await whom(place, found, snapshotId, parts);
  if (users.length === 0) {
    await put({ base: known.hits === undefined ? present : known, unconfirmed: undefined });
    return false;
  }
  const message = newsMessage({ snapshotId, users, found, over, since: known.at, read });
  const save = async () => {
    if (!(await put({ base: known, unconfirmed: { at: now(), base: present } }))) throw new Overtaken();
  };
  const findable = { id: wordOf(job, place, known), save };
  const posted = await reply(place, message, findable, parts);
  if (posted === 'overtaken') return false;
  // Where the bot may not read its message: Slack posts what answers a removed one in the channel itself.
  if (posted?.isOutsideThread) await poster.remove(posted);
  const isThere = posted !== undefined && !posted.isOutsideThread;
  if (isThere) await put({ base: present, unconfirmed: undefined });
  else await watches.end(snapshotId, 'no-place', (each) => isSame(each.place, place));
  return isThere;
}

/** Undefined where Slack refuses it, or the message is gone: below what is left of it nobody would look for news. */
async function reply(place: Place, message: Message, findable: Findable, { poster }: Parts) {
  const { channel, messageTs: ts, threadTs } = place;
  if (ts !== undefined && (await poster.read({ channel, ts, threadTs })) === 'gone') return undefined;
  return poster.post(whereOf(place), message, 'final', findable).catch((error: unknown) => {
    if (error instanceof Overtaken) return 'overtaken' as const;
    if (!isRefusedHere(error)) throw error;
  });
}

/** What people at a message know: a word whose confirmation was lost is looked for. */
async function knownAt(place: Place, job: string, { poster }: Parts): Promise<Base> {
  const { base, unconfirmed } = place;
  if (unconfirmed === undefined) return base;
  const id = wordOf(job, place, base);
  const found = await poster.find(whereOf(place), id, unconfirmed, 'final');
  return found === undefined ? base : unconfirmed.base;
}

/** Those to whom the news are worth a word and who may still see them; for the others the watch ends. */
async function whom(
  place: Place,
  found: Comparison<Named>,
  snapshotId: SnapshotId,
  { access, watches }: Parts,
): Promise<string[]> {
  const changes = [...found.new, ...found.cleared, ...found.changed];
  const isGrave = changes.some(({ hit, was = hit }) =>
    [hit, was].some((each) => levelOf(each).rank <= GRAVE_RANK),
  );
  const users: string[] = [];
  for (const watcher of changes.length === 0 ? [] : openIn({ places: [place] })) {
    if (watcher.worth === 'grave' && !isGrave) continue;
    if (await access.mayStillSee(watcher.user, place.channel)) users.push(watcher.user);
    else await watches.end(snapshotId, 'no-access', (each) => isSameWatch(each, watcher));
  }
  return users;
}

/** Tells those whose watch ended. Who can't be told now is told another day. */
async function tellEndings(
  { id: job, question: { snapshotId } }: WatchJob,
  { poster, now, access, logger, watches }: Parts,
): Promise<void> {
  const { places = [] } = (await watches.get(snapshotId)) ?? {};
  for (const watcher of places.flatMap(({ watchers }) => watchers)) {
    const { user, until, why, unconfirmed } = watcher;
    if (why === undefined) continue;
    const put = (...instead: Watcher[]) =>
      watches.update(snapshotId, (each) => (isSameWatch(each, watcher) ? instead : [each]));
    const save = async () => void (await put({ ...watcher, unconfirmed: { at: now() } }));
    const word = { id: `${job}:${user}:${until}`, save, unconfirmed };
    const compose = () => watchEndedMessage(snapshotId, why);
    try {
      // Who may not use the bot any more learns nothing from it.
      if (await access.mayStillSee(user, user)) await poster.postOnce({ channel: user }, compose, word);
      await put();
    } catch (err) {
      if (err instanceof StorageFailed) throw err;
      logger.warn({ err, snapshot: snapshotId }, 'the end of a watch could not be told');
      if (isRefusedHere(err)) await put();
    }
  }
}

/** Where those at a message are told. */
function whereOf({ channel, messageTs, threadTs = messageTs }: Place) {
  return threadTs === undefined ? { channel } : { channel, threadTs };
}

/** What finds a word again: another one for each message, and for each time since when it tells. */
function wordOf(job: string, { channel, messageTs = '' }: Place, { at }: Base): string {
  return `${job}:${channel}:${messageTs}:${at}`;
}

/** What was accepted for the device is no news of it. */
function newsIn(found: Comparison<Named>, accepted: readonly Acceptance[]): Comparison<Named> {
  const open = <C extends { readonly hit: Named }>(changes: readonly C[]) =>
    changes.filter(({ hit }) => acceptanceOf(hit, accepted) === undefined);
  return { ...found, new: open(found.new), cleared: open(found.cleared), changed: open(found.changed) };
}
