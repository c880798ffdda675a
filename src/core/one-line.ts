/** A text without this has single spaces only, as most have. */
const UNEVEN = /[^\S ]| {2}/;
const SPACES = /\s+/g;

/** The text on one line: every run of white space is one space, and none is at the ends. */
export function oneLine(text: string): string {
  return (UNEVEN.test(text) ? text.replace(SPACES, ' ') : text).trim();
}
