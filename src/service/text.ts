import { decodeHTML } from 'entities';

/** Entities survive up to three layers deep inside text that the XML parser has already decoded. */
const ENTITY_LAYERS = 3;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** They reverse what follows on the screen: a text could show another text than it holds. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;
const LINE_ENDS = /\r\n?/g;

/** The service's text as plain text: entities decoded, line ends as \n, no character that only steers a screen. */
function plainText(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < ENTITY_LAYERS; layer += 1) {
    const next = decodeHTML(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded
    .replace(LINE_ENDS, '\n')
    .replace(CONTROL_CHARACTERS, '')
    .replace(DIRECTION_OVERRIDES, '')
    .toWellFormed();
}

const SPACES = /\s+/g;

/** The same on one line, without spaces around it. */
export function plainLine(text: string): string {
  return plainText(text).replace(SPACES, ' ').trim();
}

const LEADING_BLANK_LINES = /^(?:[ \t]*\n)+/;

/** A block whose lines and columns count: only the blank lines around it go. */
export function plainBlock(text: string): string {
  return plainText(text).replace(LEADING_BLANK_LINES, '').trimEnd();
}
