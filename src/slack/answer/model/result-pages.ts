import type { Change } from '../../../core/comparing.ts';
import type { Diagnostic } from '../../../core/diagnostics.ts';

/** A diagnostic of a result; in a comparison, what became of it, and the earlier diagnostic. */
export type ShownHit = {
  readonly hit: Diagnostic;
  readonly change?: Change;
  readonly was?: Diagnostic;
  /** The hit counts as cleared, but the later document does not list all its hits: the device may still have it. */
  readonly isUncertain?: true;
};

/** One diagnostic in the list of a message: as blocks of its own with buttons, or as one line of text. */
export type ListedHit = ShownHit & { readonly form: 'blocks' | 'line' };

/** The diagnostics that one message shows: where they begin in the list, and how many there are. */
export type Page = { readonly first: number; readonly count: number };

/**
 * How much of a page a diagnostic takes. The first page stands below the head and fits a phone's screen: 3 as blocks or
 * 8 as lines. A later one has 5 as blocks or 10 as lines; each has some of both where both are listed.
 */
const SHARES = { first: { blocks: 8, line: 3, page: 24 }, later: { blocks: 2, line: 1, page: 10 } };

/** The list in pages; every diagnostic is on exactly one. */
export function pagesOf(listed: readonly ListedHit[]): Page[] {
  const pages: Page[] = [];
  for (let first = 0; first < listed.length; first += pages.at(-1)?.count ?? 1) {
    const count = countFrom(listed, first, first === 0 ? SHARES.first : SHARES.later);
    pages.push({ first, count });
  }
  return pages;
}

function countFrom(listed: readonly ListedHit[], first: number, shares: typeof SHARES.first): number {
  let left = shares.page;
  let count = 0;
  for (const { form } of listed.slice(first, first + shares.page)) {
    left -= shares[form];
    if (left < 0) break;
    count += 1;
  }
  return count;
}
