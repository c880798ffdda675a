import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, types, ViewSubmitAction } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { type Asked, type Destination, isApp, type LookupRequest } from '../../core/lookup.ts';
import type { Message } from '../blocks/blocks.ts';
import { type Said, tellPrivately } from '../delivery/response-url-poster.ts';
import type { WaitingMessage } from '../delivery/waiting-messages.ts';
import { faultText } from '../report/faults.ts';
import { alreadyWaitingMessage, noticeOf } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';
import { unlessRepeated } from './once.ts';

/** One delivery of Slack in which a person asks for a lookup, and where the answer goes. */
export type EntryPoint = {
  /** The same for every repetition of the delivery: a request is accepted once. */
  readonly deliveryId: string;
  readonly destination: Destination;
  /** Acknowledges the delivery once the request is stored. Left out where the listener is acknowledged otherwise. */
  readonly acknowledge?: () => Promise<void>;
  /** Tells the asker something after that. Without it the asker reads it where the answer goes, alone. */
  readonly tell?: (message: Message) => Promise<unknown>;
};

/** A request, and whether the asker watches its result from then on. */
type Wanted = Asked & Pick<LookupRequest, 'watch'>;

/** Counts each further snapshot of a request: the delivery has paid for one. Throws `ShareUsedUp`. */
export function payFor({ others = [] }: Asked, { fairShare }: Pick<ListenerContext, 'fairShare'>): void {
  fairShare.takeMore(others.length);
}

/**
 * Stores the request, then acknowledges it; where a message waits for the same answer already, points to that one. In a
 * channel that is shared with another company, the answer goes to a direct message. Throws `ShareUsedUp` and every
 * `Fault`, which the front tells the asker.
 */
export async function accept(asked: Wanted, entry: EntryPoint, context: ListenerContext): Promise<void> {
  payFor(asked, context);
  const { deliveryId: delivery, destination: here, acknowledge, tell } = entry;
  const { user, channel } = here;
  const isForAll = isApp(user) || (await context.access.isForAll(channel));
  const destination = isForAll ? here : { channel: user, user };
  const { isNew, waiting } = await take({ ...asked, destination, delivery, askedBy: user }, context);
  await acknowledge?.();
  if (!isNew) return;
  if (!isForAll)
    tellAsker(here, noticeOf('directly'), context).catch((err: unknown) =>
      context.logger.warn({ err }, 'the notice that the answer comes directly could not be sent'),
    );
  if (waiting === undefined) return;
  const { channel: place, ts: message_ts } = waiting;
  const found = await context.client.chat.getPermalink({ channel: place, message_ts }).catch(() => undefined);
  const pointer = alreadyWaitingMessage(asked, found?.permalink);
  await (tell?.(pointer) ?? tellAsker(here, pointer, context));
}

/**
 * Stores the request, or joins a lookup whose message waits for the same, and gives that one. `isNew`: whether this
 * delivery is the first one to ask for it. Throws `storage-failed`.
 */
async function take(
  request: LookupRequest & { readonly delivery: string },
  { lookups, waitingMessages, join }: ListenerContext,
): Promise<{ readonly isNew: boolean; readonly waiting?: WaitingMessage }> {
  const { askedBy, delivery } = request;
  // Who follows needs a message of its own; an app can't be told of the end of another one.
  const isAlone = request.watch || isApp(askedBy);
  const find = (id: string) => lookups.find(id);
  const waiting = isAlone ? undefined : await waitingMessages.find(request.destination, request, find);
  // It may be the message of the lookup that this very delivery led to.
  if (waiting !== undefined && (await lookups.isRepeated(delivery))) return { isNew: false };
  const isJoined = waiting !== undefined && (await join(waiting.lookupId, askedBy));
  // One that ended meanwhile may not have seen that: then this is a new request, answered from the cache.
  if (isJoined && (await find(waiting.lookupId)) !== undefined)
    return { isNew: await lookups.noteJoined(delivery), waiting };
  return { isNew: await lookups.accept(request) };
}

/** Says something where the answer goes: in a thread only if that has replies. */
function tellAsker(
  { channel, user, threadTs, hasThread, response }: Destination,
  said: Said,
  context: ListenerContext,
): Promise<void> {
  const thread = hasThread === true ? { threadTs } : {};
  return tellPrivately(context, { channel, user, ...thread, responseUrl: response?.url }, said);
}

/** What is wrong with a form, by the block of its input: it stays open and says so there. */
type Problems = { readonly errors: Readonly<Record<string, string>> };
/** A lookup, which is stored before the form closes. `input`: the block that says why it could not be. */
type Lookup = { readonly asked: Asked; readonly destination: Destination; readonly input: string };
/** Everything else is done after the form has closed, or `view`, in which nothing can be used, has taken its place. */
type Work = { readonly view?: types.ModalView; readonly work: () => Promise<unknown> };

/** What is done with a form, decided from what was filled in alone: without a request, because Slack waits. */
export type FormOutcome = Problems | Lookup | Work;

/** Acknowledges a submitted form and does what it is for, once, however often it is pressed or delivered. */
export async function acceptForm(
  { ack, view, context: { received } }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs,
  form: FormOutcome,
  context: ListenerContext,
): Promise<void> {
  if ('errors' in form) return ack({ response_action: 'errors', errors: form.errors });
  // Each version of a modal has a hash of its own; every press has another trigger.
  const deliveryId = `form:${view.id}:${view.hash}`;
  if ('work' in form) {
    await (form.view === undefined ? ack() : ack({ response_action: 'update', view: form.view }));
    await unlessRepeated(context, deliveryId, form.work);
    return;
  }
  const { asked, destination, input } = form;
  try {
    await accept(asked, { deliveryId, destination, acknowledge: ack }, context);
  } catch (error) {
    // A form that is still open says at its field why its request could not be stored: nothing has to be typed again.
    if (!isFault(error) || received.isAcknowledged()) throw error;
    context.logger.error({ err: error }, 'a form could not be accepted');
    await ack({ response_action: 'errors', errors: { [input]: faultText(error, context.operator) } });
  }
}
