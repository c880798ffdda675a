import type { types } from '@slack/bolt';
import { oneLine } from '../../core/texts.ts';
import { hitValue } from '../blocks/action-values.ts';
import { actions, richText, words } from '../blocks/blocks.ts';
import { shorten, weigh } from '../blocks/limits.ts';
import { brief, heightOf, linesOf, NARROW_PHONE, type Phone } from './fitting.ts';
import { noteOfShown, sectionOf } from './hit-notes.ts';
import { hasEvidence, type LaidHit, laidHit, leastOf, type Said, saidWithin } from './laid-hit.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import { cellsIn, type ShownHit } from './rows.ts';
import { detailsButton } from './solutions.ts';
import { importanceOf } from './wording.ts';

/** The diagnostics of a page that stand together: hits as blocks, or lines of a list for those that need no action. */
type Section = { readonly heading: string; readonly hits: LaidHit[]; readonly lines: string[] };

/** The sections of one page, each below its heading, within this room. */
export function sectionBlocks(
  sections: readonly Section[],
  phone: Phone,
  lines: number,
  weight: number,
): types.KnownBlock[] {
  const headings = sections.map(({ heading }) => heading).filter(Boolean);
  const hits = sections.flatMap((section) => section.hits);
  const left = lines - headings.reduce((sum, heading) => sum + linesOf(heading, phone.bold), 0);
  const texts = sections.flatMap((section) => section.lines);
  const titles = titlesIn(left - hits.length * HIT_LINES, texts).map((text) => [words(text)]);
  const height = titles.reduce((sum, title) => sum + heightOf(title, NARROW_PHONE), 0);
  const framed = sections.map((section) => {
    const list = titles.splice(0, section.lines.length);
    return {
      size: section.hits.length,
      above: section.heading === '' ? [] : [richText([words(section.heading, { bold: true })])],
      below: list.length === 0 ? [] : [richText(...list)],
    };
  });
  const drawn = hitBlocks(hits, left - height, weight - weigh(framed));
  return framed.flatMap(({ size, above, below }) => [...above, ...drawn.splice(0, size).flat(), ...below]);
}

/** These diagnostics by what stands above them; `first` is the place of the first one in the list. */
export function sectionsOf(
  listed: readonly ListedHit[],
  first: number,
  model: ResultModel,
  phone: Phone,
): Section[] {
  const { view, usualHost, units } = model;
  const placed = listed.map((each, at) => ({ ...each, index: first + at }));
  return [...Map.groupBy(placed, (each) => sectionOf(each, model))].map(([heading, those]) => {
    const { line = [], blocks = [] } = Object.groupBy(those, ({ form }) => form);
    const hits = blocks.map((each) => {
      const of = { ...each, view, usualHost, note: noteOfShown(each, model), cells: cellsIn(each, units) };
      return laidHit(of, phone);
    });
    return { heading, hits, lines: line.map(lineOf) };
  });
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

/**
 * The hits of one page, each as blocks: what it is, what to do, and buttons to its articles and its details. Where the texts
 * are too heavy for Slack, the details alone have them.
 */
function hitBlocks(hits: readonly LaidHit[], lines: number, weight: number): types.KnownBlock[][] {
  const blocks = saidWithin(hits, lines).map((said) => draw(said));
  if (weigh(blocks) <= weight) return blocks;
  return hits.map((laid) =>
    draw(leastOf(laid), { buttons: [], rows: 1, more: laid.of.hit.solutions.length }),
  );
}

function draw({ laid, title, text, facts, evidence }: Said, links = laid.links): types.KnownBlock[] {
  const { hit, index, view } = laid.of;
  const value = hitValue({ view, hit: index, name: hit.name, part: 0 });
  const known = [
    ...(text.text === '' ? [] : [words(text.text)]),
    ...(facts === '' ? [] : [words(`${text.text === '' ? '' : ' '}${facts}`, { italic: true })]),
  ];
  const more = [laid.accepted, known, evidence === '' ? [] : [words(evidence)]];
  return [
    richText([words(title.text, { bold: true })], ...more.filter(({ length }) => length > 0)),
    actions([...links.buttons, detailsButton(hit.title, hasEvidence(laid.of), links, value)]),
  ];
}
