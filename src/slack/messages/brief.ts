import { shorten } from '../limits.ts';

/** Where a sentence ends; the point of an abbreviation is no end. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|vs|cf|no))[.!?](?=\s)/gi;
const MORE = ' …';

/** The text if it fits, else its start, cut where a reader can bear it: after a sentence, else after a word. */
export function brief(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, max - MORE.length);
  const sentence = [...start.matchAll(SENTENCE_END)].at(-1)?.index ?? -1;
  if (sentence > max / 3) return `${start.slice(0, sentence + 1)}${MORE}`;
  const space = start.lastIndexOf(' ');
  return space > max / 2 ? `${start.slice(0, space).trimEnd()}${MORE}` : shorten(text, max);
}
