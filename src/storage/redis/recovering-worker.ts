import { Worker } from 'bullmq';
import type { SealedJob } from './sealed-job.ts';

/**
 * BullMQ's worker, which after trouble with its connection doesn't know any more when the next job is due, and says
 * that it never is: it would wait for up to ten seconds for news that came before the trouble. This one looks.
 */
export class RecoveringWorker extends Worker<SealedJob> {
  protected override getBlockTimeout(blockUntil: number): number {
    return Number.isFinite(blockUntil) ? super.getBlockTimeout(blockUntil) : 0;
  }
}
