import type { types } from '@slack/bolt';
import { isApp } from '../../core/lookup.ts';
import { utcText } from '../../core/time.ts';
import { inert, LIMITS, shorten, visible } from './limits.ts';

/** A message: its blocks, and a text for notifications and screen readers. */
export type Message = { readonly text: string; readonly blocks: types.KnownBlock[] };

type Style = { bold?: boolean; italic?: boolean; code?: boolean };
export type RichElement = types.RichTextElement;

/** A text element of rich text. Slack interprets no markup in it, so it is safe for text from other systems. */
export function words(text: string, style?: Style): RichElement {
  return { type: 'text', text: visible(text) || ' ', ...(style === undefined ? {} : { style }) };
}

export function bold(text: string): RichElement {
  return words(text, { bold: true });
}

/** Rich text of several paragraphs, each on a new line. */
export function richText(...paragraphs: RichElement[][]): types.RichTextBlock {
  const all = paragraphs.flatMap((each, at) => (at === 0 ? each : [words('\n'), ...each]));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: joinedTexts(all) }] };
}

/** A block with one line of plain text. */
export function line(text: string): types.RichTextBlock {
  return richText([words(text)]);
}

/** Joins neighbouring texts without a style, which shortens the JSON of a message. */
function joinedTexts(elements: readonly RichElement[]): RichElement[] {
  return elements.reduce<RichElement[]>((done, each) => {
    const last = done.at(-1);
    if (last?.type === 'text' && each.type === 'text' && !last.style && !each.style)
      done[done.length - 1] = { ...last, text: last.text + each.text };
    else done.push(each);
    return done;
  }, []);
}

/** Drops the values that are absent or empty. */
export function present<T>(...things: readonly (T | '' | false | undefined)[]): T[] {
  return things.filter((thing): thing is T => Boolean(thing));
}

/** A message with these paragraphs and buttons, and the same words as its text. Slack interprets no markup in them. */
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

const MARK = /\p{Extended_Pictographic}\ufe0f?\u00a0/gu;

/** The plain text of paragraphs of rich text, one line each, without the level marks. */
export function plainOf(paragraphs: readonly RichElement[][]): string {
  const lines = paragraphs.map((elements) => elements.map(textOf).join('').replace(MARK, ''));
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

/** A message of a single line. Slack interprets no markup in it. */
export function notice(text: string): Message {
  return { text, blocks: [line(text)] };
}

/** Mentions a user, whom Slack then notifies. */
export function mention(user_id: string): RichElement {
  return { type: 'user', user_id };
}

/** A message that mentions these users before its text. Slack interprets no markup in the text. */
export function mentioning(users: readonly string[], text: string, ...buttons: types.Button[]): Message {
  const mentions = users.flatMap((user) => [mention(user), words(' ')]);
  return messageOf([[...mentions, words(text)]], ...buttons);
}

/** A block that keeps the line breaks and columns of its text. */
export function preformatted(text: string): types.RichTextBlock {
  const elements = [{ type: 'text' as const, text: visible(text) || ' ' }];
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] };
}

export function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plain(shorten(text, LIMITS.header)) };
}

type Print = string | types.PlainTextElement;

/** Small print. Strings are mrkdwn, so pass text from other systems as plain text. */
export function smallPrint(...parts: readonly (Print | false | undefined)[]): types.ContextBlock {
  const elements = present<Print>(...parts).map((part) =>
    typeof part === 'string' ? ({ type: 'mrkdwn', text: part } as const) : part,
  );
  return { type: 'context', elements };
}

export const DAY = '{date_short_pretty}';
/** Slack's format for a day with the time. */
const DATE = `${DAY} {time}`;

/** A time in rich text, which Slack shows in the reader's time zone. `at`: epoch milliseconds. */
export function moment(at: number, format = DATE): RichElement & { type: 'date' } {
  return { type: 'date', timestamp: Math.floor(at / 1_000), format, fallback: utcText(at) };
}

/**
 * A day in rich text, with an optional word before it, such as `since today`. The word is a part of the format, because
 * Slack would otherwise write “Today” with a capital.
 */
export function day(at: number, before = '', format = DAY): RichElement {
  const start = before === '' ? '' : `${before} `;
  return { ...moment(at, `${start}${format}`), fallback: `${start}${utcText(at).slice(0, 10)}` };
}

export function actions(elements: types.ActionsBlockElement[]): types.ActionsBlock {
  return { type: 'actions', elements };
}

/** A row with the buttons that are present; empty if all are absent. */
export function buttonRow(...buttons: readonly (types.Button | false | undefined)[]): types.ActionsBlock[] {
  const shown = present(...buttons);
  return shown.length === 0 ? [] : [actions(shown)];
}

/** An option of a menu. Slack sends `value` to the menu's listener. */
export function option({ label, value }: { label: string; value: string }): types.PlainTextOption {
  return { text: plain(shorten(label, LIMITS.optionText)), value };
}

/** Plain text for labels and titles. Slack interprets no markup in it. */
export function plain(text: string): types.PlainTextElement {
  return { type: 'plain_text', text: visible(text), emoji: false };
}

/** A button. Slack sends `value` to its listener. `about`: what the button acts on, for screen readers. */
export function button(label: string, actionId: string, value?: string, about?: string): types.Button {
  return {
    ...{ type: 'button', text: plain(shorten(label, LIMITS.buttonText)), action_id: actionId },
    ...(value !== undefined && { value }),
    ...(about !== undefined && { accessibility_label: shorten(`${label}: ${about}`, LIMITS.buttonText) }),
  };
}

/** A button that opens a web page. Slack also sends its clicks to the bot, which must acknowledge them. */
export function linkButton(label: string, actionId: string, url: string): types.Button {
  return { ...button(label, actionId), url };
}

/** The asker in mrkdwn: a mention, or “an app”, because apps can't be mentioned. */
export function askerTag(asker: string): string {
  return isApp(asker) ? 'an app' : `<@${asker}>`;
}

/**
 * A time in mrkdwn, which Slack shows in the reader's time zone. `at`: epoch milliseconds. `before`: the words before
 * the time.
 */
export function slackTime(at: number, before = '', format = DATE): string {
  const start = before === '' ? '' : `${before} `;
  return `<!date^${Math.floor(at / 1_000)}^${start}${format}|${start}${utcText(at)}>`;
}

/** Like `slackTime`, without the day: for times a few hours away. */
export function slackClock(at: number): string {
  return slackTime(at, '', '{time}');
}
