import type { types } from '@slack/bolt';
import type { Diagnostic, Solution } from '../../core/diagnostics.ts';
import { actions, preformatted, richText, words } from '../blocks.ts';
import type { View } from '../button-values.ts';
import { LIMITS, pieces } from '../limits.ts';
import type { ShownHit } from '../shown-hits.ts';
import { becameOf } from './comparison-words.ts';
import { isWebAddress, solutionButton } from './solution-buttons.ts';
import { importanceOf } from './wording.ts';

/** Everything that is known of one hit, in the order in which it is read; texts that are too long for a block in several. */
export function wholeHit(shown: ShownHit, view: View): types.KnownBlock[] {
  const { hit } = shown;
  return [
    ...labelled('', hit.title, true),
    ...labelled('', `${importanceOf(hit)} · ${hit.name}`),
    ...labelled('', becameOf(shown, view)),
    ...labelled('Summary', hit.summary),
    ...labelled('Action', hit.action),
    ...labelled('CVEs', hit.cveIds.join(', ')),
    ...labelled('Fixed in', hit.fixedIn.join(', ')),
    ...evidence(hit.output),
    ...solutions(hit),
  ];
}

function labelled(label: string, text: string, bold = false): types.KnownBlock[] {
  return pieces(text, LIMITS.textElement).map((piece, index) =>
    richText([
      ...(label !== '' && index === 0 ? [words(`${label}: `, { bold: true })] : []),
      words(piece, bold ? { bold } : undefined),
    ]),
  );
}

function evidence(output: readonly string[]): types.KnownBlock[] {
  const blocks = output.flatMap((block) => pieces(block, LIMITS.textElement).map(preformatted));
  if (blocks.length === 0) return [];
  return [richText([words('What was found on this device:', { bold: true })]), ...blocks];
}

function solutions(hit: Diagnostic): types.KnownBlock[] {
  const buttons = hit.solutions.flatMap((solution, index) => solutionButton(solution, index) ?? []);
  const others = hit.solutions.filter((solution) => !isWebAddress(solution) || isCut(solution));
  const rows: types.KnownBlock[] = [];
  // Long addresses make heavy rows; five of them still fit a part.
  for (let first = 0; first < buttons.length; first += 5) rows.push(actions(buttons.slice(first, first + 5)));
  return [
    ...others.flatMap(({ url, id }) => labelled('Solution', [id, url].filter(Boolean).join(' · '))),
    ...rows,
  ];
}

/** Whether the label of its button can't hold the article's id. */
function isCut({ id = '' }: Solution): boolean {
  return id.length > LIMITS.buttonText;
}
