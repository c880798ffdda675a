import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import { type RichElement, richText, words } from '../../block-kit/blocks.ts';
import { shorten } from '../../block-kit/limits.ts';
import type { ShownHit } from '../model/result-pages.ts';
import { importanceOf } from '../words/wording.ts';
import { brief } from './brief.ts';
import type { Detail } from './hit-draft.ts';

const LONGEST_TITLE: Record<Detail, number> = { full: 100, bare: 30 };
const LONGEST_LEVEL = 40;
const LONGEST_NAME = 60;

/** A diagnostic that is no finding, in one paragraph of a list. */
export type Line = { readonly text: string; readonly elements: readonly RichElement[] };

/** Draws a line as long as there is room for. */
export type LineOf = (detail: Detail) => Line;

/** A check that passed. It is named after the issue that it looks for, so the line itself says that there is none. */
export function passedLine({ name, title }: Diagnostic): LineOf {
  return (detail) => line(`✓ Not found: ${brief(title, LONGEST_TITLE[detail])}`, name);
}

/** A hit that the later snapshot no longer has, or no longer lists. */
export function clearedLine({ hit, isUncertain }: ShownHit): LineOf {
  const level = shorten(importanceOf(hit), LONGEST_LEVEL);
  return (detail) =>
    line(`${isUncertain ? '?' : '✓'} ${level} · ${brief(hit.title, LONGEST_TITLE[detail])}`, hit.name);
}

function line(text: string, name: string): Line {
  const shown = shorten(name, LONGEST_NAME);
  return { text: `${text} ${shown}`, elements: [words(`${text} `), words(shown, { code: true })] };
}

/** Lines below each other. */
export function lineBlock(lines: readonly Line[]): types.RichTextBlock {
  return richText(...lines.map(({ elements }) => [...elements]));
}
