import type { types } from '@slack/bolt';
import type { Solution } from '../../../core/diagnostics.ts';
import { linkButton } from '../../block-kit/blocks.ts';
import { weigh } from '../../block-kit/limits.ts';
import { articleLabel, webAddress } from '../model/solution-address.ts';

/** Followed by a number: an action id is unique within its block. */
export const SOLUTION_ACTION = 'solution-';

/** As many solutions as a message has buttons for; the details have them all. */
const MOST_LINKS = 2;
/** An address that is longer leaves too little room for the other hits of the page. */
const LONGEST_LINK = 500;
/** What one row of buttons holds on a phone beside "Details", in characters; each link has a frame and an arrow. */
const ROW = 36;
const FRAME = 7;

/** The button to a solution, labelled by its article id; undefined when its address is none that can be opened. */
export function solutionButton(
  solution: Solution,
  index: number,
  usualHost: string | undefined,
): types.Button | undefined {
  const address = webAddress(solution);
  if (address === undefined) return undefined;
  const label = articleLabel(solution, address, usualHost);
  return linkButton(label, `${SOLUTION_ACTION}${index}`, address.href, `${label}: open the article`);
}

/** The first solutions of a hit as buttons, the lines that they take beside "Details", and how many are left. */
export type Links = {
  readonly buttons: readonly types.Button[];
  readonly rows: number;
  readonly more: number;
};

/** The links of a hit in a message. */
export function linksOf(solutions: readonly Solution[], usualHost: string | undefined): Links {
  const buttons = solutions
    .flatMap((solution, index) => solutionButton(solution, index, usualHost) ?? [])
    .slice(0, MOST_LINKS)
    .filter((button) => weigh(button) <= LONGEST_LINK);
  const width = buttons.reduce((sum, { text }) => sum + text.text.length + FRAME, 0);
  return { buttons, rows: width > ROW ? 2 : 1, more: solutions.length - buttons.length };
}
