import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { isIssueId } from '../../core/issue-ids.ts';
import type { Verdict } from '../../core/searching.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { button, type Message, type RichElement, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import { filterLine, filterSelect } from './filter.ts';
import { textLine } from './message-text.ts';
import { type Item, pagedMessage, passedItem } from './page.ts';
import { resultMenu } from './result-menu.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import {
  capital,
  count,
  countDoubt,
  counted,
  deviceLine,
  NOT_STATED,
  noteOf,
  readPart,
  readWords,
  titleOf,
  unstatedCount,
} from './wording.ts';

/** Shows the whole result again, in place of what a search found in it. */
export const WHOLE_RESULT_ACTION = 'whole-result';

type SearchView = { readonly model: ResultModel; readonly state: ViewState };

const LONGEST_LINE = 200;

/** What a search finds in a result: the verdict on each id first, then the hits and the passed checks that match. */
export function searchMessage(view: SearchView): Message {
  const { model, state } = view;
  const { noun, answers } = model;
  return pagedMessage({
    state,
    title: titleOf(state.question, answers.result),
    headline: linesOf(model),
    overview: overview(model),
    news: [],
    noun: noun === 'hit' ? 'Found' : 'Checks',
    listed: model.listed,
    pages: model.pages,
    itemOf: (each, index) => itemOf(each, index, model),
    textOf: ({ hit, accepted }) => textLine(hit, accepted),
    footer: [`asked by <@${state.askedBy}>`, readWords(answers.readAt, state.madeAt)],
    menus: [
      button(wholeResult(model), WHOLE_RESULT_ACTION),
      noun === 'hit' ? filterSelect(model) : undefined,
      resultMenu(model),
    ],
  });
}

/** Checks that passed stand under a heading that says so, because their titles read like findings. */
function itemOf({ hit, form, accepted }: ListedHit, index: number, model: ResultModel): Item {
  const { view, counts, noun, passed = [], usualHost } = model;
  if (form === 'blocks')
    return {
      hit: { hit, index, view, note: noteOf(hit), usualHost, accepted },
    };
  const checks = noun === 'check' ? counts.shown : passed.length;
  return passedItem(hit, `(${count(checks)})`);
}

function overview(model: ResultModel): RichElement[][] {
  const device = deviceLine(model.answers.result);
  // The verdicts, or else the line that says how much was found.
  const bold = Math.max(1, model.answers.found?.verdicts.length ?? 0);
  return [
    ...linesOf(model).map((line, index) => [
      words(shorten(line, LONGEST_LINE), index < bold ? { bold: true } : undefined),
    ]),
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_LINE))]]),
  ];
}

function linesOf(model: ResultModel): string[] {
  const verdicts = verdictLines(model);
  const doubt = countDoubt(model.counts.checks);
  return [...verdicts, searchLine(model), doubt, unseenChecks(model), filterLine(model)].filter(
    (line) => line !== '',
  );
}

function wholeResult({ counts }: ResultModel): string {
  const { hits = 0 } = counts.checks.listed;
  return hits === 0 ? 'Show everything' : `Show all ${counted(hits, 'hit')}`;
}

const MOST_NAMED = 3;
const LONGEST_NAME = 40;
const LONGEST_LEVEL = 24;

/**
 * What the analysis says of an id, in one line. Never that the device is not affected: the analysis knows only what
 * it checks.
 */
export function verdictLine({ id, number, outcome, saidBy }: Verdict, readTo?: number): string {
  const by = named(saidBy, id, false);
  const inBrackets = (text: string) => (text === '' ? '' : ` (${text})`);
  switch (outcome) {
    case 'hit':
      return `Hit: ${id}${inBrackets(named(saidBy, id, true))}`;
    case 'unstated':
      return `${capital(NOT_STATED)}: ${id}${inBrackets(by)}`;
    case 'passed':
      return `Checked, not a hit: ${id}${inBrackets(by)}`;
    case 'mentioned':
      return `No check for ${id} is listed: only the text of ${by} mentions it`;
    case 'perhaps':
      return `Not written out: ${id}, but “${number}” stands in ${by}`;
    case 'absent':
      return `Not mentioned in ${readPart(readTo)}: ${id}`;
    default:
      return outcome satisfies never;
  }
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
export function searchLine({ view, answers, counts, noun, shown, passed = [] }: ResultModel): string {
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
