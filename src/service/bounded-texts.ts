import type { Diagnostic, DiagnosticsResult } from '../core/diagnostics.ts';
import { cutBefore } from '../core/issue-ids.ts';

/**
 * The most UTF-16 units of all long texts together, and of everything else together. Real results have a tenth of that.
 */
const MOST = 4_000_000;
/** A document up to this length needs no check: reading never makes its texts more than four times as long. */
const NEVER_TOO_LONG = MOST / 4;
/** If each long text had to be cut below this length, the result would be useless: the document is refused instead. */
const LEAST_SHARE = 100;
const NOTE = '… (cut here: the document is too large to keep in full)';

/**
 * The diagnostics with their longest summaries, actions and outputs cut, so that a result can be stored and shown
 * without delaying others; each cut says so. Real results stay as they are. Undefined if they are too large for that.
 * `documentLength`: in UTF-16 units, of the document that they were read from.
 */
export function boundedTexts(
  diagnostics: readonly Diagnostic[],
  documentLength: number,
): Pick<DiagnosticsResult, 'diagnostics' | 'readTo'> | undefined {
  if (documentLength <= NEVER_TOO_LONG) return { diagnostics };
  if (lengthIn(diagnostics.map(shortTexts)) > MOST) return undefined;
  const share = shareOf(diagnostics.flatMap(longTexts).map(({ length }) => length));
  if (share < LEAST_SHARE) return undefined;
  if (share === Number.POSITIVE_INFINITY) return { diagnostics };
  let readTo = share;
  const cut = (text: string) => {
    if (text.length <= share) return text;
    const end = cutBefore(text, share);
    readTo = Math.min(readTo, end);
    return `${text.slice(0, end).toWellFormed().trimEnd()}${NOTE}`;
  };
  const cutAll = diagnostics.map((diagnostic) => ({
    ...diagnostic,
    summary: cut(diagnostic.summary),
    action: cut(diagnostic.action),
    output: diagnostic.output.map(cut),
  }));
  return { diagnostics: cutAll, readTo };
}

function longTexts({ summary, action, output }: Diagnostic): string[] {
  return [summary, action, ...output];
}

/** Everything else: a field that is added later counts too. */
function shortTexts({ summary: _summary, action: _action, output: _output, ...others }: Diagnostic): object {
  return others;
}

/** How long all texts in a value are together. */
function lengthIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((total, each) => total + lengthIn(each), 0);
}

/** How long a text may be for all of them to fit: short ones leave their share to the others. Infinite if all fit. */
function shareOf(lengths: readonly number[]): number {
  const sorted = lengths.toSorted((one, other) => one - other);
  let left = MOST;
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
