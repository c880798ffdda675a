import { isFault } from '../../core/faults.ts';
import type { Asked, Destination, LookupRequest } from '../../core/lookup.ts';
import { alreadyWaitingMessage, comesDirectly, faultNotice } from '../answer/notices.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { WaitingMessage } from '../delivery/own-messages.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import type { ListenerContext } from './context.ts';
import { once } from './once.ts';

/** One delivery of Slack in which a person asks for a lookup: where the answer goes, and how that person is told things. */
export type EntryPoint = {
  /** The same for every repetition of the delivery: a request is accepted once. */
  readonly deliveryId: string;
  readonly destination: Destination;
  /** Acknowledges the delivery once the request is stored. Left out where Bolt does it for the listener. */
  readonly acknowledge?: () => Promise<void>;
  /** Tells the person something that nobody else sees, after the acknowledgement. */
  readonly tell: (message: Message) => Promise<unknown>;
  /** Tells the person why the request was not accepted, and acknowledges the delivery. */
  readonly fail: (notice: { readonly text: string }) => Promise<void>;
};

/** A request, and whether the asker watches its result from then on. */
type Wanted = Asked & Pick<LookupRequest, 'watch'>;

/** Accepts a lookup that was asked for without any text, by a shortcut or a button. Faults as for `dispatch`. */
export function take(asked: Wanted, entry: EntryPoint, context: ListenerContext): Promise<void> {
  return orFail(entry, context, () => accept(asked, entry, context));
}

/** Counts each further snapshot of a request: the delivery has paid for one. Throws `ShareUsedUp`. */
export function payFor({ others = [] }: Asked, { fairShare }: Pick<ListenerContext, 'fairShare'>): void {
  fairShare.takeMore(others.length);
}

/**
 * Stores the request, then acknowledges it; where a message waits for the same answer already, points to that one. Throws
 * `ShareUsedUp`.
 */
export async function accept(asked: Wanted, entry: EntryPoint, context: ListenerContext): Promise<void> {
  payFor(asked, context);
  const request = { ...asked, destination: entry.destination };
  const waiting = await once(context, entry.deliveryId, () => acceptOrJoin(request, context));
  await entry.acknowledge?.();
  if (waiting !== undefined) await entry.tell(await pointerTo(request, waiting, context));
}

/** Does work that begins a request; a fault is told to the asker. Throws everything else. */
export async function orFail(
  entry: EntryPoint,
  { logger, operator }: ListenerContext,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.error({ err: error }, 'a request could not be accepted');
    await entry.fail(faultNotice(error, operator));
  }
}

/** What a person asks for, and where; who asks is the user of the destination. */
type Request = Omit<LookupRequest, 'askedBy'>;

/**
 * Accepts a new request. Where a message waits for the same answer already, that message is given, and the asker is
 * mentioned there when the answer has come. Throws `StorageFailed`.
 */
export async function acceptOrJoin(
  asked: Request,
  context: ListenerContext,
): Promise<WaitingMessage | undefined> {
  const { lookups, waitingMessages, join } = context;
  const request = await forTheAskerAlone(asked, context);
  const { destination } = request;
  // Whoever watches a result needs a message of their own for that.
  const waiting = request.watch ? undefined : await waitingMessages.find(destination, request);
  // A lookup that is just ending takes no more subscribers: then this is a new request, answered from the cache. One
  // that is lost would never be answered.
  const isJoined =
    waiting !== undefined &&
    (await lookups.find(waiting.lookupId)) !== undefined &&
    (await join(waiting.lookupId, destination.user)) !== 'over';
  if (!isJoined) await lookups.accept({ ...request, askedBy: destination.user });
  return isJoined ? waiting : undefined;
}

/** In a channel that is shared with another company, the answer goes to a direct message, and the asker is told so. */
async function forTheAskerAlone(request: Request, context: ListenerContext): Promise<Request> {
  const { access, logger } = context;
  const { channel, user, response, hasThread } = request.destination;
  if (await access.isForAll(channel)) return request;
  const threadTs = hasThread === true ? request.destination.threadTs : undefined;
  const person = { channel, user, threadTs, responseUrl: response?.url };
  tellPrivately(context, person, comesDirectly).catch((error: unknown) =>
    logger.warn({ err: error }, 'the notice that the answer comes as a direct message could not be sent'),
  );
  return { ...request, destination: { channel: user, user } };
}

/** The pointer to the message that waits for the same answer. */
async function pointerTo(
  request: Request,
  { channel, ts }: WaitingMessage,
  { client }: ListenerContext,
): Promise<Message> {
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return alreadyWaitingMessage(request, found?.permalink);
}
