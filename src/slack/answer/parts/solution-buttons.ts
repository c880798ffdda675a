import type { types } from '@slack/bolt';
import type { Solution } from '../../../core/diagnostics.ts';
import { link, linkButton, type RichElement } from '../../block-kit/blocks.ts';
import { LIMITS, shorten, weigh } from '../../block-kit/limits.ts';
import { articleLabel, webAddress } from '../model/solution-address.ts';

/** Followed by a number: an action id is unique within its block. */
export const SOLUTION_ACTION = 'solution-';

/** As many solutions as a message names; the details have them all. */
const MOST_LINKS = 5;
/** Together they must leave room for the other hits of the page. */
const LINKS_WEIGHT = 1_500;
/** What one row of buttons holds on a phone, in characters; each button takes some for its frame. */
const ROW = 40;
const FRAME = 5;
/** A link has an arrow too. */
const LINK_FRAME = 7;
const LONGEST_LABEL = 30;

/** The button to a solution, labelled by its article id; undefined when its address is none that can be opened. */
export function solutionButton(
  solution: Solution,
  index: number,
  usualHost: string | undefined,
): types.Button | undefined {
  const address = webAddress(solution);
  if (address === undefined) return undefined;
  const label = articleLabel(solution, address, usualHost);
  return linkButton(label, `${SOLUTION_ACTION}${index}`, address.href, `Open article ${label}`);
}

/** The solutions of a hit in a message: one row of buttons beside others, links in the text, and how many are left. */
export type Links = {
  readonly buttons: readonly types.Button[];
  /** With their labels: what a line counts. */
  readonly inText: readonly { readonly label: string; readonly element: RichElement }[];
  readonly more: number;
};

/** `beside` is the label of the button that stands in the same row; `most` how many solutions are named at all. */
export function linksOf(
  solutions: readonly Solution[],
  usualHost: string | undefined,
  { beside, most = MOST_LINKS }: { readonly beside: string; readonly most?: number },
): Links {
  const buttons: types.Button[] = [];
  const inText: { label: string; element: RichElement }[] = [];
  let row = beside.length + FRAME;
  let more = 0;
  for (const solution of solutions) {
    const address = webAddress(solution);
    const named = buttons.length + inText.length;
    if (address === undefined || named >= most || weigh([buttons, inText, address.href]) > LINKS_WEIGHT) {
      more += 1;
      continue;
    }
    const label = shorten(articleLabel(solution, address, usualHost), LONGEST_LABEL);
    row += label.length + LINK_FRAME;
    if (buttons.length === 0 || (inText.length === 0 && row <= ROW)) {
      const spoken = `Open article ${label}`;
      buttons.push(linkButton(label, `${SOLUTION_ACTION}${named}`, address.href, spoken));
    } else {
      inText.push({ label, element: link(address.href, shorten(label, LIMITS.buttonText)) });
    }
  }
  return { buttons, inText, more };
}
