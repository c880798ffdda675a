import type { types } from '@slack/bolt';
import { oneLine } from '../../core/texts.ts';
import { hitValue } from '../block-kit/action-values.ts';
import { actions, richText, words } from '../block-kit/blocks.ts';
import { shorten, weigh } from '../block-kit/limits.ts';
import { brief, heightOf, linesOf, NARROW_PHONE, type Phone } from './fitting.ts';
import { acceptedLine, noteOfShown, sectionOf } from './hit-notes.ts';
import {
  type LaidHit,
  LEAST,
  LONGEST_TEXT,
  LONGEST_TITLE,
  laidHit,
  MOST_FACTS,
  type Shown,
  saidOf,
} from './laid-hit.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import { foundOf, type ShownHit } from './rows.ts';
import { detailsButton } from './solutions.ts';
import { importanceOf } from './wording.ts';

/** The diagnostics of a page that stand together: hits as blocks, or lines of a list for those that need no action. */
type Section = { readonly heading: string; readonly hits: LaidHit[]; readonly lines: string[] };

/** The sections of one page, each below its heading, within this room. */
export function sectionBlocks(
  sections: readonly Section[],
  { lines, weight }: Room,
  phone: Phone,
): types.KnownBlock[] {
  const headings = sections.map(({ heading }) => heading).filter(Boolean);
  const hits = sections.flatMap((section) => section.hits);
  const left = lines - headings.reduce((sum, heading) => sum + linesOf(heading, phone.bold), 0);
  const texts = sections.flatMap((section) => section.lines);
  const titles = titlesIn(left - hits.length * HIT_LINES, texts).map((text) => [words(text)]);
  const height = titles.reduce((sum, title) => sum + heightOf(title, NARROW_PHONE), 0);
  const room = { lines: left - height, weight: weight - weigh([...titles.flat(), ...headings]) };
  const drawn = hitBlocks(hits, room);
  return sections.flatMap((section) => {
    const list = titles.splice(0, section.lines.length);
    return [
      ...(section.heading === '' ? [] : [richText([words(section.heading, { bold: true })])]),
      ...drawn.splice(0, section.hits.length).flat(),
      ...(list.length === 0 ? [] : [richText(...list)]),
    ];
  });
}

/** These diagnostics by what stands above them; `first` is the place of the first one in the list. */
export function sectionsOf(
  listed: readonly ListedHit[],
  first: number,
  model: ResultModel,
  phone: Phone,
): Section[] {
  const placed = listed.map((each, at) => ({ each, index: first + at }));
  return [...Map.groupBy(placed, ({ each }) => sectionOf(each, model))].map(([heading, those]) => ({
    heading,
    hits: those.flatMap(({ each, index }) =>
      each.form === 'line' ? [] : laidHitOf(each, index, model, phone),
    ),
    lines: those.flatMap(({ each }) => (each.form === 'line' ? lineOf(each) : [])),
  }));
}

function laidHitOf(shown: ShownHit, index: number, model: ResultModel, phone: Phone): LaidHit {
  const { view, usualHost, units } = model;
  const { hit, accepted } = shown;
  const said = accepted && acceptedLine(accepted);
  const note = noteOfShown(shown, model);
  const of = { hit, index, view, note, usualHost, accepted: said, found: foundOf(shown, units) };
  return laidHit(of, phone);
}

/** What a hit takes: two lines of its title, two of what to do, and its buttons. */
const HIT_LINES = 5;
/** Lines of a title in a list. */
const LIST_LINES = 2;

/** Each text in one line, and in a second one where it needs that, as far as there are so many lines. */
function titlesIn(lines: number, texts: readonly string[]): string[] {
  let spare = Math.max(lines - texts.length, 0);
  return texts.map((text) => {
    const title = brief(text, Math.min(LIST_LINES, spare + 1), NARROW_PHONE.line, text.indexOf(' · '));
    spare -= linesOf(title, NARROW_PHONE.line) - 1;
    return title;
  });
}

/** A level in words of its own leaves room for a title. */
const LONGEST_LEVEL = 16;

/** A check that passed, or a hit that the later snapshot no longer has or lists: its id would take the room of its title. */
function lineOf({ hit, isUncertain }: ShownHit): string {
  const level = hit.match === 'miss' ? '' : ` ${shorten(importanceOf(hit), LONGEST_LEVEL)} ·`;
  return `${isUncertain ? '?' : '✓'}${level} ${oneLine(hit.title) || hit.name}`;
}

/** Shows the details again in a window that stands in their place. */
export const BACK_ACTION = 'hit-back';

/** What the hits of one page may take: lines of the phone, and what Slack counts of a message. */
type Room = { readonly lines: number; readonly weight: number };

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
