import type { types } from '@slack/bolt';
import { relationOf } from '../../core/diagnostics.ts';
import { inOrder, type Question } from '../../core/lookup.ts';
import { upgradesOf } from '../../core/upgrading.ts';
import { type Answers, answersOf, madeOf, type Unit } from '../../lookups/lookup-status.ts';
import type { ViewState } from '../blocks/action-values.ts';
import { viewValue } from '../blocks/action-values.ts';
import { button, type Choice, type Message, overflow, slackClock, slackTime } from '../blocks/blocks.ts';
import { comparisonLines } from './comparison-words.ts';
import { selectsOf } from './filter.ts';
import type { Line } from './fitting.ts';
import { ASK_AGAIN_ACTION } from './notices.ts';
import { pagedMessage } from './page.ts';
import { canBeFollowed, isOfOne, modelOf, type ResultModel } from './result-model.ts';
import { resultLines } from './result-words.ts';
import { namedUnits, readyAt } from './rows.ts';
import { searchLines } from './search-words.ts';
import { severalLines } from './several-words.ts';
import { compareLastButton, newsOf, type Since } from './since.ts';
import { capital, counted } from './wording.ts';

/** Shows the whole result again, in place of what a search found in it. */
export const WHOLE_RESULT_ACTION = 'whole-result';

/** What stands below a message while it waits. */
type WhileWaiting = { readonly footer: readonly string[]; readonly menus: readonly types.Button[] };

/** The message that shows this of these answers: one result, what a search finds in it, a comparison, or several. */
export function viewMessage(
  state: ViewState,
  answers: Answers,
  since: readonly Since[] = [],
  isWindow = false,
): Message {
  const { state: view, answers: shown } = arranged(state, answers);
  const model = modelOf(view, shown);
  return pagedMessage({
    state: view,
    model,
    lines: linesOf(model),
    news: newsOf(since, model),
    footer: footerOf(view, shown),
    menus: menusOf(model),
    isWindow,
  });
}

/** What is known of several snapshots while some are waited for, or where none has a result. */
export function unitsMessage(state: ViewState, units: readonly Unit[], waiting?: WhileWaiting): Message {
  const answers = answersOf(state, units);
  const whole = answers && modelOf(state, answers);
  // The other pages come with the answer.
  const model = whole && { ...whole, pages: whole.pages.slice(0, 1) };
  return pagedMessage({
    state,
    model,
    lines: model ? linesOf(model) : severalLines(namedUnits(units), model),
    news: [],
    footer: waiting?.footer ?? footerOf(state, answers),
    menus: waiting?.menus ?? [againButton(state, units)],
  });
}

/** What is said above the hits of a view. */
export function linesOf(model: ResultModel): Line[] {
  switch (model.about) {
    case 'one':
      return resultLines(model);
    case 'search':
      return searchLines(model);
    case 'changes':
      return comparisonLines(model);
    case 'several':
      return severalLines(model.units ?? [], model);
    default:
      return model.about satisfies never;
  }
}

function footerOf(
  { askedBy, madeAt, beforeMadeAt = madeAt }: ViewState,
  answers: Answers | undefined,
): string[] {
  const asked = `asked by <@${askedBy}>`;
  if (answers === undefined) return [asked];
  const readAt = Math.min(answers.readAt, answers.before?.readAt ?? answers.readAt);
  return [asked, readWords(readAt, Math.min(readAt, madeAt, beforeMadeAt))];
}

/** What leads to more, then what is shown of it, then everything else. */
function menusOf(model: ResultModel) {
  const { view, answers, about, units = [], counts } = model;
  const { lastRead } = answers;
  const { hits = 0 } = counts.checks.listed;
  const all = about === 'several' ? 'Show all hits' : `Show all ${counted(hits, 'hit')}`;
  return [
    readyAt(units).length < units.length ? againButton(view, units) : undefined,
    about === 'one' && lastRead ? compareLastButton(view.question, lastRead) : undefined,
    view.search && button(about === 'search' && hits === 0 ? 'Show everything' : all, WHOLE_RESULT_ACTION),
    ...selectsOf(model),
    resultMenu(model),
  ];
}

function againButton(view: ResultModel['view'], units: readonly Unit[]): types.Button {
  const again = units.some(({ kind }) => kind === 'open') ? 'Keep waiting' : 'Try again';
  return button(again, ASK_AGAIN_ACTION, viewValue(view), `${again} for those without a result`);
}

export const MENU_ACTION = 'more';
/** The entry that opens a window with all others: five entries are Slack's limit. */
export const OTHERS = 'others';

/** What that window is for, as its entry and its title say: what it offers of that. */
export function othersAreFor(model: ResultModel): string {
  const first = [isOfOne(model) ? ['compare'] : ['browse'], canBeFollowed(model) ? ['follow'] : []].flat();
  return capital([...first, 'export'].join(', '));
}

/** The menu behind the three dots: every entry says what it does; the feature that does it is found by the entry's value. */
function resultMenu(model: ResultModel): types.Overflow {
  return overflow(MENU_ACTION, [...directly(model), { label: `${othersAreFor(model)}…`, value: OTHERS }]);
}

/** What is wanted most often, at most four entries. A comparison can't be searched; of what may be two devices it can be turned round. */
function directly(model: ResultModel): Choice[] {
  const { about, upgrades, answers } = model;
  // Which of them have a fix in common is for the window to find: that takes long.
  const canUpgrade = answers.units
    ? answers.units.some((unit) => unit.kind === 'ready' && upgradesOf(unit.result) !== undefined)
    : upgrades() !== undefined;
  const inOne = [
    { label: 'Search…', value: 'search' },
    ...(canUpgrade ? [{ label: 'What an upgrade fixes', value: 'upgrade' }] : []),
  ];
  const inTwo = isOfOneDevice(model) ? [] : [{ label: 'Swap before and after', value: 'swap' }];
  return [
    ...(about === 'changes' ? inTwo : inOne),
    { label: 'Text for the case', value: 'case' },
    { label: 'Refresh', value: 'refresh' },
  ];
}

/** Then time says which is the earlier one. */
function isOfOneDevice({ answers: { before, result } }: ResultModel): boolean {
  return before !== undefined && relationOf(before.result.device, result.device) === 'same';
}

/** When a result was read, in mrkdwn; without the day where the message was made then, because Slack shows its date. */
function readWords(readAt: number, madeAt: number): string {
  return readAt === madeAt ? `read ${slackClock(readAt)}` : slackTime(readAt, 'read');
}

/**
 * Two snapshots of one device are compared in the order of time, and those of two devices stand side by side, however
 * they were asked for. With a filter, a search or passed checks, which a comparison does not show, nothing is compared.
 */
export function arranged(state: ViewState, answers: Answers): { state: ViewState; answers: Answers } {
  const { units } = answers;
  if (units === undefined) return { state, answers };
  if (state.before !== undefined) return { state: besideEachOther(state, state.before), answers };
  return comparedInTime(state, units) ?? { state, answers };
}

function besideEachOther(
  { before: _before, beforeMadeAt: _madeAt, show: _show, ...state }: ViewState,
  first: Question,
): ViewState {
  return { ...state, question: first, others: [state.question] };
}

function comparedInTime(state: ViewState, [one, other, ...more]: readonly Unit[]) {
  const { others, filter, search, ...rest } = state;
  if (one?.kind !== 'ready' || other?.kind !== 'ready' || more.length > 0) return undefined;
  if (filter !== undefined || search !== undefined || state.question.set === 'miss') return undefined;
  if (relationOf(one.result.device, other.result.device) !== 'same') return undefined;
  const asked = inOrder(one.question, other.question);
  const answers = answersOf(asked, asked.question === one.question ? [other, one] : [one, other]);
  return answers && { state: { ...rest, ...asked, ...madeOf(answers) }, answers };
}
