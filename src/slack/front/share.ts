import { Remembered } from '../../core/remembered.ts';
import type { Refusal } from '../report/notices.ts';

const MINUTE_MS = 60_000;
/** How many refusals a person gets in a minute; further ones are silent. */
const TOLD_PER_MINUTE = 3;
/** The most people that are counted at once. */
const MOST_KNOWN = 10_000;

/** What a person asks for is refused. */
export class Refused extends Error {
  readonly reason: Refusal | 'too-many';
  constructor(reason: Refused['reason']) {
    super(`refused: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Limits requests per person. They are counted in this process alone, so the limit grows with the number of replicas.
 * `perMinute`: the most requests of one person in a minute, and at once.
 */
export function fairShare({ perMinute, now }: { readonly perMinute: number; readonly now: () => number }) {
  const told = buckets(TOLD_PER_MINUTE, now);
  const take = buckets(perMinute, now);
  return {
    /** Counts a request; false if the person's share is used up. `cost`: 1 is a command. */
    take,
    /** The same, but throws `Refused`. */
    pay: (user: string, cost: number) => {
      if (!take(user, cost)) throw new Refused('too-many');
    },
    /** Whether to tell a person once more that they are refused. */
    shouldTell: (user: string) => told(user, 1),
  };
}

/** Token buckets that fill evenly, one for each person. */
function buckets(perMinute: number, now: () => number): (user: string, cost: number) => boolean {
  const shares = new Remembered<{ readonly left: number; readonly at: number }>(MOST_KNOWN);
  return (user, cost) => {
    const time = now();
    const { left, at } = shares.get(user) ?? { left: perMinute, at: time };
    const filled = left + (Math.max(0, time - at) * perMinute) / MINUTE_MS;
    const available = Math.min(Math.max(perMinute, 1), filled);
    const isEnough = available >= cost;
    shares.set(user, { left: isEnough ? available - cost : available, at: time }, 0);
    return isEnough;
  };
}
