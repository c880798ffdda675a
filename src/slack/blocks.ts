import type { types } from '@slack/bolt';
import { LIMITS, shorten } from './limits.ts';

/** A message: blocks for the screen, and a real sentence for notifications, screen readers and the fallback. */
export type Message = { readonly text: string; readonly blocks: types.KnownBlock[] };

type Style = { bold?: boolean; italic?: boolean; code?: boolean };
export type RichElement = types.RichTextElement;

/** Text that came from elsewhere goes here: in rich text nothing is markup. */
export function words(text: string, style?: Style): RichElement {
  return { type: 'text', text: text === '' ? ' ' : text, ...(style === undefined ? {} : { style }) };
}

/** Paragraphs of rich text: each list of elements begins on a line of its own. */
export function richText(...paragraphs: RichElement[][]): types.RichTextBlock {
  const elements = paragraphs.flatMap((paragraph, index) =>
    index === 0 ? paragraph : [words('\n'), ...paragraph],
  );
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Text whose lines and columns count. */
export function preformatted(text: string): types.RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  };
}

export function header(text: string): types.HeaderBlock {
  return { type: 'header', text: { type: 'plain_text', text: shorten(text, LIMITS.header), emoji: false } };
}

/** Small print. Only our own words, and ids and times in Slack's escapes. */
export function smallPrint(mrkdwn: string): types.ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: mrkdwn }] };
}

export function actions(elements: types.Button[]): types.ActionsBlock {
  return { type: 'actions', elements };
}

/**
 * A button that the bot hears. `value` is read back by whoever listens for `actionId`; `spoken` is what a screen
 * reader says, where the label alone does not tell one button from the next.
 */
export function button(label: string, actionId: string, value: string, spoken?: string): types.Button {
  return { type: 'button', text: buttonText(label), action_id: actionId, value, ...spokenLabel(spoken) };
}

/** A button that opens a page. Slack tells the bot of its clicks too, and wants them acknowledged. */
export function linkButton(label: string, actionId: string, url: string, spoken?: string): types.Button {
  return { type: 'button', text: buttonText(label), action_id: actionId, url, ...spokenLabel(spoken) };
}

function spokenLabel(spoken: string | undefined): { accessibility_label?: string } {
  return spoken === undefined ? {} : { accessibility_label: shorten(spoken, LIMITS.buttonText) };
}

function buttonText(label: string): types.PlainTextElement {
  return { type: 'plain_text', text: shorten(label, LIMITS.buttonText), emoji: false };
}
