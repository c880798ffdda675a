import { type Destination, isApp, isPrivately, type Lookup, questionsOf } from '../../../core/lookup.ts';
import type { LookupStatus } from '../../../lookups/lookup-status.ts';
import { type Message, mentioning, richText, words } from '../../blocks/blocks.ts';
import type { Where } from '../../delivery/poster.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/feature.ts';
import { findings } from '../../report/levels.ts';
import { notReady } from '../../report/waiting.ts';
import { capital, subjectOf } from '../../report/words.ts';

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
 * thread that mentions each of them. Where the answer could not stay there, each who joined gets a direct message.
 * Throws if the reply may not have arrived and another try may succeed.
 */
export async function notify(event: DeliveryEvent, parts: FeatureParts): Promise<void> {
  const { lookup, status, shown } = event;
  const { destination, askedBy, acceptedAt } = lookup;
  const isLong = parts.now() - acceptedAt >= parts.notifyAfterMs;
  if (status.kind === 'waiting' || !(isLong || destination.messageTs !== undefined)) return;
  const joined = (await listsIn(parts).get(lookup.id)) ?? [];
  const others = joined.filter((user) => user !== askedBy);
  const threadTs = threadOf(destination, shown.destination);
  if (threadTs === undefined) {
    const message = overElsewhereMessage(lookup);
    // None is tried again: to repeat the step would send the asker the answer twice.
    const posts = others.map((user) => say({ channel: user }, message, event, parts));
    return void (await Promise.allSettled(posts));
  }
  const isAskersMatter = (isLong || joined.includes(askedBy)) && status.kind !== 'cancelled';
  const users = isAskersMatter && !isApp(askedBy) ? [askedBy, ...others] : others;
  if (users.length === 0) return;
  const where = { channel: shown.destination.channel, threadTs };
  await say(where, mentioning(users, sentenceFor(lookup, status)), event, parts);
}

/** The message's thread, if everybody sees it; private answers and direct messages need no reply. */
function threadOf(before: Destination, now: Destination): string | undefined {
  const isElsewhere = before.channel !== now.channel;
  return isPrivately(now) || isElsewhere ? undefined : (now.threadTs ?? now.messageTs);
}

/** Posts the word that ends a wait, unless an earlier try of the step did. What Slack refuses is only logged. */
async function say(
  where: Where,
  message: Message,
  { lookup, isRepeated }: DeliveryEvent,
  { poster, logger }: FeatureParts,
): Promise<void> {
  const id = `${lookup.id}:over`;
  try {
    if (isRepeated && (await poster.find(where, id, lookup.acceptedAt, 'final')) !== undefined) return;
    await poster.post(where, message, 'final', { id });
  } catch (err) {
    logger.warn({ err, lookup: lookup.id }, 'the word that ends a wait was not posted');
    if (!isRefused(err)) throw err;
  }
}

/** The direct message to a subscriber, where the bot can't post in the conversation any more. */
function overElsewhereMessage(lookup: Lookup): Message {
  const { channel } = lookup.destination;
  const over = `The wait for ${subjectOf(lookup)} is over, but I can’t post in `;
  const next = ' any more. Ask me here to get the answer.';
  return {
    text: `${over}<#${channel}>${next}`,
    blocks: [richText([words(over), { type: 'channel', channel_id: channel }, words(next)])],
  };
}

/** Says in one breath what came of a wait. */
function sentenceFor(lookup: Lookup, status: Exclude<LookupStatus, { readonly kind: 'waiting' }>): string {
  const subject = subjectOf(lookup);
  switch (status.kind) {
    case 'ready': {
      const { units = [], result } = status;
      const ready = units.filter(({ kind }) => kind === 'ready').length;
      if (ready < units.length)
        return `The wait for ${subject} is over, with results for ${ready} of ${units.length}. The message above says why.`;
      const isOne = questionsOf(lookup).length === 1;
      return `${capital(subject)} is ready${isOne ? `: ${findings(lookup.question, result)}` : ''}.`;
    }
    case 'timed-out':
      return `${notReady(lookup, status.trouble)}. The message above says how to go on.`;
    case 'cancelled':
      return `The lookup of ${subject} was cancelled.`;
    case 'withheld':
      return `${capital(subject)} is ready, but can’t be shown here. The message above says why.`;
    default:
      return `${capital(subject)} could not be read. The message above says why.`;
  }
}
