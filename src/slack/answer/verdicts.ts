import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { type Search, searchText, type Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { ReadyUnit } from '../../lookups/lookup-status.ts';
import { everyOne } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { isReady, type NamedUnit } from './rows.ts';
import { capital, count, counted, listed, NOT_STATED, unstatedCount } from './wording.ts';

/** Where an id was looked for. Of a document that is too large to keep, nothing is known beyond what was read. */
export function readPart(readTo: number | undefined): string {
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
export function outcomeWords({ outcome }: Verdict, readTo: number | undefined): string {
  return outcome === 'absent' ? `Not mentioned in ${readPart(readTo)}` : OUTCOMES[outcome];
}

/** The words and phrases of a search, each in quotation marks. */
export function quotedWords(search: Search): string {
  return search
    .filter((term) => !isIssueId(term))
    .map((term) => `“${term}”`)
    .join(' ');
}

/** Some services send only the hits, whatever is asked: then nothing can be said of what was checked. */
export function sentOnlyHits({ diagnostics }: DiagnosticsResult): boolean {
  return diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
}
export const ONLY_HITS = 'The service sent only hits: what else it checked is not known.';

/** The outcomes in a headline, that first which weighs most: what it says of an id is what is said below of those it names. */
const HEADLINES: Record<Verdict['outcome'], string> = {
  hit: 'hit',
  unstated: NOT_STATED,
  passed: 'checked, not a hit',
  mentioned: 'only mentioned',
  perhaps: 'not written out',
  absent: 'not mentioned',
};

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
  const isInPart = units.some((unit) => isReady(unit) && unit.result.readTo !== undefined);
  const said = Object.entries(HEADLINES).flatMap(([outcome, words]) => {
    const part = outcome === 'absent' && isInPart ? ' in what was read' : '';
    const where = whereOf(units, (at) => outcomes[at] === outcome);
    return outcomes.some((each) => each === outcome) ? `${words}${part} ${where}` : [];
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
export function outcomeOf({ found, result }: ReadyUnit, { noun }: ResultModel): string | undefined {
  const [verdict, ...others] = found?.verdicts ?? [];
  if (others.length > 0) return undefined;
  if (verdict !== undefined) return outcomeWords(verdict, result.readTo);
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

/** Of which of several snapshots it is not known what else was checked: what is searched for may be among that. Or ''. */
export function unseenIn(units: readonly NamedUnit[]): string {
  const ready = units.filter(isReady);
  const unseen = ready.filter(({ result }) => sentOnlyHits(result)).map(({ name }) => name);
  if (unseen.length === 0) return '';
  return unseen.length === ready.length ? ONLY_HITS : `${listed(unseen)}: ${ONLY_HITS}`;
}
