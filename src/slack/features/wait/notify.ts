import { type Destination, isApp, isPrivately, type Lookup, questionsOf } from '../../../core/lookup.ts';
import type { LookupStatus } from '../../../lookups/lookup-status.ts';
import { mentioning } from '../../blocks/blocks.ts';
import { isOldThread } from '../../delivery/poster.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/listeners.ts';
import { findings } from '../../report/levels.ts';
import { endOf } from '../../report/waiting.ts';
import { capital, joined, subjectOf } from '../../report/words.ts';

/** How long a list is stored: longer than any wait. */
const TTL_MS = 2 * 24 * 3_600_000;
/** The most people that one reply mentions. */
const MOST_USERS = 100;

function listsIn({ store }: FeatureParts) {
  return store.namespace<readonly string[]>('subscriptions');
}

/** Mentions a person at the end of a lookup; false if the list is full. Throws `storage-failed`. */
export async function subscribe(lookupId: string, user: string, parts: FeatureParts): Promise<boolean> {
  const add = (users: readonly string[] = []) => [...new Set([...users, user])].slice(0, MOST_USERS);
  const [, users = []] = await listsIn(parts).change(lookupId, add, () => TTL_MS);
  return users.includes(user);
}

/**
 * Notifies the people who waited. Slack notifies of no edit, so a long wait ends with one reply in the message's
 * thread that mentions each of them, unless an earlier try of the step posted it. Throws if it may not have arrived and
 * another try may succeed.
 */
export async function notify(event: DeliveryEvent, parts: FeatureParts): Promise<void> {
  const { lookup, status, shown, isRepeated } = event;
  const { destination, askedBy, acceptedAt } = lookup;
  const { poster, logger, now, notifyAfterMs } = parts;
  const isLong = now() - acceptedAt >= notifyAfterMs;
  const threadTs = threadOf(destination, shown.destination);
  if (status.kind === 'waiting' || threadTs === undefined) return;
  if (!isLong && destination.messageTs === undefined) return;
  const joined = (await listsIn(parts).get(lookup.id)) ?? [];
  const isAskersMatter = (isLong || joined.includes(askedBy)) && status.kind !== 'cancelled';
  const others = joined.filter((user) => user !== askedBy);
  const users = isAskersMatter && !isApp(askedBy) ? [askedBy, ...others] : others;
  if (users.length === 0) return;
  const { channel } = shown.destination;
  const where = { channel, threadTs, isBroadcast: isOldThread(threadTs, now()) };
  const id = `${lookup.id}:over`;
  try {
    if (isRepeated && (await poster.find(where, id, acceptedAt, 'final')) !== undefined) return;
    await poster.post(where, mentioning(users, sentenceFor(lookup, status)), 'final', { id });
  } catch (err) {
    logger.warn({ err, lookup: lookup.id }, 'the word that ends a wait was not posted');
    if (!isRefused(err)) throw err;
  }
}

/** The message's thread, if everybody sees it; private answers and direct messages need no reply. */
function threadOf(before: Destination, now: Destination): string | undefined {
  const isElsewhere = before.channel !== now.channel;
  return isPrivately(now) || isElsewhere ? undefined : (now.threadTs ?? now.messageTs);
}

/** Says in one breath what came of a wait. */
function sentenceFor(lookup: Lookup, status: Exclude<LookupStatus, { readonly kind: 'waiting' }>): string {
  if (status.kind === 'cancelled') return endOf(lookup, status);
  if (status.kind !== 'ready') return `${endOf(lookup, status)} The message above says more.`;
  const { units = [], result } = status;
  const ready = units.filter(({ kind }) => kind === 'ready').length;
  const some = ready < units.length && `results for ${ready} of ${units.length}`;
  const one = questionsOf(lookup).length === 1 && findings(lookup.question, result);
  return `${joined(': ', `${capital(subjectOf(lookup))} is ready`, some || one)}.`;
}
