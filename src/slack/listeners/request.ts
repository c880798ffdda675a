import type { webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { LookupRequest } from '../../core/lookup.ts';
import type { Message } from '../blocks.ts';
import { alreadyWaitingMessage } from '../messages/already-waiting-message.ts';
import { faultNotice } from '../messages/fault-message.ts';
import type { Place } from '../place.ts';
import type { StandingMessage } from '../standing.ts';
import type { ListenerContext } from './context.ts';

/** What a person asks for, and where; the one who asks is in the place. */
export type Request = Omit<LookupRequest<Place>, 'askedBy'>;

/**
 * Accepts what is new. Where a message waits for the same already, that one is given, and whoever asks is told with
 * the others when it is over. Throws `StorageFailed`.
 */
export async function acceptOrJoin(
  request: Request,
  { lookups, standing, telling }: ListenerContext,
): Promise<StandingMessage | undefined> {
  const { place } = request;
  const waiting = await standing.find(place, request);
  if (waiting === undefined) await lookups.accept({ ...request, askedBy: place.user });
  else await telling.join(waiting.lookupId, place.user);
  return waiting;
}

/** Points to the message that waits for the same already. */
export async function pointerTo(
  request: Request,
  { channel, ts }: StandingMessage,
  client: webApi.WebClient,
): Promise<Message> {
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return alreadyWaitingMessage(request, found?.permalink);
}

/** Says something to one person in a conversation that the bot is in. */
export async function tellPrivately(
  client: webApi.WebClient,
  { channel, user, threadTs }: Pick<Place, 'channel' | 'user' | 'threadTs'>,
  { text, blocks }: Partial<Message> & { readonly text: string },
): Promise<void> {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await client.chat.postEphemeral({ channel, user, text, ...(blocks && { blocks }), ...thread });
}

/** Does what an event asks for; a fault is told by `tell`, since nobody else hears of it. */
export async function orTell(
  { logger, loginUrl }: ListenerContext,
  tell: (message: { readonly text: string }) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.error({ err: error }, 'a request could not be written down');
    await tell(faultNotice(error, loginUrl));
  }
}
