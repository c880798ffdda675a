import type { types } from '@slack/bolt';
import { z } from 'zod';
import { hostOf } from '../../core/diagnostics.ts';
import { groupOf, isExploited, LEVEL_GROUPS } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { readSearch, type Search, search, searchText } from '../../core/searching.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { ACTION, readCarried, readView, viewValue } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { input, modal, type Origin, windowTitle } from '../blocks/modal.ts';
import { headingOf } from './body.ts';
import { belowTitle, detailsButton, hitsOf, type Row, rowTitle, sortRows } from './hit.ts';
import { groupsOf, isOfChecks, rowsOf } from './rows.ts';
import { allOf, capital, count, joined } from './words.ts';

export const LIST_VIEW = 'list';
export const SEARCH_FIELD = 'search';

/** Rows per page; Slack allows 100 blocks. */
const MOST_ROWS = 95;

/** What the reader selected in the window. `page` starts at 0. */
export type Chosen = { readonly filter: string; readonly search: Search; readonly page: number };

/** The window's state: the request that it shows, and what the reader selected. */
const carried = z.object({ view: z.string(), filter: z.string(), search: z.string(), page: z.int().min(0) });

/** Reads the state of the window. Throws `UnreadableValue` if the text has another form. */
export function readList(metadata: string | undefined): { view: Asked; chosen: Chosen } {
  const { view, ...chosen } = readCarried(carried, metadata);
  return { view: readView(view), chosen: { ...chosen, search: readSearch(chosen.search) } };
}

/** What the window selects when it opens. */
export function firstChoice(view: Asked): Chosen {
  const { filter = {}, search = [] } = view;
  const [level, other] = filter.levels ?? [];
  const cve = filter.cve === 'with' ? 'cve' : filter.cve;
  const side = isOfChecks(view) && !view.others ? 'passed' : 'all';
  return { filter: (other === undefined && level) || cve || side, search, page: 0 };
}

/** The request for the whole analysis. For several, it keeps `side`: their window lists hits or passed checks. */
export function wholeOf({ question, others, before, side }: Asked): Asked {
  const several = others && { others, ...(side && { side }) };
  return { question, ...several, ...(before && { before }) };
}

/** A row of the window. `place`: the heading of its group if the window has several groups, else ''. */
type ListedRow = Row & { readonly place: string };
type Choice = { readonly value: string; readonly label: string; readonly rows: readonly ListedRow[] };

/** The options of the window's menu, each with its rows. Without rows, only a part that was chosen is an option. */
function choicesOf(view: Asked, answers: Answers, chosen: string): Choice[] {
  const { question } = view;
  const { units, before } = answers;
  const groups = groupsOf(view, answers);
  const isOne = units === undefined && before === undefined;
  const all = groups.flatMap(({ rows, place }) => rows.map((row) => ({ ...row, place: capital(place) })));
  const rows = units === undefined ? all : sortRows(all);
  const noun = before && !units ? 'change' : isOfChecks(view) ? 'passed check' : 'hit';
  const passed = isOne ? rowsOf({ question }, answers).passed.map((row) => ({ ...row, place: '' })) : [];
  const part = (value: string, label: string, isPart: (row: ListedRow) => boolean, of = rows) => {
    const some = of.filter(isPart);
    return { value, label: `${count(some.length)} ${label}`, rows: some };
  };
  const choices: Choice[] = [
    { value: 'all', label: allOf(rows.length, noun), rows },
    ...groups.map((group, at) => ({
      ...{ value: `group-${at}`, label: headingOf(group) },
      rows: isOne ? [] : rows.filter(({ place }) => place === capital(group.place)),
    })),
    ...LEVEL_GROUPS.map((level) =>
      part(level, level, ({ hit, accepted }) => !accepted && hit.match === 'hit' && groupOf(hit) === level),
    ),
    part('cve', 'with CVEs', ({ hit }) => hit.cveIds.length > 0),
    part('exploited', 'known exploited', ({ hit }) => isExploited(hit)),
    part('accepted', 'accepted', ({ accepted }) => accepted !== undefined),
    part('passed', 'passed checks', () => true, passed),
  ];
  return choices.filter(({ rows, value }) => rows.length > 0 || (value === chosen && value !== 'all'));
}

/** The window with all hits of a message, or with those that the reader selected or searched for. */
export async function listWindow(
  origin: Origin,
  view: Asked,
  answers: Answers,
  chosen: Chosen,
): Promise<types.ModalView> {
  const choices = choicesOf(view, answers, chosen.filter);
  const choice = choices.find(({ value }) => value === chosen.filter) ?? choices[0];
  const { rows: listed = [] } = choice ?? {};
  const found = chosen.search.length > 0 && (await search(hitsOf(listed), chosen.search));
  const rows = found ? listed.filter(({ hit }) => found.matches.has(hit)) : listed;
  const pages = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
  const page = Math.min(chosen.page, pages - 1);
  const shown = rows.slice(page * MOST_ROWS, (page + 1) * MOST_ROWS);
  const blocks = shown.map((row, at): types.SectionBlock => {
    const text = ui.plain(joined('\n', rowTitle(row), row.place, belowTitle(row)));
    return { type: 'section', text, accessory: detailsButton(row, at) };
  });
  const menu: types.StaticSelect = {
    ...{ type: 'static_select', action_id: ACTION.filter, placeholder: ui.plain('Show') },
    options: choices.map(ui.option),
  };
  const wider = choices.filter((each) => ['all', 'passed'].includes(each.value) && each !== choice);
  const more = joined(' and ', ...wider.map(({ label }) => label.toLowerCase()));
  const hint = more && ` The menu has ${more}, too.`;
  const empty = answers.before ? 'Nothing changed.' : 'Nothing to list.';
  const none = found ? `Nothing here matches “${searchText(chosen.search)}”.${hint}` : empty;
  const title = windowTitle(view, hostOf(answers.result.device));
  const window = modal({ title, callbackId: LIST_VIEW, submit: 'Search' }, [
    ...ui.present(choice && ui.actions([{ ...menu, initial_option: ui.option(choice) }])),
    searchInput(chosen.search),
    ...(shown.length === 0 ? [ui.line(none)] : blocks),
    ...ui.buttonRow(
      page > 0 && ui.button(`‹ Page ${page}`, `${ACTION.page}previous`, `${page - 1}`),
      page < pages - 1 && ui.button(`Page ${page + 2} of ${pages} ›`, `${ACTION.page}next`, `${page + 1}`),
    ),
  ]);
  const carries = { ...origin, view: viewValue(view), ...chosen, search: searchText(chosen.search) };
  return { ...window, private_metadata: JSON.stringify(carries) };
}

/** The search field of a window; it may be empty. */
export function searchInput(sought: Search): types.InputBlock {
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    action_id: SEARCH_FIELD,
    placeholder: ui.plain('a CVE, an article, or words'),
    max_length: 150,
    ...(sought.length > 0 && { initial_value: searchText(sought) }),
  };
  return input(SEARCH_FIELD, 'Search', element, { isOptional: true });
}
