import type { types } from '@slack/bolt';
import type { Acceptance } from '../../core/comparing.ts';
import type { Diagnostic, Software } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { oneLine } from '../../core/texts.ts';
import { lazily, utcText } from '../../core/time.ts';
import { compareVersions, isLater, isSameBranch, runningVersion, versionOf } from '../../core/versions.ts';
import { actions, button, type RichElement, richText, words } from '../blocks/blocks.ts';
import { inert, LIMITS, shorten, visible, weigh } from '../blocks/limits.ts';
import { articleButton, articlesOf } from './articles.ts';
import { isCritical, isGrave, levelCounts, levelMark, levelWord } from './levels.ts';
import { capital, count, joined, listed, statedAction } from './words.ts';

/** A hit as a message lists it: with who accepted it, and how it was rated before, in the words of a comparison. */
export type Listed = {
  readonly hit: Diagnostic;
  readonly accepted?: Acceptance | undefined;
  readonly was?: Pick<Diagnostic, 'importance'> | undefined;
};

const LONGEST_TITLE = 150;
const LONGEST_ACTION = 250;
const MOST_ARTICLES = 2;

/** A text in one line that ends at a word where it is too long. */
function cut(text: string, most: number): string {
  const line = oneLine(text);
  if (line.length <= most) return line;
  const short = shorten(line, most);
  const space = short.lastIndexOf(' ');
  return space > most / 2 ? `${short.slice(0, space)}…` : short;
}

/** The title of a hit as a message has it; of one that has none the name. */
export function titleOfHit(hit: Diagnostic): string {
  const { title, name, isMatchUnstated } = hit;
  const said = cut(title, LONGEST_TITLE) || cut(name, LONGEST_TITLE) || 'Untitled';
  return joined(' ', said, isMatchUnstated && '(match not stated)', exploitedWords(hit));
}

const month = lazily(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
);

/** `⚠ known exploited since 12 May`, with the year if it is another one; '' for all other hits. */
export function exploitedWords({ exploitedSince }: Diagnostic): string {
  if (exploitedSince === undefined) return '';
  const [day, year = ''] = [new Date(exploitedSince), exploitedSince.slice(0, 4)];
  const isThisYear = year === String(new Date().getUTCFullYear());
  return joined(' ', '⚠\u00a0known exploited since', month().format(day), !isThisYear && year);
}

/** What stands before a title: the mark, or the word of a level that has none. */
function beforeTitle({ hit, was }: Listed): string {
  const level = levelOf(hit);
  const mark = levelMark(level);
  if (was !== undefined) return `${mark}${capital(levelWord(level))}, was ${levelWord(levelOf(was))}: `;
  return mark === '' ? `${level.word}: ` : mark;
}

/** A title with what stands before it, as plain text: `🔶 Title`, or of a check that passed `✅ Title`. */
export function rowTitle(one: Listed): string {
  const isCheck = one.hit.match === 'miss';
  return visible(`${isCheck ? '✅\u00a0' : beforeTitle(one)}${titleOfHit(one.hit)}`);
}

/**
 * What to do about a hit: its own action, else the nearest release that fixes it, else its articles, else, which is no
 * action, the first sentence of its summary. `text` is '' where the service says none of these.
 */
function actionOf(hit: Diagnostic, software: Software): { text: string; isAction: boolean } {
  const own = statedAction(hit);
  const fix = nearestFix(hit, software);
  const articles = articlesOf(hit).map(({ label }) => label);
  const named = articles.slice(0, MOST_ARTICLES);
  const more = articles.length - named.length;
  const read = listed(more > 0 ? [named.join(', '), `${count(more)} more`] : named);
  const said = own || (fix && `Upgrade to ${fix}`) || (read && `Read ${read}`);
  if (said) return { text: withStop(cut(said, LONGEST_ACTION)), isAction: true };
  return { text: withStop(cut(firstSentence(hit.summary), LONGEST_ACTION)), isAction: false };
}

/** The same as one line: `→ Upgrade to 17.1.3.4.`; or ''. */
export function actionLine(hit: Diagnostic, software: Software): string {
  const { text, isAction } = actionOf(hit, software);
  return isAction ? `→ ${text}` : text;
}

const ENDED = /[.!?…:。]["”)]?$/u;

function withStop(sentence: string): string {
  return sentence === '' || ENDED.test(sentence) ? sentence : `${sentence}.`;
}

function firstSentence(summary: string): string {
  const line = oneLine(summary);
  return /^.*?[.!?](?= \p{Lu}|$)/u.exec(line)?.[0] ?? line;
}

/** The nearest later release of the device's own branch that fixes a hit, or else of a later branch. */
function nearestFix({ fixedIn }: Diagnostic, software: Software): string | undefined {
  const running = runningVersion(software);
  if (running === undefined) return undefined;
  const fixes = fixedIn.flatMap((text) => {
    const version = versionOf(text);
    return version !== undefined && isLater(version, running) ? [{ text: text.trim(), version }] : [];
  });
  const sorted = fixes.sort((one, other) => compareVersions(one.version, other.version));
  return (sorted.find(({ version }) => isSameBranch(version, running)) ?? sorted[0])?.text;
}

/** A hit with its whole title, what to do, its first two articles and Details; `at` counts those of the message. */
function wholeHit(one: Listed, { software, detailsValue }: HitContext, at: number): types.KnownBlock[] {
  const title = titleOfHit(one.hit);
  const action = actionLine(one.hit, software);
  const articles = articlesOf(one.hit).slice(0, MOST_ARTICLES);
  const end = action === '' ? [] : [words(`\n${action}`)];
  return [
    richText([words(beforeTitle(one)), words(title, { bold: true }), ...end]),
    actions([
      ...articles.map((article, index) => articleButton(article, `article-${at}-${index}`)),
      button('Details', `details-${at}`, detailsValue, `Details: ${title}`),
    ]),
  ];
}

/** Hits as lines: the mark and the title, which links to the first article. */
function hitLines(
  hits: readonly Listed[],
  { isLinked }: { readonly isLinked: boolean },
): types.RichTextBlock {
  const elements = hits.flatMap((one, at): RichElement[] => {
    const start = `${at === 0 ? '' : '\n'}${beforeTitle(one)}`;
    const [article] = isLinked ? articlesOf(one.hit) : [];
    const title = titleOfHit(one.hit);
    if (article === undefined) return [words(`${start}${title}`)];
    return [words(start), { type: 'link', url: article.url, text: visible(title) }];
  });
  return richText(elements);
}

/** A hit that somebody accepted, who that is, until when and why. */
export function acceptedHit({ hit, accepted }: Listed): types.RichTextBlock {
  const title = words(titleOfHit(hit), { bold: true });
  return richText([
    words(beforeTitle({ hit })),
    title,
    ...(accepted === undefined ? [] : [words('\n'), ...acceptedWords(accepted)]),
  ]);
}

/** `Accepted by Ana Almeida until 25 January: a spare is ordered.` The name is text, and mentions nobody. */
export function acceptedWords({ userName, until, reason }: Acceptance): RichElement[] {
  const date: RichElement = {
    type: 'date',
    timestamp: Math.floor(until / 1_000),
    format: 'until {date_long}',
    fallback: `until ${utcText(until).slice(0, 10)}`,
  };
  return [words(`Accepted by ${shorten(userName, 40)} `), date, words(`: ${withStop(reason)}`)];
}

/** The same in plain text. */
export function acceptedText({ userName, until, reason }: Acceptance): string {
  return `Accepted by ${shorten(userName, 40)} until ${utcText(until).slice(0, 10)}: ${withStop(reason)}`;
}

/** `And 24 more: 16 medium, 8 low` */
export function moreLine(hits: readonly Diagnostic[]): string {
  return `And ${count(hits.length)} more: ${levelCounts(hits).join(', ')}`;
}

/** Which hits of a message are whole: the critical ones, at least three and at most five. */
export function wholeSize(hits: readonly Diagnostic[]): number {
  return Math.min(Math.max(hits.filter(isCritical).length, 3), 5);
}

const MOST_NAMED = 30;
const LEAST_NAMED = 5;

/** How many hits of a sorted list are named: every critical and high one, at most thirty; at least five of any level. */
export function namedSize(hits: readonly Diagnostic[]): number {
  return Math.min(Math.max(hits.filter(isGrave).length, LEAST_NAMED), MOST_NAMED);
}

/** How much a message may list. */
export type Room = { readonly isLinked: boolean; readonly named: number; readonly whole: number };

const AMPLE: Room = { isLinked: true, named: MOST_NAMED, whole: LEAST_NAMED };

/**
 * The blocks of a message within Slack's limits: first the links of the lines give way, then lines from the end; whole
 * hits only where their texts alone are too much. `reserved`: what the rest of the message weighs.
 */
export function fitted(reserved: number, draw: (room: Room) => types.KnownBlock[]): types.KnownBlock[] {
  let room = AMPLE;
  let blocks = draw(room);
  while (weigh(blocks) > LIMITS.messageJson - reserved && room.named > 0) {
    const named = room.isLinked ? room.named : room.named - 1;
    room = { isLinked: false, named, whole: Math.min(room.whole, named) };
    blocks = draw(room);
  }
  return blocks;
}

/** What else a hit is drawn with: what runs on its device, and what its Details button carries. */
export type HitContext = { readonly software: Software; readonly detailsValue: string };

export type HitList = {
  readonly contextOf: (hit: Diagnostic) => HitContext;
  /** How many whole hits stand before it in the message. */
  readonly at?: number;
};

/** The first hits of a sorted list in the two forms, and those that are left. */
export function hitsOf(
  hits: readonly Listed[],
  sizes: Room,
  { contextOf, at = 0 }: HitList,
): { readonly blocks: types.KnownBlock[]; readonly rest: readonly Listed[] } {
  const whole = hits.slice(0, Math.min(sizes.whole, sizes.named));
  const lines = hits.slice(whole.length, sizes.named);
  const blocks = whole.flatMap((one, index) => wholeHit(one, contextOf(one.hit), at + index));
  return {
    blocks: [...blocks, ...(lines.length === 0 ? [] : [hitLines(lines, sizes)])],
    rest: hits.slice(Math.max(whole.length, sizes.named)),
  };
}

const TITLES_IN_TEXT = 5;

/** What stands beside the blocks: a sentence, and the first titles with their levels. */
export function textBeside(first: string, hits: readonly Diagnostic[]): string {
  const titles = hits.slice(0, TITLES_IN_TEXT).map((hit) => `${levelOf(hit).word}: ${titleOfHit(hit)}`);
  return [first, ...titles].map(inert).join('\n');
}
