import type { types } from '@slack/bolt';
import { z } from 'zod';
import { type Diagnostic, hostOf } from '../../core/diagnostics.ts';
import { countByLevel, isExploited, sideOf, sortByImportance } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { readSearch, type Search, searchText } from '../../core/searching.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { hitKeyValue, readCarried, readView, viewValue } from '../blocks/action-values.ts';
import { actions, button, plain, richText, words } from '../blocks/blocks.ts';
import { LIMITS, shorten } from '../blocks/limits.ts';
import { input, modal, type Origin, windowTitle } from '../blocks/modal.ts';
import { type Group, type Grouped, hitKeyOf, hitsIn } from './body.ts';
import { comparisonGroups } from './comparison.ts';
import { DETAILS_ACTION } from './controls.ts';
import { acceptedText, actionLine, type Listed, rowTitle } from './hit.ts';
import { levelWord } from './levels.ts';
import { severalGroups } from './shared-hits.ts';
import { allOf, count } from './words.ts';

export const LIST_VIEW = 'list';
export const FILTER_ACTION = 'filter';
export const SEARCH_FIELD = 'search';
/** Followed by the direction. */
export const PAGE_ACTION = 'page-';

/** Slack takes 100 blocks. */
const MOST_ROWS = 95;

/** What a reader chose in the window. `page` counts from 0. */
export type Chosen = { readonly filter: string; readonly search: Search; readonly page: number };

/** What the window carries: the message that it was opened from, what it lists, and what the reader chose. */
const carried = z.object({ view: z.string(), filter: z.string(), q: z.string(), page: z.int().min(0) });

export function listMetadata(origin: Origin, view: Asked, { filter, search, page }: Chosen): string {
  return JSON.stringify({ ...origin, view: viewValue(view), filter, q: searchText(search), page });
}

/** Throws `UnreadableValue` if the text has another form. */
export function readListMetadata(metadata: string | undefined): { view: Asked; chosen: Chosen } {
  const { view, filter, q, page } = readCarried(carried, metadata);
  return { view: readView(view), chosen: { filter, search: readSearch(q), page } };
}

/** What the window lists first for this request. */
export function firstChoice({ question, filter = {}, search = [] }: Asked): Chosen {
  const [level, ...others] = filter.levels ?? [];
  const side = question.set === 'miss' ? 'passed' : 'all';
  const chosen =
    level !== undefined && others.length === 0 ? level : filter.cve === 'with' ? 'cve' : (filter.cve ?? side);
  return { filter: chosen, search, page: 0 };
}

/** The whole of what a request is a part of. */
export function wholeOf({ question, others, before }: Asked): Asked {
  return { question, ...(others && { others }), ...(before && { before }) };
}

type Choice = { readonly value: string; readonly label: string; readonly rows: readonly Grouped[] };

/** Everything that the window can list: one choice of its menu after the other, none of them empty. */
function choicesOf(view: Asked, answers: Answers): Choice[] {
  const { units, before } = answers;
  if (units !== undefined) return grouped(severalGroups(view, units), 'hit');
  if (before !== undefined) return grouped(comparisonGroups(view, answers), 'change');
  const { question } = view;
  const { result } = answers;
  const { open, accepted } = hitsIn(answers);
  const row = (one: Listed): Grouped => ({ ...one, question, result });
  const hits = [...open, ...accepted].map(row);
  const passed = sideOf(result, 'miss').map((hit) => row({ hit }));
  const choices = [
    { value: 'all', label: allOf(hits.length, 'hit'), rows: hits },
    ...levelsIn(open.map(row)),
    { value: 'cve', label: 'with CVEs', rows: hits.filter(({ hit }) => hit.cveIds.length > 0) },
    { value: 'exploited', label: 'known exploited', rows: hits.filter(({ hit }) => isExploited(hit)) },
    { value: 'accepted', label: 'accepted', rows: accepted.map(row) },
    { value: 'passed', label: 'passed checks', rows: passed },
  ];
  return choices.filter(({ rows }) => rows.length > 0).map(withCount);
}

function withCount({ value, label, rows }: Choice): Choice {
  return { value, rows, label: value === 'all' ? label : `${count(rows.length)} ${label}` };
}

function grouped(groups: readonly Group[], noun: string): Choice[] {
  const rows = groups.flatMap((group) => group.rows.map((row) => ({ ...row, group: group.name })));
  const sorted = noun === 'hit' ? sortByImportance(rows, ({ hit }) => hit) : rows;
  const all = { value: 'all', label: allOf(rows.length, noun), rows: sorted };
  const parts = groups.map((group, at) => ({
    value: `group-${at}`,
    label: `${group.name}: ${count(group.rows.length)}`,
    rows: rows.filter((row) => row.group === group.name),
  }));
  return [all, ...parts, ...levelsIn(sorted).map(withCount)];
}

/** Slack's menus take 100 entries; a longer list of levels helps nobody. */
const MOST_LEVELS = 20;

function levelsIn(rows: readonly Grouped[]): Choice[] {
  const levels = countByLevel(rows.map(({ hit }) => hit)).slice(0, MOST_LEVELS);
  return levels.map(({ level }) => ({
    value: level.key.toLowerCase(),
    label: levelWord(level),
    rows: rows.filter(({ hit }) => hit.importance.trim().toUpperCase() === level.key),
  }));
}

/** The diagnostics that a search of the window goes through. */
export function searchedIn(view: Asked, answers: Answers): Diagnostic[] {
  return choicesOf(view, answers).flatMap(({ rows }) => rows.map(({ hit }) => hit));
}

/** All hits of a view, or those that this reader chose; `matches` are what a search finds. */
export function listWindow(
  view: Asked,
  answers: Answers,
  chosen: Chosen,
  matches?: ReadonlySet<Diagnostic>,
): types.ModalView {
  const choices = choicesOf(view, answers);
  const choice = choices.find(({ value }) => value === chosen.filter) ?? choices[0];
  const rows = (choice?.rows ?? []).filter(({ hit }) => matches?.has(hit) ?? true);
  const last = Math.max(0, Math.ceil(rows.length / MOST_ROWS) - 1);
  const page = Math.min(chosen.page, last);
  const shown = rows.slice(page * MOST_ROWS, (page + 1) * MOST_ROWS);
  const title = windowTitle(view, hostOf(answers.result.device));
  return modal({ title, callbackId: LIST_VIEW, submit: 'Search' }, [
    ...(choice === undefined ? [] : [actions([menuOf(choices, choice)])]),
    searchInput(chosen.search),
    ...(shown.length === 0 ? [nothing(chosen.search, choices, matches)] : shown.map(rowBlock)),
    ...pagesOf(page, last, rows.length),
  ]);
}

function menuOf(choices: readonly Choice[], chosen: Choice): types.StaticSelect {
  const option = ({ label, value }: Choice) => ({ text: plain(shorten(label, LIMITS.optionText)), value });
  return {
    type: 'static_select',
    action_id: FILTER_ACTION,
    placeholder: plain('Show'),
    options: choices.map(option),
    initial_option: option(chosen),
  };
}

/** The search field of a window; it may stay empty. */
export function searchInput(search: Search): types.InputBlock {
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    action_id: SEARCH_FIELD,
    placeholder: plain('a CVE, an article, or words'),
    max_length: 150,
    ...(search.length > 0 && { initial_value: searchText(search) }),
  };
  return input(SEARCH_FIELD, 'Search', element, { isOptional: true });
}

/** Where nothing is listed: what was searched for, and whether passed checks have it. */
function nothing(
  search: Search,
  choices: readonly Choice[],
  matches: ReadonlySet<Diagnostic> | undefined,
): types.RichTextBlock {
  if (search.length === 0) return richText([words('Nothing to list.')]);
  const passed = choices.find(({ value }) => value === 'passed')?.rows ?? [];
  const also = passed.filter(({ hit }) => matches?.has(hit)).length;
  const end = also === 0 ? '' : ` In the menu, “passed checks” has ${count(also)} that match.`;
  return richText([words(`Nothing here matches “${searchText(search)}”.${end}`)]);
}

function rowBlock(row: Grouped, at: number): types.SectionBlock {
  const { hit, accepted, group, isOver, question, result } = row;
  const action = hit.match === 'miss' || isOver ? '' : actionLine(hit, result.software);
  const lines = [rowTitle(row), group ?? '', accepted === undefined ? action : acceptedText(accepted)];
  const value = hitKeyValue(hitKeyOf(hit, question, result));
  return {
    type: 'section',
    text: { type: 'plain_text', text: lines.filter((line) => line !== '').join('\n'), emoji: false },
    accessory: button('Details', `${DETAILS_ACTION}-${at}`, value),
  };
}

function pagesOf(page: number, last: number, size: number): types.KnownBlock[] {
  if (last === 0) return [];
  const range = (at: number) =>
    `${count(at * MOST_ROWS + 1)} to ${count(Math.min((at + 1) * MOST_ROWS, size))} of ${count(size)}`;
  const buttons = [
    ...(page > 0 ? [button(`‹ ${range(page - 1)}`, `${PAGE_ACTION}previous`, String(page - 1))] : []),
    ...(page < last ? [button(`${range(page + 1)} ›`, `${PAGE_ACTION}next`, String(page + 1))] : []),
  ];
  return [actions(buttons)];
}
