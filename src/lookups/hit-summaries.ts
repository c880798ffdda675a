import { type Comparison, compareHits, type Named } from '../core/comparing.ts';
import { listsWholeSide, sideOf } from '../core/counting.ts';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';

/** What a message was made of, in short: enough to say later what has changed since. */
export type HitSummary = readonly Named[];

/** The names and importances of every result that was read whole, each under the time at which it was. */
export class HitSummaries {
  readonly #kept: Namespace<readonly (readonly [name: string, importance: string])[]>;
  readonly #keptMs: number;

  /** `keptMs`: for how long. Milliseconds. */
  constructor(kept: Namespace<readonly (readonly [name: string, importance: string])[]>, keptMs: number) {
    this.#kept = kept;
    this.#keptMs = keptMs;
  }

  /** `readAt` is epoch milliseconds. Throws `StorageFailed`. */
  async keep(question: Question, result: DiagnosticsResult, readAt: number): Promise<void> {
    const summary = hitSummaryOf(question, result);
    if (summary === undefined) return;
    const short = summary.map(({ name, importance }) => [name, importance] as const);
    await this.#kept.set(keyOf(question, readAt), short, this.#keptMs);
  }

  /** Undefined when it is not kept, or not any more. Throws `StorageFailed`. */
  async find(question: Question, readAt: number): Promise<HitSummary | undefined> {
    const short = await this.#kept.get(keyOf(question, readAt));
    return short?.map(([name, importance]) => ({ name, importance }));
  }
}

/** What changed from an earlier summary to this result; undefined where either of them is not known in full. */
export function changesSince(
  earlier: HitSummary | undefined,
  question: Question,
  result: DiagnosticsResult,
): Comparison<Named> | undefined {
  const summary = hitSummaryOf(question, result);
  return earlier && summary && compareHits(earlier, summary);
}

/** The side that a question is about, its hits or what was checked and is fine; undefined where it is not all listed. */
function hitSummaryOf({ set }: Question, result: DiagnosticsResult): HitSummary | undefined {
  return listsWholeSide(result, set) ? sideOf(result, set === 'miss' ? 'miss' : 'hit') : undefined;
}

function keyOf(question: Question, readAt: number): string {
  return `${questionKey(question)}:${readAt}`;
}
