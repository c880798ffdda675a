import type { types } from '@slack/bolt';
import { oneLine } from '../../core/texts.ts';
import { richText, words } from '../block-kit/blocks.ts';
import { shorten, weigh } from '../block-kit/limits.ts';
import { brief, heightOf, linesOf, NARROW_PHONE, type Phone } from './fitting.ts';
import { hitBlocks, type Room } from './hit-blocks.ts';
import { acceptedLine, noteOfShown, sectionOf } from './hit-notes.ts';
import { type LaidHit, laidHit } from './laid-hit.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import { foundOf, type ShownHit } from './rows.ts';
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
