import { type SharedHit, sharedHitMessage } from '../answer/shared-hit-message.ts';
import type { Origin } from '../block-kit/origin-values.ts';
import { isRefused } from '../delivery/slack-errors.ts';
import type { ListenerContext } from '../front/context.ts';
import type { DetailsView } from '../views/details-modal.ts';

/** How long a second press in the same modal is ignored. */
const PRESSED_AGAIN_MS = 60_000;

/** Posts one hit in its message's thread, and gives the outcome. Throws `StorageFailed`. */
export async function shareHit(
  hit: SharedHit,
  { channel, messageTs, threadTs = messageTs }: Origin,
  viewId: string,
  { poster, leases, logger, audit }: ListenerContext,
): Promise<DetailsView['sharing']> {
  if (threadTs === undefined) return 'impossible';
  const lease = `share:${viewId}:${hit.index}`;
  if (!(await leases.acquire(lease, PRESSED_AGAIN_MS))) return 'done';
  try {
    await poster.post({ channel, threadTs }, sharedHitMessage(hit), 'final');
    audit({ event: 'shared', user: hit.sharedBy, channel, snapshot: hit.model.view.question.snapshotId });
    return 'done';
  } catch (error) {
    logger.warn({ err: error }, 'a hit could not be shared');
    await leases.release(lease);
    return isRefused(error) ? 'refused' : 'unsure';
  }
}
