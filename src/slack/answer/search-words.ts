import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { type Search, searchText, type Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { ReadyUnit } from '../../lookups/lookup-status.ts';
import { shorten } from '../blocks/limits.ts';
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
  joined,
  listed,
  tally,
  unstatedCount,
} from './wording.ts';

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
    filterLine(model),
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
function verdictLine(verdict: Verdict): string {
  const { id, clues = [], outcome, saidBy } = verdict;
  const by = named(saidBy, id, outcome === 'hit');
  if (outcome === 'mentioned') return `No check for ${id} is listed: only the text of ${by} mentions it`;
  if (outcome === 'perhaps') {
    const stands = clues.slice(0, MOST_CLUES).map((clue) => `“${shorten(clue, LONGEST_NAME)}”`);
    return `Not written out: ${id}, but ${stands.join(' or ')} stands in ${by}`;
  }
  return `${outcomeWords(verdict)}: ${id}${by === '' ? '' : ` (${by})`}`;
}

/** The verdict on each id of a search. */
function verdictLines({ answers: { found } }: ResultModel): string[] {
  return (found?.verdicts ?? []).map(verdictLine);
}

/** The diagnostics that say it, but for the one that is called `id` itself, with their levels where those are asked for. */
function named(saidBy: readonly Diagnostic[], id: string, withLevels: boolean): string {
  const said = saidBy.slice(0, MOST_NAMED).map((diagnostic) => {
    const name = diagnostic.name === id ? '' : shorten(diagnostic.name, LONGEST_NAME);
    const level = withLevels ? shorten(levelOf(diagnostic).word.toLowerCase(), LONGEST_LEVEL) : '';
    return joined(', ', name, level);
  });
  const more = saidBy.length - MOST_NAMED;
  return `${joined('; ', ...said)}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** What was searched for, in how much, and how much of it matches. */
function searchLine({ view, answers, counts, noun, passed = [] }: ResultModel): string {
  const { diagnostics } = answers.result;
  const { all } = counts;
  const { hits = 0 } = counts.checks.listed;
  const misses = diagnostics.filter(({ match }) => match === 'miss').length;
  const { search = [], side } = view;
  const sides = { hit: counted(hits, 'hit'), miss: counted(misses, 'passed check') };
  const parts = joined(', ', sides.hit, `${count(misses)} passed`, unstatedCount(counts.checks));
  const everything = `${counted(diagnostics.length, 'check')} (${parts})`;
  // The verdicts have said what was found of each id.
  if (search.every(isIssueId)) {
    const only = side && `; only ${side === 'hit' ? 'hits' : 'passed checks'} are listed`;
    return `Searched ${everything}${only ?? ''}`;
  }
  // Next to a verdict that an id is a hit, only “together” says why nothing is listed.
  const sought = joined(' together with ', search.filter(isIssueId).join(' '), quotedWords(search));
  const searched = side === undefined ? everything : sides[side];
  if (all + passed.length === 0) return `Nothing matches ${sought} in ${searched}`;
  const isMixed = side === undefined && misses > 0;
  // Where there are no hits nobody looks for something in them.
  const inListed = !(isMixed && hits === 0) && `${count(all)} of ${sides[noun === 'hit' ? 'hit' : 'miss']}`;
  const found = joined(' and ', inListed, isMixed && `${count(passed.length)} of ${sides.miss}`);
  return `${sought}: found in ${found}`;
}

/** The outcomes in few words, that first which weighs most. */
const OUTCOMES: Record<Verdict['outcome'], string> = {
  hit: 'hit',
  passed: 'checked, not a hit',
  mentioned: 'only mentioned',
  perhaps: 'not written out',
  absent: 'not mentioned',
};

/**
 * What the analysis says of an id, in a few words. Never that the device is not affected: the analysis knows only what
 * it checks.
 */
function outcomeWords({ outcome }: Verdict): string {
  const said = capital(OUTCOMES[outcome]);
  if (outcome === 'mentioned') return 'No check is listed, only mentioned';
  if (outcome === 'absent') return `${said} in this analysis`;
  return outcome === 'perhaps' ? `${said}, only its number` : said;
}

/** The words and phrases of a search, each in quotation marks. */
function quotedWords(search: Search): string {
  return search
    .filter((term) => !isIssueId(term))
    .map((term) => `“${term}”`)
    .join(' ');
}

/** Some services send only the hits, whatever is asked: then nothing can be said of what was checked. */
function sentOnlyHits({ diagnostics }: DiagnosticsResult): boolean {
  return diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
}
const ONLY_HITS = 'The service sent only hits: what else it checked is not known.';

/**
 * `CVE-2026-10128: hit on 2 of 4 (lb-a and lb-c)`, a line for each id, from the verdicts of the snapshots; then how much is
 * listed that says the words, too. Words alone are one thing.
 */
export function searchVerdict(units: readonly NamedUnit[], { noun, all, view }: ResultModel): string[] {
  const { search = [] } = view;
  const ids = new Set(units.flatMap((unit) => verdictsOf(unit).map(({ id }) => id)));
  if (ids.size === 0) {
    const isOn = (at: number) => all.some(({ cells = [] }) => cells[at] !== undefined);
    return [`“${searchText(search)}”: ${whichSay(units, noun, isOn)}`];
  }
  const words = quotedWords(search);
  const what = noun === 'hit' ? 'hit' : 'passed check';
  const size = all.length === 0 ? `no ${what}` : counted(all.length, what);
  return [
    ...[...ids].map((id) => `${id}: ${outcomesOn(units, id, ids.size > 1)}`),
    ...(words === '' ? [] : [`${size} together with ${words}`]),
  ];
}

function verdictsOf(unit: NamedUnit): readonly Verdict[] {
  return isReady(unit) ? (unit.found?.verdicts ?? []) : [];
}

/** The outcome that weighs most; of several ids every one, as the line of a snapshot has no room for them. */
function outcomesOn(units: readonly NamedUnit[], id: string, isEvery: boolean): string {
  const outcomes = units.map((unit) => verdictsOf(unit).find((verdict) => verdict.id === id)?.outcome);
  const said = Object.entries(OUTCOMES).flatMap(([outcome, words]) => {
    const where = whereOf(units, (at) => outcomes[at] === outcome);
    return outcomes.some((each) => each === outcome) ? `${words} ${where}` : [];
  });
  return said.slice(0, isEvery ? said.length : 1).join('; ');
}

function whichSay(units: readonly NamedUnit[], noun: string, isOn: (at: number) => boolean): string {
  if (units.some((_, at) => isOn(at))) return `${noun === 'hit' ? 'hit' : 'found'} ${whereOf(units, isOn)}`;
  return `no ${noun === 'hit' ? 'hit' : 'passed check'}${units.every(isReady) ? '' : ` on ${everyOne(units)}`}`;
}

/** `on both`, `on the 3 with a result`, or `on 2 of 4 (lb-a and lb-c)` */
function whereOf(units: readonly NamedUnit[], isOn: (at: number) => boolean): string {
  const names = units.filter((_, at) => isOn(at)).map(({ name }) => name);
  return names.length > 1 && names.length === units.filter(isReady).length
    ? `on ${everyOne(units)}`
    : `on ${count(names.length)} of ${count(units.length)} (${listed(names)})`;
}

/** What the analysis says of the one id that is searched for, or how much mentions the words; of several ids the headline says it. */
export function outcomeOf({ found }: ReadyUnit, { noun }: ResultModel): string | undefined {
  const [verdict, ...others] = found?.verdicts ?? [];
  if (others.length > 0) return undefined;
  if (verdict !== undefined) return outcomeWords(verdict);
  const those = Map.groupBy(found?.matches ?? [], ({ match }) => match);
  const of = (match: Diagnostic['match']) => those.get(match)?.length ?? 0;
  if (those.size === 0) return 'Nothing matches in this analysis';
  const hits = noun === 'hit' ? of('hit') : undefined;
  return tally({ hits, misses: of('miss'), unstated: 0 }).join(' · ');
}

/** Of which of several snapshots it is not known what else was checked: what is searched for may be among that. Or ''. */
export function unseenIn(units: readonly NamedUnit[]): string {
  const ready = units.filter(isReady);
  const unseen = ready.filter(({ result }) => sentOnlyHits(result)).map(({ name }) => name);
  if (unseen.length === 0) return '';
  return unseen.length === ready.length ? ONLY_HITS : `${listed(unseen)}: ${ONLY_HITS}`;
}
