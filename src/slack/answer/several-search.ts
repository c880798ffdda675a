import type { Diagnostic } from '../../core/diagnostics.ts';
import { searchText } from '../../core/searching.ts';
import type { ReadyUnit } from '../../lookups/lookup-status.ts';
import { outcomeWords, readPart } from './findings.ts';
import { everyOne } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import type { NamedUnit } from './rows.ts';
import { count, counted, listed, unstatedCount } from './wording.ts';

/** One of several snapshots that has a result. */
type Ready = ReadyUnit & NamedUnit;

/** Whether it has a result. */
export function isReady(unit: NamedUnit): unit is Ready {
  return unit.kind === 'ready';
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
