import type { Asked } from '../../core/lookup.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Unit } from '../../lookups/lookup-status.ts';
import { button, type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Body, namedFirst, type Section, wholeSize } from './body.ts';
import { ALL_ACTION, askAgainButton } from './controls.ts';
import { BRIEF } from './faults.ts';
import { exploitedLine, isCritical, levelTable } from './levels.ts';
import { everyOne, type Group, namedUnits, partOf, sharedBy, sortRows } from './rows.ts';
import { allOf, capital, count, counted, cveWords, joined, listed, NO_CATALOGUE, titleOf } from './words.ts';

const BOLD = { bold: true };

type Named = ReturnType<typeof namedUnits>[number];

/** The message that shows several snapshots, also where some or all have no result. */
export function severalBody(view: Asked, units: readonly Unit[]): Body {
  const ready = namedUnits(units);
  const groups = fewGroups(sharedBy(view, ready));
  const rows = groups.flatMap((group) => group.rows);
  const open = sortRows(rows.filter(({ accepted }) => accepted === undefined));
  const accepted = rows.length - open.length;
  const noun = partOf(view).side === 'miss' ? 'check' : 'hit';
  const verdict = verdictOf(view, groups, ready, noun);
  const table = ready.map(({ question: { snapshotId }, name, result }) => ({
    name: name === snapshotId ? snapshotId : `${snapshotId} ${name}`,
    result,
  }));
  const isOpenStill = units.some(({ kind }) => kind === 'open');
  const rest = accepted === 0 ? [] : [{ rows: [], end: `And ${count(accepted)} accepted` }];
  return {
    title: titleOf(view),
    lines: [
      ...leadLine(view, units, verdict),
      ...exploitedLine(open.map(({ hit }) => hit)),
      ...searchLines(ready),
    ],
    facts: table.length === 0 ? [] : [levelTable('Device', table)],
    notes: units.flatMap(stateLine),
    sections: noun === 'check' ? [] : [...groups.flatMap(sectionOf), ...rest],
    named: namedFirst(open),
    whole: wholeSize(open),
    buttons: [
      ...(ready.length < units.length
        ? [askAgainButton(isOpenStill ? 'Keep waiting' : 'Try again', view)]
        : []),
      ...(rows.length === 0 ? [] : [button(allOf(rows.length, noun), ALL_ACTION)]),
    ],
    verdict,
  };
}

/** A group of the message, without what is accepted; nothing where all of it is. */
function sectionOf({ place, rows: all }: Group): Section[] {
  const rows = all.filter(({ accepted }) => accepted === undefined);
  return rows.length === 0 ? [] : [{ heading: `${capital(place)}: ${counted(rows.length, 'hit')}`, rows }];
}

const MOST_GROUPS = 5;

/** As many groups as a person reads: the hits of all others are elsewhere. */
function fewGroups(groups: readonly Group[]): readonly Group[] {
  if (groups.length <= MOST_GROUPS) return groups;
  const rest = groups.slice(MOST_GROUPS - 1).flatMap(({ rows }) => rows);
  return [...groups.slice(0, MOST_GROUPS - 1), { place: 'elsewhere', rows: sortRows(rest) }];
}

/**
 * `27 hits on all 3; 2 more only on lb-b (1 critical); 4 more on lb-a and lb-b`; '' without a result. A search for ids has
 * no verdict here: each id has its own line.
 */
function verdictOf(
  { search = [], filter }: Asked,
  groups: readonly Group[],
  units: readonly Named[],
  noun: string,
): string {
  const size = units.length;
  if (size === 0 || (search.length > 0 && search.every(isIssueId))) return '';
  if (filter?.cve === 'exploited' && units.some(({ result }) => !result.exploitedAsOf)) return NO_CATALOGUE;
  const said = groups.map(({ place, isOfAll, rows }, at) => {
    const critical = isOfAll || noun === 'check' ? 0 : rows.filter(({ hit }) => isCritical(hit)).length;
    const first = at === 0 ? counted(rows.length, noun) : `${count(rows.length)} more`;
    return `${first} ${place}${critical > 0 ? ` (${count(critical)} critical)` : ''}`;
  });
  const none = groups[0]?.isOfAll !== true && size > 1 ? `No ${noun} on ${everyOne(size)}` : '';
  return joined('; ', none, ...said) || `No ${noun}s on ${everyOne(size)}`;
}

/** How many of the snapshots have a result, where not all have one, and the verdict. */
function leadLine(view: Asked, units: readonly Unit[], verdict: string): RichElement[][] {
  const size = units.filter(({ kind }) => kind === 'ready').length;
  const isOnlyAsked = units.every((unit) => unit.kind === 'open' && !unit.isProcessing && !unit.trouble);
  const all = counted(units.length, 'snapshot');
  const none = isOnlyAsked ? `Looking up ${all}…` : `None of ${all} has a result.`;
  const some = size === 0 ? none : `${count(size)} of ${count(units.length)} are ready.`;
  const said = verdict && `${partWords(view)}${verdict}`;
  if (size === units.length) return said ? [[words(said, BOLD)]] : [];
  return [[words(said ? `${some} ` : some), ...(said ? [words(`${said}.`, BOLD)] : [])]];
}

/** `Only critical: `, or what is searched for; '' where everything is shown. */
function partWords({ filter, search = [] }: Asked): string {
  const only = joined(' ', filter?.levels?.join(', '), filter && cveWords(filter));
  const typed = search.flatMap((term) => (isIssueId(term) ? [] : `“${term}”`)).join(' ');
  return only ? `Only ${only}: ` : typed && `${typed}: `;
}

/** Of each id that is searched for: where it is a hit, where it was checked, and where nothing names it. */
function searchLines(units: readonly Named[]): RichElement[][] {
  const ids = new Set(units.flatMap(({ found }) => found?.verdicts.map(({ id }) => id) ?? []));
  return [...ids].map((id) => {
    const on = (before: string, ...outcomes: string[]) => {
      const those = units.filter(({ found }) =>
        found?.verdicts.some((each) => each.id === id && outcomes.includes(each.outcome)),
      );
      const isAll = those.length === units.length && those.length > 1;
      const where = isAll ? everyOne(those.length) : listed(those.map(({ name }) => name));
      return those.length > 0 && `${before} ${where}`;
    };
    const absent = ['mentioned', 'perhaps', 'absent'];
    const [hit, passed] = [on('is a hit on', 'hit'), on('checked and not a hit on', 'passed')];
    const rest = joined('; ', hit, passed, on('not named on', ...absent));
    if (hit) return [words(`Yes: ${id}`, BOLD), words(` ${rest}`)];
    if (passed) return [words('✅\u00a0'), words(id, BOLD), words(`: ${rest}`)];
    return [words(`No hit or check names ${id}`, BOLD), words(` ${on('on', ...absent)}`)];
  });
}

const LONGEST_REASON = 200;

/** Why a snapshot has no result. */
function stateLine(unit: Unit): RichElement[][] {
  const id = unit.question.snapshotId;
  switch (unit.kind) {
    case 'ready':
      return [];
    case 'broken':
      return [[words(`⛔\u00a0${id}: a bug stopped it (reference ${unit.reference}).`)]];
    case 'failed':
      return [[words(`⛔\u00a0${id}: ${BRIEF[unit.why]}.`)]];
    case 'open': {
      const { isProcessing, reason, trouble } = unit;
      const processed = joined(': ', `${id} is still being processed`, shorten(reason, LONGEST_REASON));
      const asked = `${id}: ${trouble === undefined ? 'looking it up…' : `${BRIEF[trouble]}.`}`;
      const isSaid = isProcessing && trouble === undefined;
      return [[words(`⏳\u00a0${isSaid ? processed + (reason === '' ? '.' : '') : asked}`)]];
    }
    default:
      return unit satisfies never;
  }
}
