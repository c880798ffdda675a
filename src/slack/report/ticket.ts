import type { types } from '@slack/bolt';
import { type Diagnostic, hostOf } from '../../core/diagnostics.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { shorten, visible } from '../blocks/limits.ts';
import { actionLine, type Row, rowTitle, titleOfHit } from './hit.ts';
import { titleOf } from './words.ts';

const MOST_HITS = 100;
/** The longest ticket links. Slack allows 3,000 characters; a message also needs room for its list of hits. */
export const TICKET = { inWindow: 2_900, inMessage: 1_200 } as const;

/** A button that opens the operator's ticket form, filled in. `summary`: what the title says of several hits. */
export function ticketButton(
  template: string | undefined,
  rows: readonly Row[],
  most: number,
  summary = '',
): types.Button | undefined {
  const [first, ...others] = rows;
  if (template === undefined || first === undefined) return undefined;
  const { hit, question, result } = first;
  const about = titleOf({ question }, result);
  const lines = rows.slice(0, MOST_HITS).flatMap((row) => {
    const ids = [row.hit.name, ...row.hit.cveIds].join(', ');
    return [`${rowTitle(row)} (${ids})`, actionLine(row)];
  });
  const [title, ...more] =
    others.length === 0
      ? [titleOfHit(hit), hit.summary, evidenceText(hit)]
      : [`${about}: ${summary.split('\n', 1).join()}`];
  const named = { title, snapshot: question.snapshotId, host: hostOf(result.device) };
  const filled = Object.entries(named).reduce(
    (link, [name, value = '']) => link.replace(`{${name}}`, encoded(value, (most - link.length) / 4)),
    template,
  );
  const text = encoded([about, ...lines, ...more].join('\n'), most - filled.length);
  return ui.linkButton('Create ticket ↗', ACTION.ticket, filled.replace('{text}', text));
}

/** Percent-encodes a text, so it can't leave its query parameter, and cuts it to at most `most` encoded characters. */
function encoded(text: string, most: number): string {
  const start = shorten(text, Math.floor(most));
  const whole = encodeURIComponent(visible(start));
  return whole.length <= most ? whole : encoded(shorten(start, Math.floor(start.length * 0.95)), most);
}

/** The evidence as one text. If a block has several lines, an empty line separates the blocks. */
export function evidenceText({ output }: Diagnostic): string {
  return output.join(output.some((block) => block.includes('\n')) ? '\n\n' : '\n');
}
