import { oneLine } from '../../../core/one-line.ts';
import { shorten } from '../../block-kit/limits.ts';

/** Where a sentence ends; the point of an abbreviation is no end. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|vs|cf|no))[.!?](?=\s)/gi;

/**
 * The text on one line if it fits `max` UTF-16 units, else its start: whole sentences where one fits, and nothing
 * after them, because a reader misses nothing there. A first sentence that is longer stays whole up to `whole` units.
 * Only where no sentence ends in time is the text cut, after a word, which an ellipsis says.
 */
export function brief(text: string, max: number, whole = max): string {
  const line = oneLine(text);
  if (line.length <= max) return line;
  const ends = [...line.slice(0, whole + 1).matchAll(SENTENCE_END)].map(({ index }) => index);
  const within = ends.findLast((end) => end <= max);
  if (within !== undefined && within > max / 4) return line.slice(0, within + 1);
  const first = ends.find((end) => end > max);
  if (first !== undefined) return line.slice(0, first + 1);
  if (line.length <= whole) return line;
  if (within !== undefined) return line.slice(0, within + 1);
  const space = line.lastIndexOf(' ', max - 1);
  return space > max / 2 ? `${line.slice(0, space).trimEnd()}…` : shorten(line, max);
}
