import type { SnapshotId } from '../core/diagnostics.ts';
import type { Question } from '../core/lookup.ts';
import type { Precedence } from '../core/scheduling.ts';
import type { Polls, Processing, Ready } from './polls.ts';

/** The next time of day, later than `after`, at which a snapshot is read: the snapshots are spread over the day. */
export function dueAfter(after: number, snapshotId: SnapshotId, dayMs: number): number {
  // The golden ratio puts ids that follow each other far apart.
  const share = (Number(snapshotId.slice(-9)) * 0.618_033_988_749_895) % 1;
  const today = Math.floor(after / dayMs) * dayMs + Math.floor(share * dayMs);
  return today > after ? today : today + dayMs;
}

type BackgroundOptions = {
  readonly polls: Pick<Polls, 'look'>;
  readonly precedence: Precedence;
  /** The most requests of a process to the service at once, for people and all else. */
  readonly concurrency: number;
  /** How many requests of people wait for their turn. */
  readonly waiting: () => number;
};

export type BackgroundReads = ReturnType<typeof readsInBackground>;

/** Reads for which nobody waits: a tenth of the requests at most, and none while a person's request waits for its turn. */
export function readsInBackground({ polls, precedence, concurrency, waiting }: BackgroundOptions) {
  const most = Math.max(1, Math.floor(concurrency / 10));
  let running = 0;
  return {
    /** The answer, read at `notBefore` or later; undefined while there is no room for it. Throws every `Fault`. */
    async look(question: Question, notBefore: number): Promise<Ready | Processing | undefined> {
      if (running >= most || waiting() > 0) return undefined;
      running += 1;
      try {
        await precedence.turn();
        return await polls.look(question, notBefore);
      } finally {
        running -= 1;
      }
    },
  };
}
