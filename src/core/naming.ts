import { type IdRange, rangesIn } from './id-ranges.ts';
import { foldings, type IssueId, idsIn } from './issue-ids.ts';
import { lazily } from './single-flight.ts';

/** A text as it is searched: folded, also with its escapes of addresses decoded, and with its lines joined. */
export type Reading = {
  readonly plain: readonly string[];
  readonly joined: readonly string[];
  readonly ranges: () => readonly IdRange[];
};

/** With the indentation of the next line. */
const LINE_BREAKS = /\n[ \t]*/g;

/** Reads a text for the searches below. Takes time linear in its length. */
export function readingOf(text: string): Reading {
  const plain = foldings(text);
  const joined = text.includes('\n') ? foldings(text.replace(LINE_BREAKS, '')) : [];
  return { plain, joined, ranges: lazily(() => [...plain, ...joined].flatMap(rangesIn)) };
}

/** How a text names an id: in one of its spellings, or only perhaps, by what stands there in its place. */
type Naming = 'named' | { readonly clue: string };

/**
 * How a text names an id; perhaps where its number stands behind another id, where the end of a line breaks it, or in a
 * range of ids. In a `field` that is for ids of this kind alone, its number is enough for that.
 */
export function namingOf(sought: IssueId, reading: Reading, isField = false): Naming | undefined {
  const { plain, joined, ranges } = reading;
  if (plain.some((text) => names(text, sought))) return 'named';
  const isMeant =
    joined.some((text) => names(text, sought)) || plain.some((text) => hints(text, sought, isField));
  if (isMeant) return { clue: sought.number };
  const range = ranges().find(({ holds }) => holds(sought));
  return range && { clue: range.name };
}

function names(text: string, { kind, id, number }: IssueId): boolean {
  return text.includes(number) && idsIn(text, kind).some((found) => found.id === id);
}

/** Where a text begins to speak of ids of a kind: after this, a bare number can mean one. */
const TOPIC: Record<IssueId['kind'], RegExp> = {
  cve: /cve/,
  article: /k[-_\s]?\d|kb(?![a-z])|sol|article/,
  diagnostic: /[dh][-_\s]?\d|diag/,
};
/** What a number is fused to that can mean one all the same: `cve202610018`, `kb000100012`. */
const FUSED: Partial<Record<IssueId['kind'], RegExp>> = {
  cve: /cves?[-_:./\s]{0,3}(\d{4})$/,
  article: /(?<!\d)kb$/,
};
/** A number before another one, as the year of a CVE. */
const JOINED_TO = /(\d{1,8})[-_:./]\s?$/;
const LONGEST_START = 12;
const DIGIT = /\d/;
const LETTER_OR_DIGIT_LAST = /[\p{L}\p{N}]$/u;

function hints(text: string, sought: IssueId, isField: boolean): boolean {
  const { kind, number } = sought;
  if (!text.includes(number)) return false;
  const others = new Set(idsIn(text, kind).map(({ end }) => end));
  const topic = isField ? 0 : text.search(TOPIC[kind]);
  for (let at = text.indexOf(number); at !== -1; at = text.indexOf(number, at + 1)) {
    const end = at + number.length;
    if (DIGIT.test(text.charAt(end)) || others.has(end)) continue;
    const start = text.slice(Math.max(at - LONGEST_START, 0), at);
    if (isHinted(start, sought, topic !== -1 && topic <= at)) return true;
  }
  return false;
}

/** Whether a number means this id, by what stands before it, and whether the text speaks of such ids there. */
function isHinted(start: string, { kind, year }: IssueId, isOfTopic: boolean): boolean {
  const fused = FUSED[kind]?.exec(start);
  if (fused && fused[1] === year) return true;
  if (LETTER_OR_DIGIT_LAST.test(start)) return false;
  const [, joinedTo] = JOINED_TO.exec(start) ?? [];
  return joinedTo === undefined ? isOfTopic : joinedTo === year;
}
