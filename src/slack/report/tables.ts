import type { types } from '@slack/bolt';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { levelOf, sideOf } from '../../core/importance.ts';
import { runningVersion } from '../../core/versions.ts';
import { words } from '../blocks/blocks.ts';
import { shorten, visible } from '../blocks/limits.ts';
import { count } from './words.ts';

const LEVELS = ['Critical', 'High', 'Medium', 'Low'];
const LONGEST_CELL = 60;

/** One row of the table: what it is called, and its result. */
type Row = { readonly name: string; readonly result: DiagnosticsResult };

/** How many hits of each level each result has, and its release. Slack takes one table a message, and no empty cell. */
export function levelTable(first: string, rows: readonly Row[]): types.TableBlock {
  const right = { align: 'right' } as const;
  return {
    type: 'table',
    column_settings: [{}, ...LEVELS.map(() => right), {}],
    rows: [
      [first, ...LEVELS, 'Release'].map((text) => ({
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [words(text, { bold: true })] }],
      })),
      ...rows.map(({ name, result }) => {
        const ranks = sideOf(result, 'hit').map((hit) => levelOf(hit).rank);
        const sizes = LEVELS.map((_, rank) => count(ranks.filter((each) => each === rank).length));
        return [name, ...sizes, releaseNumber(result)].map(cell);
      }),
    ],
  };
}

function cell(text: string): types.RawTextElement {
  return { type: 'raw_text', text: visible(shorten(text, LONGEST_CELL)) || '–' };
}

/** `17.1.3.3`, or the version as it is stated; '' for none. */
export function releaseNumber({ software }: DiagnosticsResult): string {
  const running = runningVersion(software);
  if (running === undefined || running.isAnyOfBase) return software.version;
  const end = running.hotfix === 0 ? '' : ` HF${running.hotfix}`;
  const { numbers } = running;
  const last = Math.max(
    numbers.findLastIndex((number) => number !== 0),
    1,
  );
  return `${numbers.slice(0, last + 1).join('.')}${end}`;
}
