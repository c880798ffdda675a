import type { Destination, Lookup } from '../../../core/lookup.ts';
import { isApp, isPrivately, questionsOf } from '../../../core/lookup.ts';
import { composing, type LookupStatus, type Unit } from '../../../lookups/lookup-status.ts';
import { type Message, type RichElement, richText, words } from '../../blocks/blocks.ts';
import { inSight } from '../../delivery/own-messages.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts, Join } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/feature.ts';
import { findings } from '../../report/levels.ts';
import { notReady } from '../../report/waiting.ts';
import { capital, subjectOf } from '../../report/words.ts';

/** The people who are mentioned when a lookup ends, beside the asker, and how far that is. */
type Subscribers = {
  readonly users: readonly string[];
  readonly stage: 'open' | 'closed' | 'told';
};

const NONE: Subscribers = { users: [], stage: 'open' };

/** How long subscriptions are stored: longer than any wait. */
const TTL_MS = 2 * 24 * 3_600_000;
/** The most people that one reply mentions. */
const MOST_USERS = 100;

/** Mentions a person at the end of a lookup. Throws `storage-failed`. */
export async function subscribe(lookupId: string, user: string, parts: FeatureParts): ReturnType<Join> {
  const hasRoom = ({ users }: Subscribers) => users.includes(user) || users.length < MOST_USERS;
  const [before = NONE] = await change(lookupId, parts, (known = NONE) => {
    const users = [...new Set([...known.users, user])];
    return known.stage === 'open' && hasRoom(known) ? { ...known, users } : known;
  });
  if (before.stage !== 'open') return 'over';
  return hasRoom(before) ? 'joined' : 'full';
}

/**
 * Notifies the people who waited. Slack notifies of no edit, so a long wait ends with one reply in the message's
 * thread that mentions each of them. Where the answer could not stay there, each who joined gets a direct message.
 * Throws if that may not have arrived and another try may succeed.
 */
export async function notify(event: DeliveryEvent, parts: FeatureParts): Promise<void> {
  const { lookup, status, shown } = event;
  const { now, notifyAfterMs } = parts;
  const isLong = now() - lookup.acceptedAt >= notifyAfterMs;
  const couldBeJoined = lookup.destination.messageTs !== undefined;
  if (status.kind === 'waiting' || !(isLong || couldBeJoined)) return;
  const [, subscribers = NONE] = await change(lookup.id, parts, (known = NONE) =>
    known.stage === 'told' ? known : { ...known, stage: 'closed' },
  );
  if (subscribers.stage === 'told') return;
  const threadTs = threadOf(lookup.destination, shown.destination);
  if (threadTs === undefined) return tellEach(lookup, subscribers, parts);
  const users = mentioned(event, subscribers, isLong);
  if (users.length === 0) return;
  await reply({ channel: shown.destination.channel, threadTs }, event, users, subscribers, parts);
}

/**
 * Where the answer could not stay in the conversation, each who joined there gets a direct message. It is tried once:
 * to repeat the step would send the asker the answer twice.
 */
async function tellEach(lookup: Lookup, subscribers: Subscribers, parts: FeatureParts): Promise<void> {
  const others = othersThan(lookup.askedBy, subscribers);
  if (others.length === 0) return;
  await put(lookup.id, { ...subscribers, stage: 'told' }, parts);
  const message = composing(() => overElsewhereMessage(lookup));
  const posts = others.map((user) => parts.poster.post({ channel: user }, message, 'final'));
  for (const outcome of await Promise.allSettled(posts)) {
    if (outcome.status === 'rejected') noteRefusal(outcome.reason, lookup.id, parts);
  }
}

async function reply(
  where: { readonly channel: string; readonly threadTs: string },
  { lookup, status, isRepeated }: DeliveryEvent,
  users: readonly string[],
  subscribers: Subscribers,
  parts: FeatureParts,
): Promise<void> {
  const id = `${lookup.id}:over`;
  const { poster } = parts;
  try {
    const earlier = isRepeated ? await poster.find(where, id, lookup.acceptedAt, 'final') : undefined;
    const message = composing(() => overMessage(users, lookup, status));
    if (earlier === undefined) await poster.post(inSight(where, parts.now()), message, 'final', { id });
  } catch (error) {
    if (!isRefused(error)) throw error;
    noteRefusal(error, lookup.id, parts);
  }
  await put(lookup.id, { ...subscribers, stage: 'told' }, parts);
}

function noteRefusal(err: unknown, lookup: string, { logger }: FeatureParts): void {
  logger.warn({ err, lookup }, 'Slack refused the reply that ends a wait');
}

function put(lookupId: string, subscribers: Subscribers, { store }: FeatureParts): Promise<void> {
  return store.namespace('subscriptions').set(lookupId, subscribers, TTL_MS);
}

function change(lookupId: string, { store }: FeatureParts, make: (known?: Subscribers) => Subscribers) {
  return store.namespace<Subscribers>('subscriptions').change(lookupId, make, () => TTL_MS);
}

/** The message's thread, if everybody sees it; private answers and direct messages need no reply. */
function threadOf(before: Destination, now: Destination): string | undefined {
  const isElsewhere = before.channel !== now.channel;
  return isPrivately(now) || isElsewhere ? undefined : (now.threadTs ?? now.messageTs);
}

/** The people to mention: all subscribers, and the asker after a long wait; but not the asker who cancelled it. */
function mentioned({ lookup, status }: DeliveryEvent, subscribers: Subscribers, isLong: boolean): string[] {
  const { askedBy } = lookup;
  const isAskersMatter =
    (isLong || subscribers.users.includes(askedBy)) && status.kind !== 'cancelled' && !isApp(askedBy);
  const others = othersThan(askedBy, subscribers);
  return isAskersMatter ? [askedBy, ...others] : others;
}

function othersThan(asker: string, { users }: Subscribers): string[] {
  return users.filter((user) => user !== asker);
}

type Over = Exclude<LookupStatus, { readonly kind: 'waiting' }>;

/** The reply that ends a long wait: it mentions those who waited, and says in one breath what came of it. */
function overMessage(users: readonly string[], lookup: Lookup, status: LookupStatus): Message {
  const sentence = status.kind === 'waiting' ? '' : sentenceFor(lookup, status);
  const mentions = users.flatMap((user_id): RichElement[] => [{ type: 'user', user_id }, words(' ')]);
  return {
    text: `${users.map((user) => `<@${user}>`).join(' ')} ${sentence}`,
    blocks: [richText([...mentions, words(sentence)])],
  };
}

/** The direct message to a subscriber, where the bot can't post in the conversation any more. */
function overElsewhereMessage(lookup: Lookup): Message {
  const { channel } = lookup.destination;
  const [over, next] = [
    `The wait for ${subjectOf(lookup)} is over, but I can’t post in `,
    ' any more. Ask me here to get the answer.',
  ];
  return {
    text: `${over}<#${channel}>${next}`,
    blocks: [richText([words(over), { type: 'channel', channel_id: channel }, words(next)])],
  };
}

/** Of several snapshots some can end without a result. */
function overForSome(subject: string, units: readonly Unit[]): string {
  const ready = units.filter(({ kind }) => kind === 'ready').length;
  return `The wait for ${subject} is over, with results for ${ready} of ${units.length}. The message above says why.`;
}

function sentenceFor(lookup: Lookup, status: Over): string {
  const subject = subjectOf(lookup);
  switch (status.kind) {
    case 'ready':
      if (status.units?.some(({ kind }) => kind !== 'ready')) return overForSome(subject, status.units);
      return `${capital(subject)} is ready${
        questionsOf(lookup).length === 1 ? `: ${findings(lookup.question, status.result)}` : ''
      }.`;
    case 'timed-out':
      return `${notReady(lookup, status.trouble)}. The message above says how to go on.`;
    case 'cancelled':
      return `The lookup of ${subject} was cancelled.`;
    case 'withheld':
      return `${capital(subject)} is ready, but can’t be shown here. The message above says why.`;
    case 'failed':
    case 'broken':
    case 'unanswered':
      return `${capital(subject)} could not be read. The message above says why.`;
    default:
      return status satisfies never;
  }
}
