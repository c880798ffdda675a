import type { Diagnostic, DiagnosticsResult } from '../core/diagnostics.ts';
import { cutBefore, decomposed } from '../core/texts.ts';

/**
 * The most that all long texts weigh together, and everything else together. Real results weigh a tenth of that. More
 * could be stored, but drawing and exporting it would hold the event loop for longer than 200 ms.
 */
const MOST = 2_000_000;
/** What a text, and each further line of it, weighs besides its UTF-16 units: drawing many short ones takes time. */
const TEXT = 80;
const LINE = 20;
/** If each long text had to be cut below this weight, the result would be useless: the document is refused instead. */
const LEAST_SHARE = 100;
const NOTE = '… (cut here: the document is too large to keep in full)';

/**
 * The diagnostics with their longest summaries, actions and outputs cut, so that a result can be stored and shown
 * without delaying others; each cut says so. Real results stay as they are. Undefined if they are too large for that.
 */
export function boundedTexts(
  diagnostics: readonly Diagnostic[],
): Pick<DiagnosticsResult, 'diagnostics' | 'readTo'> | undefined {
  if (diagnostics.reduce((total, diagnostic) => total + weightIn(diagnostic, LONG), 0) > MOST)
    return undefined;
  const share = shareOf(diagnostics.flatMap(longTexts).map(weightOf));
  if (share < LEAST_SHARE) return undefined;
  if (share === Number.POSITIVE_INFINITY) return { diagnostics };
  let readTo = share;
  const cut = (text: string) => {
    if (weightOf(text) <= share) return text;
    const end = cutBefore(text, endOf(text, share));
    readTo = Math.min(readTo, end);
    return `${text.slice(0, end).toWellFormed().trimEnd()}${NOTE}`;
  };
  const cutAll = diagnostics.map((diagnostic) => ({
    ...diagnostic,
    summary: cut(diagnostic.summary),
    action: cut(diagnostic.action),
    output: diagnostic.output.map(cut),
    ...(diagnostic.unshown !== undefined && { unshown: cut(diagnostic.unshown) }),
  }));
  return { diagnostics: cutAll, readTo };
}

function weightOf(text: string): number {
  let weight = text.length + TEXT;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) weight += LINE;
  return weight;
}

/** The length of the beginning that weighs so much. */
function endOf(text: string, weight: number): number {
  let end = 0;
  for (let left = weight - TEXT; left > 0; end += 1) left -= text[end] === '\n' ? 1 + LINE : 1;
  return end;
}

const LONG: ReadonlySet<string> = new Set(['summary', 'action', 'output', 'unshown']);

function longTexts({ summary, action, output, unshown }: Diagnostic): string[] {
  return [summary, action, ...output, ...(unshown === undefined ? [] : [unshown])];
}

/**
 * Everything else: a field that is added later counts too. Messages compare these texts whole with ids, in the decomposed
 * form: there, one character can be eighteen.
 */
function weightIn(value: unknown, without?: ReadonlySet<string>): number {
  if (typeof value === 'string') {
    const other = decomposed(value);
    return other === value ? weightOf(value) : Math.max(weightOf(value), weightOf(other));
  }
  if (typeof value !== 'object' || value === null) return 0;
  let weight = 0;
  for (const [name, each] of Object.entries(value)) if (!without?.has(name)) weight += weightIn(each);
  return weight;
}

/** What a text may weigh for all of them to fit: light ones leave their share to the others. Infinite if all fit. */
function shareOf(weights: readonly number[]): number {
  const sorted = weights.toSorted((one, other) => one - other);
  let left = MOST;
  for (const [index, weight] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (weight > share) return share;
    left -= weight;
  }
  return Number.POSITIVE_INFINITY;
}
