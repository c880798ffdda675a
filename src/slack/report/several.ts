import type { types } from '@slack/bolt';
import { hostOf, relationOf } from '../../core/diagnostics.ts';
import { listsWholeSide } from '../../core/importance.ts';
import { type Asked, questionsOf } from '../../core/lookup.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Answers, Read, Unit } from '../../lookups/lookup-status.ts';
import { ACTION, againValue } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Body, headingOf, MOST_NAMED, MOST_WHOLE, namedFirst, type Section } from './body.ts';
import { BRIEF } from './faults.ts';
import { hitsOf, isOpen, sortRows } from './hit.ts';
import { exploitedLine, graveCounts, isCritical, isGrave, levelTable, NO_CATALOGUE } from './levels.ts';
import { wholeOf } from './list.ts';
import { changesOf, type Group, isOfChecks, type NamedUnit, namedUnits, sharedBy, whichOf } from './rows.ts';
import { allOf, capital, count, counted, cveWords, joined, some, subjectOf, titleOf } from './words.ts';

/** The message about several snapshots, even if some or all have no result. `isWaiting`: whether the bot asks again. */
export function severalBody(view: Asked, units: readonly Unit[], isWaiting = false): Body {
  const ready = namedUnits(units);
  const groups = fewGroups(sharedBy(view, ready));
  const rows = groups.flatMap((group) => group.rows);
  const open = sortRows(rows.filter(isOpen));
  const unsearched = ready.map(({ found: _ofSearch, ...unit }) => unit);
  const listed = sharedBy(wholeOf(view), unsearched).flatMap((group) => group.rows).length;
  const areChecks = isOfChecks(view);
  const noun = areChecks ? 'passed check' : 'hit';
  const said = verdictOf(view, groups, ready, noun);
  const verdict = said && joined(': ', partOf(view), said);
  const sections = groups.map((group): Section => {
    return { heading: `${capital(group.place)}: ${counted(group.rows.length, noun)}`, rows: group.rows };
  });
  const again = units.some(({ kind }) => kind === 'open') ? 'Keep waiting' : 'Try again';
  const lines = ui.present(
    leadLine(units, verdict, isWaiting),
    exploitedLine(hitsOf(open)),
    ...searchLines(ready),
  );
  const states = ui.present(...units.map((unit) => stateLine(unit, isWaiting)));
  return {
    title: titleOf(view),
    lines,
    summary: ui.plainOf([...lines, ...states]),
    facts: ui.present<types.KnownBlock>(
      // Without `hit` the documents may not list the hits.
      ready.length > 0 && !areChecks && levelTable('Device', ready.map(labelled)),
      states.length > 0 && ui.richText(...states),
    ),
    sections: areChecks ? [] : sections,
    named: areChecks ? [] : namedFirst(open),
    buttons: ui.present(
      ready.length < units.length && askAgainButton(again, view),
      listed > 0 && ui.button(allOf(listed, noun), ACTION.all),
    ),
    verdict,
  };
}

function labelled({ question: { snapshotId: id }, name, ...unit }: NamedUnit) {
  return { ...unit, label: name === id ? id : `${id} ${name}` };
}

/** A button that repeats the request. */
export function askAgainButton(label: string, asked: Parameters<typeof againValue>[0]): types.Button {
  return ui.button(label, ACTION.askAgain, againValue(asked), subjectOf(asked));
}

const MOST_GROUPS = 5;

/** Keeps the message readable with at most five groups. The last group, `elsewhere`, combines all further groups. */
function fewGroups(groups: readonly Group[]): readonly Group[] {
  if (groups.length <= MOST_GROUPS) return groups;
  const rest = groups.slice(MOST_GROUPS - 1).flatMap(({ rows }) => rows);
  return [...groups.slice(0, MOST_GROUPS - 1), { place: 'elsewhere', rows: sortRows(rest) }];
}

/**
 * The verdict, such as `27 hits on all 3; 2 more only on lb-b (1 critical)`. Empty without a result, and in a search
 * for ids, where each id has its own line.
 */
function verdictOf(
  { search = [], filter }: Asked,
  groups: readonly Group[],
  units: readonly NamedUnit[],
  noun: string,
): string {
  if (units.length === 0 || (search.length > 0 && search.every(isIssueId))) return '';
  if (filter?.cve === 'exploited' && units.some(({ result }) => !result.exploitedAsOf)) return NO_CATALOGUE;
  const said = groups.map(({ place, isOfAll, rows }, at) => {
    const open = isOfAll || noun !== 'hit' ? [] : rows.filter(isOpen);
    const critical = open.filter(({ hit }) => isCritical(hit)).length;
    const first = at === 0 ? counted(rows.length, noun) : `${count(rows.length)} more`;
    return `${first} ${place}${critical > 0 ? ` (${count(critical)} critical)` : ''}`;
  });
  const isWhole = units.every(({ result, question }) => listsWholeSide(result, question.set));
  if (groups.length === 0) return isWhole ? `No ${noun}s on ${anyOf(units)}` : `Not all ${noun}s are known`;
  const none = groups[0]?.isOfAll !== true && `No ${noun} on ${whichOf(units, units)}`;
  return joined('; ', none, ...said);
}

/** All these snapshots in a sentence that denies something of each: `any of 3 snapshots`. */
function anyOf(units: readonly NamedUnit[]): string {
  return units.length === 1 ? whichOf(units, units) : `any of ${counted(units.length, 'snapshot')}`;
}

/** What the verdict covers, such as `Only critical “certificate”`; '' if it covers everything. */
function partOf({ filter, search = [] }: Asked): string {
  const only = joined(' ', filter?.levels?.join(', '), filter && cveWords(filter));
  const typed = search.flatMap((term) => (isIssueId(term) ? [] : `“${term}”`));
  return joined(' ', only && `Only ${only}`, ...typed);
}

/** The first line: how many snapshots have a result (unless all have one), and the verdict. */
function leadLine(units: readonly Unit[], verdict: string, isWaiting: boolean): ui.RichElement[] | undefined {
  const size = units.filter(({ kind }) => kind === 'ready').length;
  const all = counted(units.length, 'snapshot');
  const none = isWaiting ? `Looking up ${all}…` : `None of ${all} has a result.`;
  const part = `${count(size)} of ${count(units.length)} ${size === 1 ? 'is' : 'are'} ready.`;
  const ready = size === 0 ? none : part;
  if (size === units.length) return verdict ? [ui.bold(verdict)] : undefined;
  return verdict ? [ui.words(`${ready} `), ui.bold(`${verdict}.`)] : [ui.words(ready)];
}

/** One line for each id of a search: the snapshots on which it is a hit, was checked, or is not named. */
function searchLines(units: readonly NamedUnit[]): ui.RichElement[][] {
  const ids = new Set(units.flatMap(({ found }) => found?.verdicts.map(({ id }) => id) ?? []));
  return [...ids].map((id) => {
    const by = Map.groupBy(units, ({ found }) => {
      const outcome = found?.verdicts.find((each) => each.id === id)?.outcome;
      return outcome === 'hit' || outcome === 'passed' ? outcome : 'absent';
    });
    const on = (before: string, those: readonly NamedUnit[] = []) =>
      those.length > 0 && `${before} ${whichOf(those, units)}`;
    const hit = on('is a hit on', by.get('hit'));
    const passed = on('checked and not a hit on', by.get('passed'));
    const rest = joined('; ', hit, passed, on('not named on', by.get('absent')));
    if (hit) return [ui.bold(`Yes: ${id}`), ui.words(` ${rest}`)];
    if (passed) return [ui.words('✅\u00a0'), ui.bold(id), ui.words(`: ${rest}`)];
    return [ui.bold(`No hit or check names ${id}`), ui.words(` on ${anyOf(units)}`)];
  });
}

const LONGEST_REASON = 200;

function stateLine(unit: Unit, isWaiting: boolean): ui.RichElement[] | undefined {
  const id = unit.question.snapshotId;
  if (unit.kind === 'ready') return undefined;
  if (unit.kind === 'failed') return [ui.words(`⛔\u00a0${id}: ${BRIEF[unit.why]}.`)];
  if (unit.kind === 'broken')
    return [ui.words(`⛔\u00a0${id}: a bug stopped it (reference ${unit.reference}).`)];
  const { isProcessing, reason, trouble } = unit;
  const why = reason === '' ? '.' : `: ${shorten(reason, LONGEST_REASON)}`;
  const [mark, state, unknown] = isWaiting
    ? ['⏳', 'still being processed', 'looking it up…']
    : ['⚠️', 'still not ready', 'no result yet.'];
  const open = isProcessing ? ` is ${state}${why}` : `: ${unknown}`;
  const asked = trouble ? `: ${BRIEF[trouble]}.` : open;
  return [ui.words(`${mark}\u00a0${id}${asked}`)];
}

/** Cleared hits need no action, so the message names only a few. */
const MOST_CLEARED = 10;

/** The message that compares two snapshots. Its first line begins with the number of cleared hits. */
export function comparisonBody(view: Asked, answers: Answers, before: Read): Body {
  const { result, accepted = [] } = answers;
  const [earlier = '', later = ''] = questionsOf(view).map(({ snapshotId }) => snapshotId);
  const [fresh, changed, cleared, unlisted, unchanged] = changesOf(view, answers);
  const groups = [fresh, changed, cleared, unlisted].filter(({ rows }) => rows.length > 0);
  const sections = groups.map((group) => ({ heading: headingOf(group), rows: group.rows }));
  const changes = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const line = joined(
    ' · ',
    sized(cleared, true),
    sized(fresh, true),
    ...[changed, unchanged, unlisted].map((group) => sized(group)),
  );
  const isOne = relationOf(before.result.device, result.device) === 'same';
  const hosts = joined(' → ', hostOf(before.result.device), hostOf(result.device));
  const unsure = joined(': ', 'It is not known whether both are of one device', hosts);
  const devices = [
    { label: earlier, result: before.result, accepted },
    { label: later, result, accepted },
  ];
  return {
    title: titleOf(view, result),
    lines: ui.present([ui.bold(line || 'No hits in either snapshot')], !isOne && [ui.words(`${unsure}.`)]),
    facts: [levelTable('Snapshot', devices)],
    sections,
    named: sections.flatMap(({ rows }) => rows.slice(0, rows[0]?.isOver ? MOST_CLEARED : MOST_NAMED)),
    whole: Math.min(fresh.rows.filter(({ hit }) => isGrave(hit)).length, MOST_WHOLE),
    buttons: ui.present(
      changes > 0 && ui.button(allOf(changes, 'change'), ACTION.all),
      ui.button(`Report of ${later}`, ACTION.report),
    ),
    verdict: `${earlier} → ${later}: ${count(cleared.rows.length)} cleared, ${count(fresh.rows.length)} new`,
  };
}

/** A count such as `20 cleared (1 critical, 7 high)`; '' if the group is empty. */
function sized({ place, rows }: Group, isRated = false): string {
  const said = some(rows, place).replaceAll(' ', '\u00a0');
  const grave = graveCounts(hitsOf(rows).filter(isGrave)) || 'none critical or high';
  return said && isRated ? `${said} (${grave})` : said;
}
