const SHARE_OF_AGE = 0.1;
const LEAST_MS = 2_000;
const MOST_MS = 600_000;

/**
 * How soon a replica tries again to read a job that it cannot read: after a share of the job's age, within bounds. A
 * replica that can read it takes it as soon as it sees it. Milliseconds.
 */
export function unreadablePause(ageMs: number): number {
  return Math.max(LEAST_MS, Math.min(ageMs * SHARE_OF_AGE, MOST_MS));
}
