/** Names of users and channels by their ids. */
export type Names = ReadonlyMap<string, string>;

/** How many columns a terminal is assumed to have. */
export const WIDTH = 88;

const USER = /<@([A-Z0-9]+)(?:\|[^>]*)?>/g;
const CHANNEL = /<#([A-Z0-9]+)(?:\|[^>]*)?>/g;
const DATE = /<!date\^[^|>]*\|([^>]*)>/g;
const LABELLED = /<(https?:[^|>]+)\|([^>]*)>/g;
const BARE = /<(https?:[^|>]+)>/g;
/** Bold, as Slack draws it: around whole words. */
const BOLD = /(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g;

/** Slack's markup as people read it. */
export function readable(text: string, names: Names): string {
  return text
    .replace(BOLD, '$1')
    .replace(USER, (_all, id: string) => `@${names.get(id) ?? id}`)
    .replace(CHANNEL, (_all, id: string) => `#${names.get(id) ?? id}`)
    .replace(DATE, '$1')
    .replace(LABELLED, '$2 ($1)')
    .replace(BARE, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Breaks text into lines; words longer than a line stay whole. */
export function wrap(text: string, first = '', later = first): string[] {
  return text.split('\n').flatMap((line, index) => wrapLine(line, index === 0 ? first : later, later));
}

function wrapLine(line: string, first: string, later: string): string[] {
  const lines: string[] = [];
  let current = first;
  let empty = true;
  for (const word of line.split(' ')) {
    if (!empty && current.length + 1 + word.length > WIDTH) {
      lines.push(current);
      current = later;
      empty = true;
    }
    current += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, current];
}
