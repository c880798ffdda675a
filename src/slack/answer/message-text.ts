import type { Acceptance } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { RichElement } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import { bytesOf, LIMITS, shorten } from '../block-kit/limits.ts';
import { ratingOf } from './wording.ts';

/**
 * One line of what a message says above its hits. The text beside the blocks and reports say the same; where not, `beside`
 * and `report` are what they say in its place, '' for nothing.
 */
export type Line = {
  readonly text: string;
  readonly isBold?: boolean;
  /** The same with what only blocks can say, such as a day in the reader's own time zone. */
  readonly rich?: RichElement[];
  readonly beside?: string;
  readonly report?: string;
};

/** Of a line that stands above the hits alone. */
export const ONLY_SHOWN = { beside: '', report: '' };

const LONGEST_TEXT_LINE = 150;

/**
 * The text beside the blocks, for notifications, for screen readers, and in case Slack refuses the blocks: a headline
 * that stands by itself, and as many of the lines as fit.
 */
export function messageText(headline: readonly string[], lines: readonly string[]): string {
  return wholeLines([headline.filter((part) => part !== '').join(' · '), ...lines].map(inert));
}

/** A diagnostic as one line of it. */
export function textLine(diagnostic: Diagnostic, accepted?: Acceptance): string {
  const { match, name, title } = diagnostic;
  // Of a check that passed the importance says nothing, and its title reads like a finding.
  const mark = match === 'miss' ? '✓' : `${ratingOf(diagnostic)} ·`;
  const line = shorten(`${mark} ${name} · ${title}`, LONGEST_TEXT_LINE);
  return accepted === undefined ? line : `${line} (accepted)`;
}

/** As many lines as fit; half a line could end in half of an escape. */
function wholeLines(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (bytesOf(text) + bytesOf(line) + bytesOf('\n…') > LIMITS.text) return `${text}\n…`;
    text += text === '' ? line : `\n${line}`;
  }
  return text;
}
