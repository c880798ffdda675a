import type { types } from '@slack/bolt';
import { type Diagnostic, type DiagnosticsResult, hostOf } from '../../core/diagnostics.ts';
import type { Question } from '../../core/lookup.ts';
import { linkButton } from '../blocks/blocks.ts';
import { visible } from '../blocks/limits.ts';
import { actionLine, rowTitle, titleOfHit } from './hit.ts';
import { levelCounts } from './levels.ts';
import { evidenceText, titleOf } from './words.ts';

export const TICKET_ACTION = 'ticket';
/** The longest links. Slack takes 3,000 characters; in a message the list of hits needs the room. */
export const TICKET = { inWindow: 2_900, inMessage: 1_200 } as const;

/** The button that opens the operator's form of a ticket, filled in with these hits; none without a template or hits. */
export function ticketButton(
  template: string | undefined,
  question: Question,
  result: DiagnosticsResult,
  hits: readonly Diagnostic[],
  most: number,
): types.Button[] {
  const [first, ...others] = hits;
  if (template === undefined || first === undefined) return [];
  const about = titleOf({ question }, result);
  const isOne = others.length === 0;
  const title = isOne ? titleOfHit(first) : `${about}: ${levelCounts(hits)}`;
  const lines = hits.flatMap((hit) => [
    `${rowTitle({ hit })} (${[hit.name, ...hit.cveIds].join(', ')})`,
    actionLine(hit, result.software),
  ]);
  const text = [about, ...lines, ...(isOne ? [first.summary, evidenceText(first.output)] : [])].join('\n');
  const share = (most - template.length) / 4;
  const short = { title, snapshot: question.snapshotId, host: hostOf(result.device) };
  const named = Object.entries(short).reduce(
    (link, [name, value]) => link.replace(`{${name}}`, encoded(value, share)),
    template,
  );
  const url = named.replace('{text}', encoded(text, most - named.length));
  return [linkButton('Create ticket ↗', TICKET_ACTION, url)];
}

const ELLIPSIS = '%E2%80%A6';

/** Percent-encoded, so that it can't leave its parameter: as many whole code points as fit into `most` characters. */
function encoded(text: string, most: number): string {
  let done = '';
  for (const character of visible(text.slice(0, most))) {
    const next = done + encodeURIComponent(character);
    if (next.length + ELLIPSIS.length > most) return done + ELLIPSIS;
    done = next;
  }
  return done;
}
