import type { Origin } from '../button-values.ts';
import type { DetailsView } from '../messages/details-modal.ts';
import { type SharedHit, sharedHitMessage } from '../messages/shared-hit-message.ts';
import type { ListenerContext } from './context.ts';

/** However often it is pressed in one modal: a hit is shared once. */
const PRESSED_AGAIN_MS = 60_000;

/** Posts one hit in the thread of the message that it is from; tells how that went. Throws `StorageFailed`. */
export async function shareHit(
  hit: SharedHit,
  { channel, messageTs, threadTs = messageTs }: Origin,
  viewId: string,
  { poster, claims, logger }: ListenerContext,
): Promise<DetailsView['sharing']> {
  if (threadTs === undefined) return 'impossible';
  const claim = `share:${viewId}:${hit.index}`;
  if (!(await claims.take(claim, PRESSED_AGAIN_MS))) return 'done';
  try {
    await poster.post({ channel, threadTs }, sharedHitMessage(hit), 'final');
    return 'done';
  } catch (error) {
    logger.warn({ err: error }, 'a hit could not be shared');
    await claims.release(claim);
    return 'refused';
  }
}
