import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { cveIdsIn } from '../../core/naming.ts';
import { oneLine } from '../../core/texts.ts';
import { hitValue, type View } from '../block-kit/action-values.ts';
import { actions, type RichElement, richText, words } from '../block-kit/blocks.ts';
import { shorten, weigh } from '../block-kit/limits.ts';
import { brief, heightOf, type Phone } from './fitting.ts';
import type { foundOf } from './rows.ts';
import { detailsButton, linksOf } from './solutions.ts';
import { actionOf, importanceOf } from './wording.ts';

/** Shows the details again in a window that stands in their place. */
export const BACK_ACTION = 'hit-back';

/** A hit of a view: its position there, what else is said of it, and the usual host of the links. */
export type HitView = {
  readonly hit: Diagnostic;
  readonly index: number;
  readonly view: View;
  readonly note: string;
  readonly usualHost: string | undefined;
  /** What is said of a hit that was accepted, in place of everything but its title. */
  readonly accepted?: RichElement[] | undefined;
  /** What was found of it, on each of several devices. */
  readonly found: ReturnType<typeof foundOf>;
};

/** What the hits of one page may take: lines of this phone, and what Slack counts of a message. */
export type Room = { readonly lines: number; readonly weight: number; readonly phone: Phone };

const LONGEST_LEVEL = 40;
const LONGEST_FACT = 40;
const MOST_FACTS = 3;

/** How much of a hit is shown: lines of its title, of what to do, or else of what the matter is, and more. */
type Shown = {
  readonly title: number;
  readonly action: number;
  readonly summary: number;
  /** How many CVEs, and how many versions. */
  readonly facts: number;
  /** Lines of it, one or none. */
  readonly evidence: number;
};

/** What every hit has: the beginning of its title, of what to do about a critical one, and its buttons. */
const LEAST: Shown = { title: 1, action: 0, summary: 0, facts: 0, evidence: 0 };
const LEAST_OF_CRITICAL: Shown = { ...LEAST, action: 2 };
const LEAST_OF_FIRST: Shown = { ...LEAST, action: 4 };
/** A text that is longer is for the details, however much room there is. */
const LONGEST_TEXT = 8;
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
  ['title', 3],
  ...UP_TO_LONGEST.map((size): Step => ['action', size]),
  ['evidence', 1],
  ...UP_TO_LONGEST.map((size): Step => ['summary', size]),
];

/**
 * The hits of one page, each as blocks: what it is, what to do, and buttons to its articles and its details. Lines are spent
 * on what is worth most, until there are none left: a text is cut, which an ellipsis says, only where the page is full.
 * Where the texts are too heavy for Slack, the details alone have them.
 */
export function hitBlocks(hits: readonly HitView[], { lines, weight, phone }: Room): types.KnownBlock[][] {
  const drawings = hits.map((of, at) => {
    const least = at === 0 ? LEAST_OF_FIRST : LEAST_OF_CRITICAL;
    return drawn(of, isCritical(of.hit) ? least : LEAST, phone);
  });
  let left = lines - drawings.reduce((total, { height }) => total + height, 0);
  for (const [what, size, ofWhich] of STEPS) {
    for (const [at, { of, shown, height }] of drawings.entries()) {
      if (shown[what] >= size || (ofWhich === 'critical' && !isCritical(of.hit))) continue;
      const more = drawn(of, { ...shown, [what]: size }, phone);
      const cost = more.height - height;
      if (cost > Math.max(left, 0)) continue;
      drawings[at] = more;
      left -= cost;
    }
  }
  const blocks = drawings.map(draw);
  if (weigh(blocks) <= weight) return blocks;
  const bare = (of: HitView) => ({ buttons: [], rows: 1, more: of.hit.solutions.length });
  return drawings.map(({ of }) => draw({ ...drawn(of, LEAST, phone), links: bare(of) }));
}

/** How many lines the hits take with all of what to do about the critical ones, and the least of everything else. */
export function linesNeeded(hits: readonly HitView[], phone: Phone): number {
  const needed = ({ hit }: HitView) => (isCritical(hit) ? { ...LEAST, action: LONGEST_TEXT } : LEAST);
  return hits.reduce((sum, of) => sum + drawn(of, needed(of), phone).height, 0);
}

/** What a message says of a hit, and the lines of this phone that it takes with its buttons. */
function drawn(of: HitView, shown: Shown, phone: Phone) {
  const { hit, note, usualHost, accepted } = of;
  const level = shorten(importanceOf(hit), LONGEST_LEVEL);
  const rated = `${level}${note === '' ? '' : ` (${note})`} · `;
  const title = brief(`${rated}${hit.title}`, shown.title, phone.bold, rated.length);
  const text = textOf(hit, shown, phone);
  const facts = shown.facts === 0 ? '' : factsOf(hit, title, shown.facts);
  const evidence = shown.evidence === 0 ? '' : evidenceOf(of);
  const known = [
    ...(text === '' ? [] : [words(text)]),
    ...(facts === '' ? [] : [words(`${text === '' ? '' : ' '}${facts}`, { italic: true })]),
  ];
  const more = accepted === undefined ? [known, evidence === '' ? [] : [words(evidence)]] : [accepted];
  const paragraphs = [[words(title, { bold: true })], ...more.filter(({ length }) => length > 0)];
  const links = linksOf(hit.solutions, usualHost);
  const height = paragraphs.reduce((sum, paragraph) => sum + heightOf(paragraph, phone), links.rows);
  return { of, shown, paragraphs, links, height };
}

function draw({ of, paragraphs, links }: Omit<ReturnType<typeof drawn>, 'height'>): types.KnownBlock[] {
  const { hit, index, view, found } = of;
  const value = hitValue({ view, hit: index, name: hit.name, part: 0 });
  const hasEvidence = found.some(({ output }) => output.length > 0);
  return [
    richText(...paragraphs),
    actions([...links.buttons, detailsButton(hit.title, hasEvidence, links, value)]),
  ];
}

function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}

/** What to do; where that says nothing, what the matter is. */
function textOf(hit: Diagnostic, { action, summary }: Shown, { line }: Phone): string {
  const toDo = actionOf(hit);
  const [text, lines] = toDo === '' ? [hit.summary, summary] : [toDo, action];
  return lines === 0 || oneLine(text) === oneLine(hit.title) ? '' : brief(text, lines, line);
}

/** CVEs that the shown title does not name, and fixed-in versions: at most so many of each. */
function factsOf({ cveIds, fixedIn }: Diagnostic, title: string, most: number): string {
  const named = cveIdsIn(title);
  const others = cveIds.filter((id) => !named.includes(id));
  return [some(others, most), fixedIn.length > 0 ? `Fixed in ${some(fixedIn, most)}` : '']
    .filter((part) => part !== '')
    .join(' · ');
}

function some(list: readonly string[], most: number): string {
  const more = list.length > most ? ` +${list.length - most}` : '';
  const shown = list.slice(0, most).map((each) => shorten(oneLine(each), LONGEST_FACT));
  return shown.join(', ') + more;
}

const LONGEST_EVIDENCE = 72;
/** A line without a letter or a digit, such as what underlines a heading. */
const RULE = /^[^\p{L}\p{N}]*$/u;

/** The first lines of what was found, never a heading alone, and on which device where others say otherwise; or ''. */
function evidenceOf({ found }: HitView): string {
  const said = found.map(({ where, output }) => ({ where, text: beginningOf(output) }));
  const first = said.find(({ text }) => text !== '');
  if (first === undefined) return '';
  const isSame = said.every(({ text }) => text === first.text);
  return `Found${isSame ? '' : ` on ${first.where}`}: ${first.text}`;
}

function beginningOf(output: Diagnostic['output']): string {
  const lines = output
    .flatMap((block) => block.split('\n'))
    .map(oneLine)
    .filter((line) => !RULE.test(line));
  const first = lines.findIndex((line) => !line.endsWith(':'));
  const [heading = '', found = '', next = ''] = [lines[first - 1], lines[first], lines[first + 1]];
  if (found === '') return '';
  const start = heading.length > LONGEST_EVIDENCE / 2 ? '' : `${heading} `;
  // A line without a colon may be a heading too: the next one stands beside it.
  return shorten(`${start}${found}${next === '' ? '' : ` · ${next}`}`.trimStart(), LONGEST_EVIDENCE);
}
