import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, types, ViewSubmitAction } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { type Asked, type Destination, isApp, type LookupRequest } from '../../core/lookup.ts';
import type { Message } from '../blocks/blocks.ts';
import type { WaitingMessage } from '../delivery/own-messages.ts';
import { type Said, tellPrivately } from '../delivery/response-url-poster.ts';
import { alreadyWaitingMessage, comesDirectly, faultNotice } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';
import { isFirstAsFarAsKnown } from './turns.ts';

/** One delivery of Slack in which a person asks for a lookup, and where the answer goes. */
export type EntryPoint = {
  /** The same for every repetition of the delivery: a request is accepted once. */
  readonly deliveryId: string;
  readonly destination: Destination;
  /** Acknowledges the delivery once the request is stored. Left out where the listener is acknowledged otherwise. */
  readonly acknowledge?: () => Promise<void>;
  /** Tells the person something after that. Left out where it is told where the answer goes, for this person's eyes. */
  readonly tell?: (message: Message) => Promise<unknown>;
};

/** A request, and whether the asker watches its result from then on. */
type Wanted = Asked & Pick<LookupRequest, 'watch'>;

/** Counts each further snapshot of a request: the delivery has paid for one. Throws `ShareUsedUp`. */
export function payFor({ others = [] }: Asked, { fairShare }: Pick<ListenerContext, 'fairShare'>): void {
  fairShare.takeMore(others.length);
}

/**
 * Stores the request, then acknowledges it; where a message waits for the same answer already, points to that one. Throws
 * `ShareUsedUp` and every `Fault`, which the front tells the asker.
 */
export async function accept(asked: Wanted, entry: EntryPoint, context: ListenerContext): Promise<void> {
  payFor(asked, context);
  const { deliveryId: delivery, destination } = entry;
  const waiting = await acceptOrJoin({ ...asked, destination, delivery }, context);
  await entry.acknowledge?.();
  if (waiting === undefined) return;
  const { channel, ts: message_ts } = waiting;
  const found = await context.client.chat.getPermalink({ channel, message_ts }).catch(() => undefined);
  const pointer = alreadyWaitingMessage(asked, found?.permalink);
  await (entry.tell?.(pointer) ?? tellAsker(destination, pointer, context));
}

/** What a person asks for, and where; who asks is the user of the destination. */
type Request = Omit<LookupRequest, 'askedBy'> & { readonly delivery: string };

/**
 * Accepts a new request, once for each delivery. Where a message waits for the same answer already, that message is given,
 * and the asker is mentioned there when the answer has come. Throws `storage-failed`.
 */
async function acceptOrJoin(asked: Request, context: ListenerContext): Promise<WaitingMessage | undefined> {
  const { user, channel } = asked.destination;
  const isForAll = isApp(user) || (await context.access.isForAll(channel));
  // In a channel that is shared with another company, the answer goes to a direct message.
  const request = isForAll ? asked : { ...asked, destination: { channel: user, user } };
  const { isNew, waiting } = await taken(request, context);
  if (isNew && !isForAll)
    tellAsker(asked.destination, comesDirectly, context).catch((error: unknown) =>
      context.logger.warn(
        { err: error },
        'the notice that the answer comes as a direct message could not be sent',
      ),
    );
  return isNew ? waiting : undefined;
}

/** Stores the request, or joins a lookup that waits; whether this is the first delivery that asks for it. */
async function taken(
  request: Request,
  { lookups, waitingMessages, join }: ListenerContext,
): Promise<{ readonly isNew: boolean; readonly waiting?: WaitingMessage }> {
  const { destination, delivery } = request;
  // Who follows needs a message of its own; an app can't be told of the end of another one.
  const open = (id: string) => lookups.find(id);
  const waiting =
    request.watch || isApp(destination.user)
      ? undefined
      : await waitingMessages.find(destination, request, open);
  // It may be the message of the lookup that this very delivery led to.
  if (waiting !== undefined && (await lookups.isRepeated(delivery))) return { isNew: false };
  // A lookup that is just ending takes no more subscribers: then this is a new request, answered from the cache. One
  // that is lost would never be answered.
  const isJoined = waiting !== undefined && (await join(waiting.lookupId, destination.user)) !== 'over';
  if (isJoined) return { isNew: await lookups.noteJoined(delivery), waiting };
  return { isNew: await lookups.accept({ ...request, askedBy: destination.user }) };
}

/** Says something where the answer goes: in a thread only if that has replies. */
function tellAsker(
  { channel, user, threadTs, hasThread, response }: Destination,
  said: Said,
  context: Parameters<typeof tellPrivately>[0],
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

/** What is done with a form, decided from what was filled in alone: it can ask nobody, because Slack waits. */
export type FormOutcome = Problems | Lookup | Work;

/** Acknowledges a submitted form and does what it is for, once, however often it is pressed or delivered. */
export async function acceptForm(
  args: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs,
  form: FormOutcome,
  context: ListenerContext,
): Promise<void> {
  const { ack, view } = args;
  if ('errors' in form) return ack({ response_action: 'errors', errors: form.errors });
  // Each version of a modal has a hash of its own; every press has another trigger.
  const deliveryId = `form:${view.id}:${view.hash}`;
  if ('work' in form) {
    await (form.view === undefined ? ack() : ack({ response_action: 'update', view: form.view }));
    if (await isFirstAsFarAsKnown(context, deliveryId)) await form.work();
    return;
  }
  const { asked, destination, input } = form;
  try {
    await accept(asked, { deliveryId, destination, acknowledge: ack }, context);
  } catch (error) {
    // A form that is still open says at its field why its request could not be stored: nothing has to be typed again.
    if (!isFault(error) || args.context.received?.isAcknowledged() === true) throw error;
    context.logger.error({ err: error }, 'a form could not be accepted');
    await ack({ response_action: 'errors', errors: { [input]: faultNotice(error, context.operator).text } });
  }
}
