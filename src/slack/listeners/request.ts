import type { webApi } from '@slack/bolt';
import type { Destination } from '../../core/destination.ts';
import { isFault } from '../../core/faults.ts';
import type { LookupRequest } from '../../core/lookup.ts';
import type { Message } from '../block-kit/blocks.ts';
import { INERT } from '../block-kit/inert-text.ts';
import type { WaitingMessage } from '../delivery/waiting-messages.ts';
import { alreadyWaitingMessage } from '../messages/already-waiting-message.ts';
import { comesDirectly } from '../messages/comes-directly-message.ts';
import { faultNotice } from '../messages/fault-message.ts';
import type { ListenerContext } from './context.ts';

/** What a person asks for, and where; the one who asks is in the place. */
export type Request = Omit<LookupRequest, 'askedBy'>;

/**
 * Accepts what is new. Where a message waits for the same already, that one is given, and whoever asks is told with
 * the others when it is over. Throws `StorageFailed`.
 */
export async function acceptOrJoin(
  asked: Request,
  context: ListenerContext,
): Promise<WaitingMessage | undefined> {
  const { lookups, waitingMessages, notifier } = context;
  const request = await forTheAskerAlone(asked, context);
  const { destination } = request;
  const waiting = await waitingMessages.find(destination, request);
  // A wait that ends at this very moment tells nobody more: then the question is a new one, and soon answered.
  const isJoined =
    waiting !== undefined && (await notifier.join(waiting.lookupId, destination.user)) !== 'over';
  if (!isJoined) await lookups.accept({ ...request, askedBy: destination.user });
  return isJoined ? waiting : undefined;
}

/** Where another company reads along, the answer comes as a direct message, and the asker is told so. */
async function forTheAskerAlone(request: Request, context: ListenerContext): Promise<Request> {
  const { access, client, responses, logger } = context;
  const { channel, user, response, threadTs, hasThread } = request.destination;
  if (await access.isForAll(channel)) return request;
  const told =
    response === undefined
      ? tellPrivately(client, { channel, user }, comesDirectly)
      : responses.post(response, comesDirectly, hasThread === true ? threadTs : undefined);
  told.catch((error: unknown) =>
    logger.warn({ err: error }, 'somebody could not be told of a direct message'),
  );
  return { ...request, destination: { channel: user, user } };
}

/** Points to the message that waits for the same already. */
export async function pointerTo(
  request: Request,
  { channel, ts }: WaitingMessage,
  client: webApi.WebClient,
): Promise<Message> {
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return alreadyWaitingMessage(request, found?.permalink);
}

/** Says something to one person in a conversation that the bot is in. */
export async function tellPrivately(
  client: webApi.WebClient,
  { channel, user, threadTs }: Pick<Destination, 'channel' | 'user' | 'threadTs'>,
  { text, blocks }: Partial<Message> & { readonly text: string },
): Promise<void> {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await client.chat.postEphemeral({ channel, user, text, ...(blocks && { blocks }), ...thread, ...INERT });
}

/** Does what an event asks for; a fault is told by `tell`, since nobody else hears of it. */
export async function orTell(
  { logger, operator }: ListenerContext,
  tell: (message: { readonly text: string }) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.error({ err: error }, 'a request could not be written down');
    await tell(faultNotice(error, operator));
  }
}
