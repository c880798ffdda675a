import type { types } from '@slack/bolt';
import type { Acceptance } from '../../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { levelOf, namedIn, sortByImportance } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import { upgradeOf } from '../../core/releases.ts';
import { articleIn, oneLine } from '../../core/texts.ts';
import { ACTION, type HitKey, hitKeyValue } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { LIMITS, shorten, visible } from '../blocks/limits.ts';
import { levelMark, levelWord } from './levels.ts';
import { capital, joined, listed, some, statedAction } from './words.ts';

/** A hit or a passed check in a list, with the analysis that contains it. */
export type Row = {
  readonly hit: Diagnostic;
  readonly question: Question;
  readonly result: DiagnosticsResult;
  readonly accepted?: Acceptance | undefined;
  /**
   * Only in a comparison. `was`: the hit's earlier level. `isOver`: the hit is cleared or no longer listed, so no
   * action is needed.
   */
  readonly was?: Pick<Diagnostic, 'importance'> | undefined;
  readonly isOver?: boolean;
};

export function hitsOf<H>(rows: readonly { readonly hit: H }[]): H[] {
  return rows.map(({ hit }) => hit);
}

/** Whether a hit is not accepted for its device. */
export function isOpen({ accepted }: Row): boolean {
  return accepted === undefined;
}

/** Sorts rows, most important first, and accepted hits last. */
export function sortRows<R extends Row>(rows: readonly R[]): R[] {
  const sorted = sortByImportance(rows, ({ hit }) => hit);
  return sorted.sort((one, other) => Number(isOpen(other)) - Number(isOpen(one)));
}

const LONGEST_TITLE = 150;
const LONGEST_ACTION = 250;
const MOST_ARTICLES = 2;
/** The longest URL to link to. “Details” shows a longer URL as plain text. */
const LONGEST_LINK = 300;

/** The value of a hit's button. The name of the hit is shortened, because Slack limits the length of values. */
export function keyOf({ hit, question, result }: Row): string {
  const nth = Math.max(namedIn(result, hit.name).indexOf(hit), 0);
  return hitKeyValue({ question, name: shorten(hit.name, LIMITS.name), nth });
}

/** The diagnostic of a clicked button; undefined if the result no longer contains it. */
export function hitNamed({ name, nth }: HitKey, { diagnostics }: DiagnosticsResult): Diagnostic | undefined {
  const named = diagnostics.filter((each) => shorten(each.name, LIMITS.name) === name);
  return named[nth] ?? named[0];
}

/** The text on one line, cut after a whole word if it is too long. */
function cut(text: string, most: number): string {
  const line = oneLine(text);
  return line.length <= most ? line : shorten(line, most).replace(/ [^ ]{0,60}…$/, '…');
}

/** The title of a hit, or its name if it has no title. */
export function titleOfHit(hit: Diagnostic): string {
  const said = cut(hit.title, LONGEST_TITLE) || cut(hit.name, LONGEST_TITLE) || 'Untitled';
  return joined(' ', said, hit.isMatchUnstated && '(match not stated)', exploitedWords(hit));
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

/** A warning such as `⚠ known exploited since 12 May 2026`; '' if no CVE of the hit is known to be exploited. */
export function exploitedWords({ exploitedSince }: Diagnostic): string {
  if (exploitedSince === undefined) return '';
  return `⚠\u00a0known exploited since ${new Date(exploitedSince).toLocaleDateString('en-GB', DAY)}`;
}

type Marked = Pick<Row, 'hit' | 'was'>;

/** The prefix of a title: the level's mark, or the level's word if it has no mark. */
function beforeTitle({ hit, was }: Marked): string {
  if (hit.match === 'miss') return '✅\u00a0';
  const level = levelOf(hit);
  const mark = levelMark(level);
  if (was !== undefined) return `${mark}${capital(levelWord(level))}, was ${levelWord(levelOf(was))}: `;
  return mark || `${level.word}: `;
}

/** A title with its prefix as plain text: `🔶 Title` for a hit, `✅ Title` for a passed check. */
export function rowTitle(row: Marked): string {
  return visible(`${beforeTitle(row)}${titleOfHit(row.hit)}`);
}

function titleLine(row: Marked): ui.RichElement[] {
  return [ui.words(beforeTitle(row)), ui.bold(titleOfHit(row.hit))];
}

/** What to do about a hit: its action, else the release that fixes it, else its articles; else the start of its summary. */
export function actionLine({ hit, result }: Pick<Row, 'hit' | 'result'>): string {
  const stated = statedAction(hit);
  const fix = stated === '' && upgradeOf({ ...result, diagnostics: [hit] })?.version;
  const articles = articlesOf(hit).map(({ label }) => label);
  const more = some(articles.slice(MOST_ARTICLES), 'more');
  const read = listed(ui.present(...articles.slice(0, MOST_ARTICLES), more));
  const action = stated || (fix && `Upgrade to ${fix}`) || (read && `Read ${read}`);
  const summary = oneLine(hit.summary);
  const sentence = /^.*?[.!?](?= \p{Lu}|$)/u.exec(summary)?.[0] ?? summary;
  const said = withStop(cut(action || sentence, LONGEST_ACTION));
  return action ? `→ ${said}` : said;
}

function withStop(sentence: string): string {
  return sentence === '' || /[.!?…:。]["”)]?$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** A hit in full: title, what to do or who accepted it, two articles, “Details”. `at`: as in `detailsButton`. */
export function wholeHit(row: Row, at: number): types.KnownBlock[] {
  const below = belowTitle(row);
  return [
    ui.richText(titleLine(row), ...ui.present(below && [ui.words(below)])),
    ui.actions([
      ...linksOf(row.hit).map(({ label, url }, index) => ui.linkButton(label, `article-${at}-${index}`, url)),
      detailsButton(row, at),
    ]),
  ];
}

/** The button that opens the details of a hit. `at`: its position in the message or window, for a unique action id. */
export function detailsButton(row: Row, at: number): types.Button {
  return ui.button('Details', `${ACTION.details}-${at}`, keyOf(row), titleOfHit(row.hit));
}

/** Hits as a list of lines; each title links to its first article if `isLinked`. */
export function hitLines(rows: readonly Row[], isLinked: boolean): types.RichTextBlock {
  const lines = rows.map((row): ui.RichElement[] => {
    const [article] = isLinked && !row.isOver ? linksOf(row.hit) : [];
    if (article === undefined) return [ui.words(rowTitle(row))];
    return [
      ui.words(beforeTitle(row)),
      { type: 'link', url: article.url, text: visible(titleOfHit(row.hit)) },
    ];
  });
  return ui.richText(...lines);
}

/** An accepted hit, with who accepted it, until when and why. */
export function acceptedHit(row: Row): types.RichTextBlock {
  return ui.richText(titleLine(row), ...ui.present(row.accepted && acceptedWords(row.accepted)));
}

/** A text such as `Accepted by Ana Almeida until 25 January: a spare is ordered.` The name notifies nobody. */
export function acceptedWords({ userName, until, reason }: Acceptance): ui.RichElement[] {
  const end = ui.day(until, 'until', '{date_long}');
  return [ui.words(`Accepted by ${shorten(userName, 40)} `), end, ui.words(`: ${withStop(reason)}`)];
}

/** The line below a hit's title as plain text: who accepted it, else what to do; '' if neither applies. */
export function belowTitle(row: Row): string {
  if (row.accepted !== undefined) return ui.plainOf([acceptedWords(row.accepted)]);
  return row.hit.match === 'miss' || row.isOver ? '' : actionLine(row);
}

type Article = { readonly label: string; readonly address: string; readonly url: string | undefined };

/** The articles of a hit. `label`: the article's id, or the end of its URL. `url`: undefined if it must not be a link. */
export function articlesOf({ solutions }: Diagnostic): Article[] {
  return solutions.map(({ url: address, id = '' }) => {
    const { href = '', username = '', password = '', pathname = '' } = URL.parse(address) ?? {};
    // A URL with credentials looks like another host: `https://support.example@evil.test/`.
    const isOpen = /^https?:/.test(href) && username + password === '' && href.length <= LONGEST_LINK;
    const named = articleIn(id.trim() || address) ?? id.trim();
    const label = named || (pathname.split('/').findLast(Boolean) ?? address);
    return { label, address, url: isOpen ? href : undefined };
  });
}

/** The first articles of a hit that have a `url`. */
function linksOf(hit: Diagnostic): { readonly label: string; readonly url: string }[] {
  const links = articlesOf(hit).flatMap(({ label, url }) => (url === undefined ? [] : { label, url }));
  return links.slice(0, MOST_ARTICLES);
}
