import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import type { Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import { shorten } from '../block-kit/limits.ts';
import { filterLine } from './filter.ts';
import type { Line } from './fitting.ts';
import type { ResultModel } from './result-model.ts';
import { ONLY_HITS, outcomeWords, quotedWords, readPart, sentOnlyHits } from './verdicts.ts';
import { count, countDoubt, counted, deviceLine, unstatedCount } from './wording.ts';

const LONGEST_LINE = 200;

/** What a search finds in a result: the verdict on each id, how much was searched, and what is not known of it. */
export function searchLines(model: ResultModel): Line[] {
  const verdicts = verdictLines(model);
  const device = deviceLine(model.answers.result);
  const unseen = sentOnlyHits(model.answers.result) ? ONLY_HITS : '';
  const said = [...verdicts, searchLine(model), countDoubt(model.counts.checks), unseen];
  return [
    // The verdicts, or else the line that says how much was found.
    ...said.map((line, at) => ({ ...cut(line), isBold: at < Math.max(1, verdicts.length) })),
    { text: filterLine(model), report: '' },
    { ...cut(device), beside: '' },
  ];
}

function cut(line: string): Line {
  return { text: shorten(line, LONGEST_LINE), beside: line, report: line };
}

const MOST_NAMED = 3;
const LONGEST_NAME = 40;
const MOST_CLUES = 2;
const LONGEST_LEVEL = 24;

/** What the analysis says of an id in one line, with who says it. */
function verdictLine(verdict: Verdict, readTo: number | undefined): string {
  const { id, clues = [], outcome, saidBy } = verdict;
  const by = named(saidBy, id, outcome === 'hit');
  if (outcome === 'mentioned') return `No check for ${id} is listed: only the text of ${by} mentions it`;
  if (outcome === 'perhaps') {
    const stands = clues.slice(0, MOST_CLUES).map((clue) => `“${shorten(clue, LONGEST_NAME)}”`);
    return `Not written out: ${id}, but ${stands.join(' or ')} stands in ${by}`;
  }
  return `${outcomeWords(verdict, readTo)}: ${id}${by === '' ? '' : ` (${by})`}`;
}

/** The verdict on each id of a search. */
export function verdictLines({ answers: { found, result } }: ResultModel): string[] {
  return (found?.verdicts ?? []).map((verdict) => verdictLine(verdict, result.readTo));
}

/** The diagnostics that say it, but for the one that is called `id` itself, with their levels where those are asked for. */
function named(saidBy: readonly Diagnostic[], id: string, withLevels: boolean): string {
  const said = saidBy.slice(0, MOST_NAMED).map((diagnostic) => {
    const name = diagnostic.name === id ? '' : shorten(diagnostic.name, LONGEST_NAME);
    const level = withLevels ? shorten(levelOf(diagnostic).word.toLowerCase(), LONGEST_LEVEL) : '';
    return [name, level].filter(Boolean).join(', ');
  });
  const more = saidBy.length - MOST_NAMED;
  return `${said.filter(Boolean).join('; ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** What was searched for, in how much, and how much of it matches. */
function searchLine({ view, answers, counts, noun, all: matching, passed = [] }: ResultModel): string {
  const { diagnostics } = answers.result;
  const { all } = counts;
  const { hits = 0 } = counts.checks.listed;
  const misses = diagnostics.filter(({ match }) => match === 'miss').length;
  const { search = [], side } = view;
  const sides = { hit: counted(hits, 'hit'), miss: counted(misses, 'passed check') };
  const parts = [sides.hit, `${count(misses)} passed`, unstatedCount(counts.checks)].filter(Boolean);
  const everything = `${counted(diagnostics.length, 'check')} (${parts.join(', ')})`;
  // The verdicts have said what was found of each id.
  if (search.every(isIssueId)) {
    const only = side && `; only ${side === 'hit' ? 'hits' : 'passed checks'} are listed`;
    return `Searched ${everything}${only ?? ''}`;
  }
  // Next to a verdict that an id is a hit, only “together” says why nothing is listed.
  const terms = [search.filter(isIssueId).join(' '), quotedWords(search)].filter(Boolean);
  const sought = terms.join(' together with ');
  const searched = side === undefined ? everything : sides[side];
  const { readTo } = answers.result;
  const part = readTo === undefined ? '' : ` — ${readPart(readTo)}`;
  const unstated = unstatedCount({ unstated: matching.filter(({ hit }) => hit.match === 'unstated').length });
  if (all + passed.length === 0 && unstated === '') return `Nothing matches ${sought} in ${searched}${part}`;
  const isMixed = side === undefined && misses > 0;
  const listed = noun === 'hit' ? `${count(all)} of ${sides.hit}` : `${count(all)} of ${sides.miss}`;
  const ofChecks = `${count(passed.length)} of ${sides.miss}`;
  // Where there are no hits nobody looks for something in them.
  const found = isMixed ? [...(hits > 0 ? [listed] : []), ofChecks].join(' and ') : listed;
  return `${sought}: found in ${found}${unstated && `, and ${unstated}`}`;
}
