import type { Acceptance } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/texts.ts';
import { type RichElement, textIn } from '../blocks/blocks.ts';
import { bytesOf, inert, LIMITS, shorten } from '../blocks/limits.ts';
import { joined, ratingOf } from './wording.ts';

/**
 * What one line of a message holds on a phone, in widths of its largest letters: plain, bold, and in a header; and what its
 * row of controls holds, in characters. A test measures on a page that what is made for it takes no more lines.
 */
export type Phone = {
  readonly line: number;
  readonly bold: number;
  readonly header: number;
  readonly row: number;
};
/** A phone of 390 px. */
export const PHONE: Phone = { line: 20.6, bold: 19.5, header: 16.5, row: 53 };
/** One of 360 px. */
export const NARROW_PHONE: Phone = { line: 18.6, bold: 17.6, header: 14.9, row: 47 };

const NARROW = /[ fijlrtI.,:;'|!()[\]/·-]/;
const CAPITAL = /[A-Zmw&—…◆▲●○✓+=]/;
/** As wide as two letters: the scripts of East Asia, and emoji. */
const SQUARE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** The widths of the usual characters, in a table: each drawing of a message measures a thousand. */
const WIDTHS = Array.from({ length: 128 }, (_, code) => measured(String.fromCharCode(code)));

function widthOf(character: string): number {
  return WIDTHS[character.charCodeAt(0)] ?? measured(character);
}

function measured(character: string): number {
  if (NARROW.test(character)) return 0.3;
  return CAPITAL.test(character) ? 0.78 : SQUARE.test(character) ? 1 : 0.54;
}

function widthOfAll(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** A place on the lines of a phone: how many lines were begun, and how much of the last one is used. */
type Place = { readonly line: number; readonly used: number };
/** Before the first line. */
const START: Place = { line: 0, used: Number.POSITIVE_INFINITY };

/** The words of a text on lines as a phone breaks them, from a place on: where each ends in the text, and where it stands. */
function laidOut(text: string, perLine: number, from = START): (Place & { readonly end: number })[] {
  const stops = [];
  let { line, used } = from;
  let end = 0;
  for (const word of text.split(' ')) {
    const width = widthOfAll(word);
    const gap = used > 0 ? widthOf(' ') : 0;
    if (used > 0 && used + gap + width > perLine) {
      line += 1;
      used = width;
    } else {
      used += gap + width;
    }
    // A word that is longer than a line is broken.
    const broken = Math.max(Math.ceil(used / perLine) - 1, 0);
    line += broken;
    used -= broken * perLine;
    end += word.length;
    stops.push({ end, line, used });
    end += 1;
  }
  return stops;
}

/** Where a text ends that goes on from a place. */
function placeOf(text: string, perLine: number, from = START): Place {
  return (text === '' ? undefined : laidOut(text, perLine, from).at(-1)) ?? from;
}

/** How many lines a text takes, with those before the place where it begins; 0 for no text. */
export function linesOf(text: string, perLine: number = PHONE.line, from = START): number {
  return placeOf(text, perLine, from).line;
}

/** How many lines such a paragraph takes. */
export function heightOf(paragraph: readonly RichElement[], phone: Phone): number {
  const isBold = paragraph.some((element) => element.type === 'text' && element.style?.bold === true);
  return linesOf(paragraph.map(textIn).join(''), isBold ? phone.bold : phone.line);
}

/** Where a sentence ends; the point of an abbreviation is no end, nor is a mark that stands alone. */
const SENTENCE_END = /(?<=\S)(?<!\b(?:e\.g|i\.e|vs|cf|no))[.!?]$/i;
/** In place of such a mark there is an ellipsis. */
const MARK = /(?: ·|[.!?:;,])$/;
const NARROWEST = 0.3;

/** What is shown of a text, and where it ends on the lines of a phone. */
type Beginning = Place & { readonly text: string };
const NO_TEXT: Beginning = { ...START, text: '' };

/**
 * Lays a text out once, on the most lines that it may take, and gives what is shown of it in so many of them: all, or its
 * beginning with an ellipsis, which says that there is more: where a sentence ends in time, in place of its point, else after a
 * word. No sentence ends before `from`, where the text proper begins.
 */
export function beginningsOf(text: string, most: number, perLine: number, from = 0) {
  const whole = oneLine(text);
  // What follows does not fit in any case: however long the text is, no more of it is looked at.
  const start = shorten(whole, Math.ceil((most * perLine) / NARROWEST));
  const stops = laidOut(start, perLine);
  const isSentence = (end: number) => end > from && SENTENCE_END.test(start.slice(Math.max(end - 5, 0), end));
  return (lines: number): Beginning => {
    if (lines === 0 || whole === '') return NO_TEXT;
    const inTime = stops.filter(({ line }) => line <= lines);
    const last = inTime.at(-1);
    if (last?.end === whole.length) return { ...last, text: whole };
    const stopped = inTime.filter(({ used }) => used + widthOf('…') <= perLine);
    const sentence = stopped.findLast(({ end }) => isSentence(end));
    const word = sentence ?? stopped.at(-1);
    if (word === undefined || (!sentence && word.end <= Math.max(lines * perLine, from)))
      return cutInWord(start, lines, perLine);
    const said = start.slice(0, word.end).replace(MARK, '');
    return { line: word.line, used: word.used + widthOf('…'), text: `${said}…` };
  };
}

/** The same of a text that is shown in one way only. */
export function brief(text: string, lines: number, perLine: number = PHONE.line, from = 0): string {
  return beginningsOf(text, lines, perLine, from)(lines).text;
}

/** As many characters as fit: a phone begins a long word on a line of its own, and breaks it there. */
function cutInWord(text: string, lines: number, perLine: number): Beginning {
  let [fits, most] = [1, text.length];
  while (most - fits > 1) {
    const length = Math.floor((fits + most) / 2);
    if (linesOf(shorten(text, length), perLine) > lines) most = length;
    else fits = length;
  }
  const cut = shorten(text, fits);
  return { ...placeOf(cut, perLine), text: cut };
}

/**
 * One line of what a message says above its hits. The text beside the blocks and reports say the same; where not, `beside`
 * and `report` are what they say in its place, '' for nothing.
 */
export type Line = {
  readonly text: string;
  readonly isBold?: boolean;
  /** The same with what only blocks can say, such as a day in the reader's own time zone. */
  readonly rich?: RichElement[];
  /** The same with less, where the page has no room for what to do about its critical hits. */
  readonly short?: RichElement[];
  readonly beside?: string;
  readonly report?: string;
};

/** Of a line that stands above the hits alone. */
export const ONLY_SHOWN = { beside: '', report: '' };

const LONGEST_TEXT_LINE = 150;

/**
 * The text beside the blocks, for notifications, for screen readers, and in case Slack refuses the blocks: a headline
 * that stands by itself, and as many of the lines as fit.
 */
export function messageText(headline: readonly string[], lines: readonly string[]): string {
  return wholeLines([joined(' · ', ...headline), ...lines].map(inert));
}

/** A diagnostic as one line of it. */
export function textLine(diagnostic: Diagnostic, accepted?: Acceptance): string {
  const { match, name, title } = diagnostic;
  // Of a check that passed the importance says nothing, and its title reads like a finding.
  const mark = match === 'miss' ? '✓' : `${ratingOf(diagnostic)} ·`;
  const line = shorten(`${mark} ${name} · ${title}`, LONGEST_TEXT_LINE);
  return accepted === undefined ? line : `${line} (accepted)`;
}

/** As many lines as fit; half a line could end in half of an escape. */
function wholeLines(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    const more = text === '' ? line : `${text}\n${line}`;
    if (bytesOf(`${more}\n…`) > LIMITS.text) return `${text}\n…`;
    text = more;
  }
  return text;
}
