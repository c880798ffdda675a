import { type Comparison, compareHits, type Named } from '../core/comparing.ts';
import { listsWholeSide, sideOf } from '../core/counting.ts';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';

/** The names and importances of a result's hits: enough to say later what has changed. */
export type HitSummary = readonly Named[];

/** Stores a summary of every result that was read in full, by question and time of reading. */
export class HitSummaries {
  readonly #namespace: Namespace<readonly (readonly [name: string, importance: string])[]>;
  readonly #ttlMs: number;

  /** `ttlMs`: for how long. Milliseconds. */
  constructor(namespace: Namespace<readonly (readonly [name: string, importance: string])[]>, ttlMs: number) {
    this.#namespace = namespace;
    this.#ttlMs = ttlMs;
  }

  /** `readAt` is epoch milliseconds. Throws `StorageFailed`. */
  async keep(question: Question, result: DiagnosticsResult, readAt: number): Promise<void> {
    const summary = hitSummaryOf(question, result);
    if (summary === undefined) return;
    const short = summary.map(({ name, importance }) => [name, importance] as const);
    await this.#namespace.set(keyOf(question, readAt), short, this.#ttlMs);
  }

  /** Undefined if there is none, or if it has expired. Throws `StorageFailed`. */
  async find(question: Question, readAt: number): Promise<HitSummary | undefined> {
    const short = await this.#namespace.get(keyOf(question, readAt));
    return short?.map(([name, importance]) => ({ name, importance }));
  }
}

/**
 * What changed from a summary to this result, or where the summary is of a later snapshot, from the result to it;
 * undefined if either is missing or incomplete.
 */
export function changesSince(
  known: HitSummary | undefined,
  question: Question,
  result: DiagnosticsResult,
  isKnownLater = false,
): Comparison<Named> | undefined {
  const summary = hitSummaryOf(question, result);
  if (known === undefined || summary === undefined) return undefined;
  return isKnownLater ? compareHits(summary, known) : compareHits(known, summary);
}

/**
 * The hits, or for `miss` the passed checks, that a question is about; undefined if the document does not list all of
 * them.
 */
function hitSummaryOf({ set }: Question, result: DiagnosticsResult): HitSummary | undefined {
  return listsWholeSide(result, set) ? sideOf(result, set === 'miss' ? 'miss' : 'hit') : undefined;
}

function keyOf(question: Question, readAt: number): string {
  return `${questionKey(question)}:${readAt}`;
}
