import type { Diagnostic } from '../../core/diagnostics.ts';
import { isOpen, levelOf } from '../../core/importance.ts';
import { type Upgrade, type Upgrades, upgradesOf } from '../../core/upgrading.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { type Message, type RichElement, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import { filterLine, filterSelect } from './filter.ts';
import { textLine } from './message-text.ts';
import { type Item, pagedMessage, passedItem } from './page.ts';
import { resultMenu } from './result-menu.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import {
  compareLastButton,
  lastReadLine,
  lastReadText,
  NO_LAST_READ,
  type Since,
  sinceLine,
  sinceText,
} from './since.ts';
import { summaryOf } from './summary.ts';
import { count, countDoubt, counted, deviceLine, noteOf, readWords, titleOf } from './wording.ts';

/** A result, how its message shows it, and what changed since the message was made. */
type ResultView = {
  readonly model: ResultModel;
  readonly state: ViewState;
  readonly since?: Since | undefined;
};

/** Three lines of a phone. */
const LONGEST_DEVICE_LINE = 120;

/** The answer: which device, how many hits of which importance, then a page of them, most important first. */
export function resultMessage(view: ResultView): Message {
  const { model, state, since } = view;
  const { listed, pages, noun } = model;
  const { question, askedBy, madeAt } = state;
  const { lastRead, result, readAt } = model.answers;
  return pagedMessage({
    state,
    title: titleOf(question, result),
    headline: headline(view),
    overview: overview(model),
    noun: noun === 'hit' ? 'Hits' : 'Checks',
    news: since === undefined ? [] : [sinceLine(since, readAt, noun)],
    listed,
    pages,
    itemOf: (each, index) => itemOf(each, index, model),
    textOf: ({ hit, accepted }) => textLine(hit, accepted),
    footer: [`asked by <@${askedBy}>`, readWords(readAt, madeAt)],
    menus: [
      lastRead && compareLastButton(question, lastRead),
      noun === 'hit' ? filterSelect(model) : undefined,
      resultMenu(model),
    ],
  });
}

function itemOf(
  { hit, form, accepted }: ListedHit,
  index: number,
  { view, counts, usualHost }: ResultModel,
): Item {
  return form === 'line'
    ? passedItem(hit, `(${count(counts.shown)})`)
    : {
        hit: { hit, index, view, note: noteOf(hit), usualHost, accepted },
      };
}

function overview(model: ResultModel): RichElement[][] {
  const { result, lastRead, hasNoLast } = model.answers;
  const device = deviceLine(result);
  const { bold, plain } = summaryOf(model);
  const doubt = countDoubt(model.counts.checks);
  const upgrade = upgradeOf(model);
  const filtering = filterLine(model);
  return [
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_DEVICE_LINE))]]),
    [words(bold, { bold: true }), ...(plain === '' ? [] : [words(plain)])],
    ...(doubt === '' ? [] : [[words(doubt)]]),
    ...(upgrade === '' ? [] : [[words(upgrade)]]),
    ...(lastRead === undefined ? [] : [lastReadLine(lastRead)]),
    ...(hasNoLast === undefined ? [] : [[words(NO_LAST_READ, { bold: true })]]),
    ...(filtering === '' ? [] : [[words(filtering, { bold: true })]]),
    ...(model.noun === 'check' && model.pages.length > 1 ? [[words(longList(model))]] : []),
  ];
}

/** Nobody reads hundreds of checks. */
function longList({ listed }: ResultModel): string {
  return `To find one of these ${count(listed.length)}, search or export them with ⋯.`;
}

/** What an upgrade fixes, or ''. Not for whoever filters: that person has read it. */
export function upgradeOf({ answers: { result }, view: { filter = {}, question } }: ResultModel): string {
  const upgrades = question.set === 'miss' || !isOpen(filter) ? undefined : upgradesOf(result);
  return upgrades?.recommended === undefined ? '' : fixesLine(upgrades.recommended, upgrades);
}

function headline({ model, since }: ResultView): string[] {
  const { lastRead, hasNoLast } = model.answers;
  const { bold, plain } = summaryOf(model);
  return [
    `${bold}${plain}`,
    countDoubt(model.counts.checks),
    since === undefined ? '' : sinceText(since, model.noun),
    lastRead === undefined ? '' : lastReadText(lastRead),
    hasNoLast === undefined ? '' : NO_LAST_READ,
    filterLine(model),
  ];
}

export const LONGEST_VERSION = 30;

/** `17.1.4 fixes 20 of 37 hits, both critical ones` */
export function fixesLine(upgrade: Upgrade, { hits }: Pick<Upgrades, 'hits'>): string {
  const { fixed } = upgrade;
  const of = `${versionText(upgrade)} fixes ${count(fixed.length)} of ${counted(hits.length, 'hit')}`;
  const [critical, all] = [fixed.filter(isCritical).length, hits.filter(isCritical).length];
  return all === 0 ? of : `${of}, ${criticalOnes(critical, all)}`;
}

function criticalOnes(fixed: number, all: number): string {
  if (fixed === 0) return all === 1 ? 'not the critical one' : 'no critical one';
  if (fixed < all) return `${count(fixed)} of ${count(all)} critical`;
  return all === 1
    ? 'the critical one'
    : all === 2
      ? 'both critical ones'
      : `all ${count(all)} critical ones`;
}

/** The version as the service writes it; a text that only looks like one can be long. */
export function versionText({ version }: Upgrade): string {
  return shorten(version, LONGEST_VERSION);
}

function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}
