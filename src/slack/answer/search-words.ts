import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import type { Verdict } from '../../core/searching.ts';
import { searchText } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { ReadyUnit } from '../../lookups/lookup-status.ts';
import { shorten } from '../block-kit/limits.ts';
import { filterLine } from './filter.ts';
import type { Line } from './fitting.ts';
import { everyOne } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { isReady, type NamedUnit } from './rows.ts';
import {
  capital,
  count,
  countDoubt,
  counted,
  deviceLine,
  listed,
  NOT_STATED,
  unstatedCount,
} from './wording.ts';

const LONGEST_LINE = 200;

/** What a search finds in a result: the verdict on each id, how much was searched, and what is not known of it. */
export function searchLines(model: ResultModel): Line[] {
  const verdicts = verdictLines(model);
  const device = deviceLine(model.answers.result);
  const said = [...verdicts, searchLine(model), countDoubt(model.counts.checks), unseenChecks(model)];
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
function searchLine({ view, answers, counts, noun, shown, passed = [] }: ResultModel): string {
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
  const quoted = search.filter((term) => !isIssueId(term)).map((term) => `“${term}”`);
  const terms = [search.filter(isIssueId).join(' '), quoted.join(' ')].filter(Boolean);
  const sought = terms.join(' together with ');
  const searched = side === undefined ? everything : sides[side];
  const { readTo } = answers.result;
  const part = readTo === undefined ? '' : ` — ${readPart(readTo)}`;
  const unstated = unstatedCount({ unstated: shown.filter(({ hit }) => hit.match === 'unstated').length });
  if (all + passed.length === 0 && unstated === '') return `Nothing matches ${sought} in ${searched}${part}`;
  const isMixed = side === undefined && misses > 0;
  const listed = noun === 'hit' ? `${count(all)} of ${sides.hit}` : `${count(all)} of ${sides.miss}`;
  const ofChecks = `${count(passed.length)} of ${sides.miss}`;
  // Where there are no hits nobody looks for something in them.
  const found = isMixed ? [...(hits > 0 ? [listed] : []), ofChecks].join(' and ') : listed;
  return `${sought}: found in ${found}${unstated && `, and ${unstated}`}`;
}

/** Some services send only the hits, whatever is asked: then nothing can be said of what was checked. Or ''. */
function unseenChecks({ answers }: ResultModel): string {
  const { diagnostics } = answers.result;
  const sentOnlyHits = diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
  return sentOnlyHits ? 'The service sent only hits: what else it checked is not known.' : '';
}

/** Where an id was looked for. Of a document that is too large to keep, nothing is known beyond what was read. */
function readPart(readTo: number | undefined): string {
  if (readTo === undefined) return 'this analysis';
  return `the first ${count(readTo)} characters of each text, which is all that was read`;
}

const OUTCOMES: Record<Exclude<Verdict['outcome'], 'absent'>, string> = {
  hit: 'Hit',
  unstated: capital(NOT_STATED),
  passed: 'Checked, not a hit',
  mentioned: 'No check is listed, only mentioned',
  perhaps: 'Not written out, only its number or a range',
};

/**
 * What the analysis says of an id, in a few words. Never that the device is not affected: the analysis knows only what
 * it checks.
 */
function outcomeWords({ outcome }: Verdict, readTo: number | undefined): string {
  return outcome === 'absent' ? `Not mentioned in ${readPart(readTo)}` : OUTCOMES[outcome];
}

/** `CVE-2026-10128: hit on 2 of 4 (lb-a and lb-c)`, for each id; words are one thing. */
export function searchVerdict(units: readonly NamedUnit[], { noun, all, view }: ResultModel): string {
  const found = units.map((unit) => (isReady(unit) ? (unit.found?.verdicts ?? []) : []));
  const ids = [...new Set(found.flatMap((verdicts) => verdicts.map(({ id }) => id)))];
  const isOn = (at: number) => all.some(({ cells = [] }) => cells[at] !== undefined);
  if (ids.length === 0) return `“${searchText(view.search ?? [])}”: ${onWhich(units, noun, isOn)}`;
  const outcome = noun === 'hit' ? 'hit' : 'passed';
  const names = (id: string) => (at: number) =>
    found[at]?.some((verdict) => verdict.id === id && verdict.outcome === outcome) ?? false;
  return ids.map((id) => `${id}: ${onWhich(units, noun, ids.length === 1 ? isOn : names(id))}`).join(' · ');
}

function onWhich(units: readonly NamedUnit[], noun: string, isOn: (at: number) => boolean): string {
  const names = units.filter((_, at) => isOn(at)).map(({ name }) => name);
  const what = noun === 'hit' ? 'hit' : 'found';
  if (names.length === 0)
    return `no ${noun === 'hit' ? 'hit' : 'passed check'}${units.every(isReady) ? '' : ` on ${everyOne(units)}`}`;
  return names.length === units.length
    ? `${what} on ${everyOne(units)}`
    : `${what} on ${count(names.length)} of ${count(units.length)} (${listed(names)})`;
}

/** What the analysis says of each id that is searched for, or how much mentions the words. */
export function outcomesOf({ found, result }: ReadyUnit, { noun }: ResultModel): string {
  const verdicts = found?.verdicts ?? [];
  if (verdicts.length > 0) {
    return [...Map.groupBy(verdicts, (verdict) => outcomeWords(verdict, result.readTo))]
      .map(([said, those]) =>
        verdicts.length === 1 ? said : `${said}: ${those.map(({ id }) => id).join(', ')}`,
      )
      .join(' · ');
  }
  const those = Map.groupBy(found?.matches ?? [], ({ match }) => match);
  const of = (match: Diagnostic['match']) => those.get(match)?.length ?? 0;
  if (those.size === 0) return `Nothing matches in ${readPart(result.readTo)}`;
  return [
    ...(noun === 'hit' ? [counted(of('hit'), 'hit')] : []),
    counted(of('miss'), 'passed check'),
    unstatedCount({ unstated: of('unstated') }),
  ]
    .filter(Boolean)
    .join(' · ');
}
