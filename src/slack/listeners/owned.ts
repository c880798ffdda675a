import type { Message } from '../block-kit/blocks.ts';
import type { Origin } from '../block-kit/origin-values.ts';
import { withOwners } from '../messages/parts/owners-line.ts';
import type { ListenerContext } from './context.ts';

/** A redrawn message with its owners. Throws `StorageFailed`. */
export async function owned(
  message: Message,
  { channel, messageTs }: Origin,
  { owners }: ListenerContext,
): Promise<Message> {
  if (messageTs === undefined) return message;
  return withOwners(message, channel, await owners.of({ channel, ts: messageTs }));
}
