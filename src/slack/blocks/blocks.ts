import type { types } from '@slack/bolt';
import { isApp } from '../../core/lookup.ts';
import { utcText } from '../../core/time.ts';
import { inert, LIMITS, shorten, visible } from './limits.ts';

/** A message: blocks, and a sentence for notifications, screen readers and the fallback. */
export type Message = { readonly text: string; readonly blocks: types.KnownBlock[] };

type Style = { bold?: boolean; italic?: boolean; code?: boolean };
export type RichElement = types.RichTextElement;

/** A text in rich text. Nothing in it is markup, so it is safe for text from other systems. */
export function words(text: string, style?: Style): RichElement {
  return { type: 'text', text: visible(text) || ' ', ...(style === undefined ? {} : { style }) };
}

export function bold(text: string): RichElement {
  return words(text, { bold: true });
}

/** Paragraphs of rich text: each list of elements begins on a line of its own. */
export function richText(...paragraphs: RichElement[][]): types.RichTextBlock {
  const all = paragraphs.flatMap((each, at) => (at === 0 ? each : [words('\n'), ...each]));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: joinedTexts(all) }] };
}

/** Rich text of one line of plain words. */
export function line(text: string): types.RichTextBlock {
  return richText([words(text)]);
}

/** Neighbouring texts without a style as one element, which weighs less. */
function joinedTexts(elements: readonly RichElement[]): RichElement[] {
  return elements.reduce<RichElement[]>((done, each) => {
    const last = done.at(-1);
    if (last?.type === 'text' && each.type === 'text' && !last.style && !each.style)
      done[done.length - 1] = { ...last, text: last.text + each.text };
    else done.push(each);
    return done;
  }, []);
}

/** The given things without those that are absent. */
export function present<T>(...things: readonly (T | '' | false | undefined)[]): T[] {
  return things.filter((thing): thing is T => Boolean(thing));
}

/** A message of these paragraphs and buttons; its text says what the paragraphs say. Nothing in them is markup. */
export function messageOf(paragraphs: RichElement[][], ...buttons: types.Button[]): Message {
  const text = paragraphs.map((elements) => elements.map(mrkdwnOf).join('')).join('\n');
  return { text, blocks: [richText(...paragraphs), ...buttonRow(...buttons)] };
}

function mrkdwnOf(element: RichElement): string {
  return element.type === 'user' ? `<@${element.user_id}>` : inert(textOf(element));
}

function textOf(element: RichElement): string {
  return 'text' in element ? (element.text ?? '') : 'fallback' in element ? (element.fallback ?? '') : '';
}

const MARK = /\p{Extended_Pictographic}\u00a0/gu;

/** What paragraphs of rich text say, as plain text without their marks: a line each. */
export function plainOf(paragraphs: readonly RichElement[][]): string {
  const lines = paragraphs.map((elements) => elements.map(textOf).join('').replace(MARK, ''));
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

/** A message that says this and nothing else; nothing in it is markup. */
export function notice(text: string): Message {
  return { text, blocks: [line(text)] };
}

/** A person by name, whom Slack notifies. */
export function mention(user_id: string): RichElement {
  return { type: 'user', user_id };
}

/** A message that mentions these people and says this; nothing in what is said is markup. */
export function mentioning(users: readonly string[], text: string, ...buttons: types.Button[]): Message {
  const mentions = users.flatMap((user) => [mention(user), words(' ')]);
  return messageOf([[...mentions, words(text)]], ...buttons);
}

/** Text with its lines and columns. */
export function preformatted(text: string): types.RichTextBlock {
  const elements = [{ type: 'text' as const, text: visible(text) || ' ' }];
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] };
}

export function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plain(shorten(text, LIMITS.header)) };
}

type Print = string | types.PlainTextElement;

/** Small print: in mrkdwn only the bot's own words, and ids and times in Slack's escapes; all else in plain text. */
export function smallPrint(...parts: readonly (Print | false | undefined)[]): types.ContextBlock {
  const elements = present<Print>(...parts).map((part) =>
    typeof part === 'string' ? ({ type: 'mrkdwn', text: part } as const) : part,
  );
  return { type: 'context', elements };
}

export const DAY = '{date_short_pretty}';
/** A day and its time. */
const DATE = `${DAY} {time}`;

/** A time in rich text, as Slack shows it in the reader's own time zone. `at` is epoch milliseconds. */
export function moment(at: number, format = DATE): RichElement & { type: 'date' } {
  return { type: 'date', timestamp: Math.floor(at / 1_000), format, fallback: utcText(at) };
}

/**
 * A day, after a word if one is given: `since today`. The word is in the format because Slack would otherwise write a
 * capital.
 */
export function day(at: number, before = '', format = DAY): RichElement {
  const start = before === '' ? '' : `${before} `;
  return { ...moment(at, `${start}${format}`), fallback: `${start}${utcText(at).slice(0, 10)}` };
}

export function actions(elements: types.ActionsBlockElement[]): types.ActionsBlock {
  return { type: 'actions', elements };
}

/** A row of the given buttons without the absent ones; no row if all are absent. */
export function buttonRow(...buttons: readonly (types.Button | false | undefined)[]): types.ActionsBlock[] {
  const shown = present(...buttons);
  return shown.length === 0 ? [] : [actions(shown)];
}

/** One option of a menu. `value` is read back by the menu's listener. */
export function option({ label, value }: { label: string; value: string }): types.PlainTextOption {
  return { text: plain(shorten(label, LIMITS.optionText)), value };
}

/** Plain text for labels and titles; nothing in it is markup. */
export function plain(text: string): types.PlainTextElement {
  return { type: 'plain_text', text: visible(text), emoji: false };
}

/** A button whose listener reads `value` back. `about` is for screen readers: what it acts on, where the label does not say it. */
export function button(label: string, actionId: string, value?: string, about?: string): types.Button {
  return {
    ...{ type: 'button', text: plain(shorten(label, LIMITS.buttonText)), action_id: actionId },
    ...(value !== undefined && { value }),
    ...(about !== undefined && { accessibility_label: shorten(`${label}: ${about}`, LIMITS.buttonText) }),
  };
}

/** A button that opens a web page. Slack also sends its clicks to the bot, to be acknowledged. */
export function linkButton(label: string, actionId: string, url: string): types.Button {
  return { ...button(label, actionId), url };
}

/** Who asked, in mrkdwn: an app can't be mentioned. */
export function askerTag(asker: string): string {
  return isApp(asker) ? 'an app' : `<@${asker}>`;
}

/**
 * A time in mrkdwn, which Slack shows in the reader's own time zone. `at` is epoch milliseconds; `before`: words in front
 * of the time.
 */
export function slackTime(at: number, before = '', format = DATE): string {
  const start = before === '' ? '' : `${before} `;
  return `<!date^${Math.floor(at / 1_000)}^${start}${format}|${start}${utcText(at)}>`;
}

/** `slackTime` without the day, for times within hours. */
export function slackClock(at: number): string {
  return slackTime(at, '', '{time}');
}
