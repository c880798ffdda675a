import { shorten } from '../../block-kit/limits.ts';

/** Where a sentence ends; the point of an abbreviation is no end. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|vs|cf|no))[.!?](?=\s)/gi;
const SPACES = /\s+/g;

/** Text on one line, for where lines are counted. */
export function oneLine(text: string): string {
  return text.replace(SPACES, ' ').trim();
}

/**
 * The text on one line if it fits `max` UTF-16 units, else its start: whole sentences where one fits, and nothing
 * after them, because a reader misses nothing there; else cut after a word, which an ellipsis says.
 */
export function brief(text: string, max: number): string {
  const line = oneLine(text);
  if (line.length <= max) return line;
  const start = line.slice(0, max + 1);
  const sentence = [...start.matchAll(SENTENCE_END)].at(-1)?.index ?? -1;
  if (sentence > max / 4) return start.slice(0, sentence + 1);
  const space = start.lastIndexOf(' ', max - 1);
  return space > max / 2 ? `${start.slice(0, space).trimEnd()}…` : shorten(line, max);
}
