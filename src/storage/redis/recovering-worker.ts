import { Worker } from 'bullmq';
import type { SealedJob } from './sealed-job.ts';

/**
 * After trouble with its connection BullMQ's worker no longer knows when the next job is due and assumes never: it
 * would block for up to ten seconds on a notification that came before the trouble. This worker looks for due jobs at
 * once.
 */
export class RecoveringWorker extends Worker<SealedJob> {
  protected override getBlockTimeout(blockUntil: number): number {
    return Number.isFinite(blockUntil) ? super.getBlockTimeout(blockUntil) : 0;
  }
}
