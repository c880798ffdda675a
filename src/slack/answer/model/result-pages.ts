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

/** What fits one page: 5 diagnostics as blocks, 8 as lines, or some of both. */
const PAGE_SHARES = 40;
const SHARES: Record<ListedHit['form'], number> = { blocks: 8, line: 5 };

/** The list in pages; every diagnostic is on exactly one. */
export function pagesOf(listed: readonly ListedHit[]): Page[] {
  const pages: { first: number; count: number; shares: number }[] = [];
  listed.forEach(({ form }, index) => {
    const shares = SHARES[form];
    const last = pages.at(-1);
    if (last === undefined || last.shares + shares > PAGE_SHARES) {
      pages.push({ first: index, count: 1, shares });
    } else {
      last.count += 1;
      last.shares += shares;
    }
  });
  return pages.map(({ first, count }) => ({ first, count }));
}
