import type { Logger } from 'pino';
import { isBug } from '../../core/faults.ts';
import type { Destination, Lookup } from '../../core/lookup.ts';
import type { Attempt, Delivered, Delivery } from '../../lookups/step.ts';
import type { Message } from '../blocks/blocks.ts';
import type { Operator } from '../report/faults.ts';
import { messageFor } from '../report/message-for.ts';
import { withInvitation } from '../report/notices.ts';
import type { MessageManner } from '../report/waiting.ts';
import type { Poster } from './poster.ts';
import { Congested, type Urgency } from './rate-limited-queue.ts';
import { isUsableForProgress, type ResponseUrlPoster } from './response-url-poster.ts';
import { codeOf, isRefused } from './slack-errors.ts';
import type { WaitingMessages } from './waiting-messages.ts';

/** How long after a lookup's deadline the bot still tries to show its answer. Milliseconds. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

type Parts = {
  readonly poster: Poster;
  readonly responses: ResponseUrlPoster;
  readonly waitingMessages: WaitingMessages;
  /** The bot's own user. */
  readonly identity: () => Promise<{ readonly user: string }>;
  readonly operator: Operator;
  readonly logger: Logger;
  readonly now: () => number;
  /** Called when Slack refused a final answer in every place. */
  readonly onUndeliverable: () => void;
};

/** A status to show, and everything that is needed to show it. */
type Update = Parts &
  Attempt & {
    readonly lookup: Lookup;
    readonly urgency: Urgency;
    /** Makes the message for the place where it is shown. */
    readonly compose: (manner: Omit<MessageManner, 'operator'>) => Message;
    /** Whether the status is only “Looking up”: not worth an ephemeral message that nothing can replace. */
    readonly isOnlyLooking: boolean;
    /**
     * By lookup id: destinations that are not stored yet, although the response URL already got the answer. A retry
     * can't search for such a post.
     */
    readonly unsaved: Map<string, Destination>;
  };

/** Shows the status of lookups in Slack, and registers lookups that wait. */
export function slackDelivery(parts: Parts): Delivery['deliver'] {
  const { waitingMessages, operator, now } = parts;
  const unsaved: Update['unsaved'] = new Map();
  return async (lookup, status, attempt) => {
    const { destination } = lookup;
    const urgency = status.kind === 'waiting' ? 'progress' : 'final';
    const compose: Update['compose'] = (manner) => messageFor(lookup, status, { operator, ...manner });
    const isOnlyLooking = status.kind === 'waiting' && !status.isProcessing;
    try {
      if (urgency === 'progress' && destination.messageTs === undefined)
        await waitingMessages.begin(destination, lookup, lookup.id, lookup.deadline - now());
      const update: Update = { ...parts, ...attempt, lookup, urgency, compose, isOnlyLooking, unsaved };
      return await show(destination, update);
    } catch (error) {
      if (isBug(error)) throw error;
      return urgency === 'progress' ? withoutProgress(error, destination) : giveUp(error, lookup, parts);
    }
  };
}

/** The outcome of failed progress, which is not retried, because the next status replaces it. */
function withoutProgress(error: unknown, destination: Destination): Delivered {
  // Nothing was sent, so the next status need not look for a post.
  if (error instanceof Congested) return { destination, isShown: false };
  if (isRefused(error)) return { destination, isShown: true };
  return { destination: { ...destination, mayBePosted: true }, isShown: false };
}

/** Gives up a final answer if Slack refused it or the deadline is long over; else throws, so that it is retried. */
function giveUp(error: unknown, lookup: Lookup, { now, logger, onUndeliverable }: Parts): Delivered {
  const isOverdue = now() > lookup.deadline + GIVEN_UP_AFTER_MS;
  if (!isRefused(error) && !isOverdue) throw error;
  logger.error({ err: error, lookup: lookup.id }, 'Slack refused the answer to a lookup everywhere');
  onUndeliverable();
  return { destination: lookup.destination, isShown: false };
}

/** The bot can edit its own message, which everybody sees. */
const OWN = { editable: true, isPrivate: false };

/** The destination for a direct message to the asker, the last resort. */
function directly({ response, threadTs, hasThread, messageTs, ...asker }: Destination): Destination {
  return { ...asker, channel: asker.user };
}

/**
 * Shows an update by the first way that Slack accepts: edits the bot's message, posts a new message, posts to the
 * response URL, or sends a direct message. Returns the new destination. Throws the errors of the clients; a refusal
 * means that every way failed.
 */
async function show(destination: Destination, update: Update): Promise<Delivered> {
  const { response } = destination;
  const taken = update.unsaved.get(update.lookup.id);
  if (taken !== undefined) return saved(taken, update);
  if (response?.hasAnswer) return { destination, isShown: true };
  const isPrivate = response?.replaces || response?.isInUse;
  // Without a message to replace, each progress update would add a message and use up the response URL.
  if (isPrivate && update.urgency === 'progress' && !(response.replaces && isUsableForProgress(response)))
    return { destination, isShown: true };
  const known = await found(isPrivate ? directly(destination) : destination, update);
  if (known.messageTs !== undefined) return edit(known, known.messageTs, update);
  return isPrivate ? showPrivately(destination, update) : post(known, update);
}

/**
 * Looks for the message of an earlier, unconfirmed attempt, so that it is not posted twice: at the destination, and in
 * the direct message, because Slack may have refused that attempt at the destination.
 */
async function found(destination: Destination, { lookup, urgency, poster }: Update): Promise<Destination> {
  const { mayBePosted, ...known } = destination;
  if (known.messageTs !== undefined || mayBePosted === undefined) return known;
  const places = known.channel === known.user ? [known] : [known, directly(known)];
  for (const place of places) {
    const posted = await poster.find(place, lookup.id, lookup.acceptedAt, urgency);
    if (posted !== undefined) return { ...place, channel: posted.channel, messageTs: posted.ts };
  }
  return known;
}

async function edit(destination: Destination, ts: string, update: Update): Promise<Delivered> {
  const { channel } = destination;
  const { urgency, compose, confirm, poster } = update;
  try {
    const message = compose({ ...OWN, channel });
    // A process that was suspended must not overwrite another process's final answer with progress.
    await poster.edit({ channel, ts }, message, urgency, urgency === 'progress' ? confirm : undefined);
    return { destination, isShown: true };
  } catch (error) {
    if (!isRefused(error)) throw error;
    const { messageTs: _lost, ...elsewhere } = destination;
    const delivered = await post(elsewhere, update);
    // If the old message were not deleted, it would seem to wait forever.
    if (codeOf(error) !== 'message_not_found') await poster.remove({ channel, ts });
    return delivered;
  }
}

async function post(destination: Destination, update: Update): Promise<Delivered> {
  const { channel, threadTs, user, response } = destination;
  const { lookup, urgency, compose, confirm, poster } = update;
  try {
    const message = compose({ ...OWN, channel });
    const posted = await poster.post(destination, message, urgency, { id: lookup.id, confirm });
    const thread = threadTs === undefined ? {} : { hasThread: true };
    const shown = { ...destination, ...thread, channel: posted.channel, messageTs: posted.ts };
    return { destination: shown, isShown: true };
  } catch (error) {
    const isLastWay = channel === user && response === undefined;
    if (isLastWay || !isRefused(error)) throw error;
    return showPrivately(destination, update);
  }
}

async function showPrivately(destination: Destination, update: Update): Promise<Delivered> {
  const { response, threadTs, hasThread } = destination;
  const { responses, urgency, isOnlyLooking, now, confirm } = update;
  if (response === undefined || response.expiresAt <= now()) return post(directly(destination), update);
  // An ephemeral message that can't be replaced would remain above the answer.
  if (isOnlyLooking && !response.replaces) return { destination, isShown: true };
  const message = await privateMessage(destination, update);
  await confirm();
  const used = await responses.post(response, message, hasThread ? threadTs : undefined);
  if (used === undefined) return post(directly(destination), update);
  const answered = urgency === 'final' && { hasAnswer: true };
  return saved({ ...destination, response: { ...used, ...answered } }, update);
}

/** Stores the destination before any hook runs. If the store fails, `unsaved` prevents a second post of the answer. */
async function saved(destination: Destination, { lookup, save, unsaved }: Update): Promise<Delivered> {
  if (destination.response?.hasAnswer) unsaved.set(lookup.id, destination);
  await save(destination);
  unsaved.delete(lookup.id);
  return { destination, isShown: true };
}

async function privateMessage(
  { channel, response }: Destination,
  { compose, identity }: Update,
): Promise<Message> {
  const { replaces = false, isInUse = false } = response ?? {};
  const message = compose({ editable: replaces, isPrivate: true, channel });
  if (replaces || isInUse) return message;
  return withInvitation(message, channel, (await identity().catch(() => undefined))?.user);
}
