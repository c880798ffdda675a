import type { types } from '@slack/bolt';
import { hitValue } from '../block-kit/action-values.ts';
import { actions, richText, words } from '../block-kit/blocks.ts';
import { weigh } from '../block-kit/limits.ts';
import {
  type LaidHit,
  LEAST,
  LONGEST_TEXT,
  LONGEST_TITLE,
  MOST_FACTS,
  type Shown,
  saidOf,
} from './laid-hit.ts';
import { detailsButton } from './solutions.ts';

/** Shows the details again in a window that stands in their place. */
export const BACK_ACTION = 'hit-back';

/** What the hits of one page may take: lines of the phone, and what Slack counts of a message. */
export type Room = { readonly lines: number; readonly weight: number };

/** What every critical hit has: the beginning of what to do about it. */
const LEAST_OF_CRITICAL: Shown = { ...LEAST, action: 2 };
const LEAST_OF_FIRST: Shown = { ...LEAST, action: 4 };
const UP_TO_LONGEST = Array.from({ length: LONGEST_TEXT - 2 }, (_, at) => at + 3);

type Step = readonly [what: keyof Shown, size: number, ofWhich?: 'critical'];
/**
 * What lines are spent on, in the order of its worth; within a step on the most important hit first. The beginning of what
 * the matter is says less than two lines of it.
 */
const STEPS: readonly Step[] = [
  ...UP_TO_LONGEST.map((size): Step => ['action', size, 'critical']),
  ['title', 2, 'critical'],
  ['facts', 1],
  ['title', 2],
  ['action', 1],
  ['action', 2],
  ['facts', MOST_FACTS],
  ['summary', 2],
  ['title', LONGEST_TITLE],
  ...UP_TO_LONGEST.map((size): Step => ['action', size]),
  ['evidence', 1],
  ...UP_TO_LONGEST.map((size): Step => ['summary', size]),
];

/**
 * The hits of one page, each as blocks: what it is, what to do, and buttons to its articles and its details. Lines are spent
 * on what is worth most, until there are none left: a text is cut, which an ellipsis says, only where the page is full.
 * Where the texts are too heavy for Slack, the details alone have them.
 */
export function hitBlocks(hits: readonly LaidHit[], { lines, weight }: Room): types.KnownBlock[][] {
  const said = hits.map((laid, at) => {
    const least = at === 0 ? LEAST_OF_FIRST : LEAST_OF_CRITICAL;
    return saidOf(laid, laid.isCritical ? least : LEAST);
  });
  let left = lines - said.reduce((total, { height }) => total + height, 0);
  for (const [what, wanted, ofWhich] of STEPS) {
    for (const [at, { laid, shown, height }] of said.entries()) {
      const size = Math.min(wanted, laid.most[what]);
      if (shown[what] >= size || (ofWhich === 'critical' && !laid.isCritical)) continue;
      const more = saidOf(laid, { ...shown, [what]: size });
      const cost = more.height - height;
      if (cost > Math.max(left, 0)) continue;
      said[at] = more;
      left -= cost;
    }
  }
  const blocks = said.map((each) => draw(each));
  if (weigh(blocks) <= weight) return blocks;
  return hits.map((laid) =>
    draw(saidOf(laid, LEAST), { buttons: [], rows: 1, more: laid.of.hit.solutions.length }),
  );
}

/** How many lines the hits take with all of what to do about the critical ones, and the least of everything else. */
export function linesNeeded(hits: readonly LaidHit[]): number {
  const needed = ({ isCritical }: LaidHit) => (isCritical ? { ...LEAST, action: LONGEST_TEXT } : LEAST);
  return hits.reduce((sum, laid) => sum + saidOf(laid, needed(laid)).height, 0);
}

function draw(
  { laid, title, text, facts, evidence }: ReturnType<typeof saidOf>,
  links = laid.links,
): types.KnownBlock[] {
  const { hit, index, view, found, accepted = [] } = laid.of;
  const value = hitValue({ view, hit: index, name: hit.name, part: 0 });
  const known = [
    ...(text.text === '' ? [] : [words(text.text)]),
    ...(facts === '' ? [] : [words(`${text.text === '' ? '' : ' '}${facts}`, { italic: true })]),
  ];
  const more = [accepted, known, evidence === '' ? [] : [words(evidence)]].filter(({ length }) => length > 0);
  const hasEvidence = found.some(({ output }) => output.length > 0);
  return [
    richText([words(title.text, { bold: true })], ...more),
    actions([...links.buttons, detailsButton(hit.title, hasEvidence, links, value)]),
  ];
}
