import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from './diagnostics.ts';
import { fold } from './folding.ts';

/** What to look for: ids of CVEs, articles and diagnostics, words and quoted phrases. */
export type Search = readonly string[];

/**
 * Where the analysis names an id: in a hit, in a check that passed, only in the text of another diagnostic, or nowhere.
 */
type Outcome = 'hit' | 'passed' | 'mentioned' | 'absent';

/** One id of a search, with the diagnostics that name it, in their order. */
export type Verdict = {
  readonly id: string;
  readonly outcome: Outcome;
  readonly saidBy: readonly Diagnostic[];
};

/** The diagnostics that match a search, and a verdict for each id in it. */
export type Found = { readonly matches: ReadonlySet<Diagnostic>; readonly verdicts: readonly Verdict[] };

type IdKind = 'cve' | 'article' | 'diagnostic';
type Term = { readonly text: string; readonly folded: string; readonly kind: IdKind | 'word' };

const ID_KINDS: readonly (readonly [IdKind, RegExp])[] = [
  ['cve', /^cve-\d{4}-\d{4,}$/],
  ['article', /^k\d{4,}$/],
  ['diagnostic', /^[hd]\d{4,}(?:-\d+)?$/],
];
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
/** How many characters are searched before the event loop gets a turn: a few milliseconds of work. */
const SLICE = 250_000;
/** Longer than any term, so that a term across the end of a slice is found in the next slice. */
const OVERLAP = 1_000;

/** Whether a term is the id of a CVE, an article or a diagnostic. */
export function isIssueId(term: string): boolean {
  return kindOf(fold(term)) !== 'word';
}

/**
 * Searches every text of every diagnostic. All words must occur (ignoring case and accents), and at least one of the
 * ids. An id matches only as a whole: CVE-2026-1000 is not found in CVE-2026-10000. Yields to the event loop in
 * between.
 */
export async function search(diagnostics: readonly Diagnostic[], sought: Search): Promise<Found> {
  const terms = sought.map(termOf);
  const words = terms.filter(({ kind }) => kind === 'word');
  const ids = terms.filter(({ kind }) => kind !== 'word');
  const matches = new Set<Diagnostic>();
  const mentions = new Map<Term, Diagnostic[]>();
  const pace = { left: SLICE };
  for (const diagnostic of diagnostics) {
    const occurring = await occurringIn(diagnostic, terms, pace);
    const namesOne = ids.length === 0 || ids.some((id) => occurring.has(id));
    if (namesOne && words.every((word) => occurring.has(word))) matches.add(diagnostic);
    for (const id of ids.filter((each) => occurring.has(each))) {
      mentions.set(id, [...(mentions.get(id) ?? []), diagnostic]);
    }
  }
  return { matches, verdicts: ids.map((id) => verdictOn(id, mentions.get(id) ?? [])) };
}

function termOf(text: string): Term {
  const folded = fold(text).trim();
  return { text, folded, kind: kindOf(folded) };
}

function kindOf(folded: string): Term['kind'] {
  return ID_KINDS.find(([, form]) => form.test(folded))?.[0] ?? 'word';
}

/** The outcome for one id: a hit outranks a check that passed, and both outrank a mention in some text. */
function verdictOn(id: Term, mentioning: readonly Diagnostic[]): Verdict {
  const about = mentioning.filter((diagnostic) => isAbout(diagnostic, id));
  const hits = about.filter(({ isHit }) => isHit);
  if (hits.length > 0) return { id: id.text, outcome: 'hit', saidBy: hits };
  if (about.length > 0) return { id: id.text, outcome: 'passed', saidBy: about };
  const outcome = mentioning.length > 0 ? 'mentioned' : 'absent';
  return { id: id.text, outcome, saidBy: mentioning };
}

/** Whether a diagnostic is about that id itself. Summaries, actions and evidence may cite other CVEs and articles. */
function isAbout(diagnostic: Diagnostic, id: Term): boolean {
  const { name, title, cveIds, solutions } = diagnostic;
  const texts = {
    cve: [title, ...cveIds],
    article: solutions.flatMap(({ url, id: article = '' }) => [article, url]),
    diagnostic: [name],
    word: [],
  }[id.kind];
  return texts.some((text) => occursIn(fold(text), id));
}

async function occurringIn(
  diagnostic: Diagnostic,
  terms: readonly Term[],
  pace: { left: number },
): Promise<Set<Term>> {
  const found = new Set<Term>();
  for (const text of textsOf(diagnostic)) {
    for (let start = 0; start < text.length && found.size < terms.length; start += SLICE) {
      const slice = text.slice(start, start + SLICE + OVERLAP);
      const folded = fold(slice);
      for (const term of terms) if (!found.has(term) && occursIn(folded, term)) found.add(term);
      pace.left -= slice.length;
      if (pace.left > 0) continue;
      pace.left = SLICE;
      await setImmediate();
    }
  }
  return found;
}

function* textsOf({
  name,
  title,
  summary,
  action,
  cveIds,
  solutions,
  output,
}: Diagnostic): Generator<string> {
  yield* [name, title, summary, action];
  yield* cveIds;
  for (const { url, id = '' } of solutions) yield* [id, url];
  yield* output;
}

function occursIn(folded: string, { folded: sought, kind }: Term): boolean {
  if (kind === 'word') return folded.includes(sought);
  for (let at = folded.indexOf(sought); at !== -1; at = folded.indexOf(sought, at + 1)) {
    const [before = '', after = ''] = [folded[at - 1], folded[at + sought.length]];
    if (!LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after)) return true;
  }
  return false;
}
