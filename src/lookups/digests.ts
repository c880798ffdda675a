import type { Named } from '../core/comparing.ts';
import { sideOf } from '../core/counting.ts';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import type { Kept } from '../core/store.ts';

/** What a message was made of, in short: enough to say later what has changed since. */
export type Digest = readonly Named[];

/** As long as the service keeps a snapshot, so for as long as a message can be refreshed. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** The names and importances of every result that was read, each under the time at which it was. */
export class Digests {
  readonly #kept: Kept<readonly (readonly [name: string, importance: string])[]>;

  constructor(kept: Kept<readonly (readonly [name: string, importance: string])[]>) {
    this.#kept = kept;
  }

  /** `readAt` is epoch milliseconds. Throws `StorageFailed`. */
  async keep(question: Question, result: DiagnosticsResult, readAt: number): Promise<void> {
    const short = digestOf(question, result).map(({ name, importance }) => [name, importance] as const);
    await this.#kept.set(keyOf(question, readAt), short, KEPT_MS);
  }

  /** Undefined when it is not kept any more. Throws `StorageFailed`. */
  async find(question: Question, readAt: number): Promise<Digest | undefined> {
    const short = await this.#kept.get(keyOf(question, readAt));
    return short?.map(([name, importance]) => ({ name, importance }));
  }
}

/** The side that a question is about: its hits, or what was checked and is fine. */
export function digestOf({ set }: Question, result: DiagnosticsResult): Digest {
  return sideOf(result, set === 'miss' ? 'miss' : 'hit');
}

function keyOf(question: Question, readAt: number): string {
  return `${questionKey(question)}:${readAt}`;
}
