import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { words } from '../blocks.ts';
import { shorten } from '../limits.ts';
import { brief } from './brief.ts';

const LONGEST_TITLE = 160;
const LONGEST_NAME = 60;

/** A check that passed, as one line. */
export function missLine({ name, title }: Diagnostic): types.RichTextSection {
  return {
    type: 'rich_text_section',
    elements: [words(shorten(name, LONGEST_NAME), { code: true }), words(` ${brief(title, LONGEST_TITLE)}`)],
  };
}

/** The lines as a list. */
export function missBlock(elements: types.RichTextSection[]): types.RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] };
}
