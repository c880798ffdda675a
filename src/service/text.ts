import { decodeHTMLStrict } from 'entities';
import { oneLine } from '../core/texts.ts';

/** How many layers of entities a text may have after it was decoded once. */
const ENTITY_LAYERS = 3;

/** Every character that ends a line: vertical tab, form feed, NEL and Unicode's own separators among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;
/** Direction marks: they make the text after them read as another text than it is. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * The service's text without HTML entities (only those with a semicolon: `&copy=1` is part of an address), with \n as
 * line end and without control characters.
 */
export function decodeText(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < ENTITY_LAYERS && decoded.includes('&'); layer += 1) {
    const next = decodeHTMLStrict(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return withoutControls(decoded);
}

/** A character that is seen: no joiner or mark of direction, and none of the letters and signs that are blank. */
const SEEN = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a person sees anything of a text. */
export function isSeen(text: string): boolean {
  return SEEN.test(text);
}

/** What the steps below replace: most texts hold none of it and are scanned once only. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNCLEAN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

function withoutControls(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  return text
    .replace(LINE_ENDS, '\n')
    .replace(CONTROL_CHARACTERS, '')
    .replace(DIRECTION_OVERRIDES, '')
    .toWellFormed();
}

/**
 * How a text is laid out: a `line` has no line break; `lines` keep theirs, and spaces count only as one; in a `block`
 * every space and tab counts, because they make columns.
 */
export type Layout = 'line' | 'lines' | 'block';

const SPACES_IN_LINE = /[^\S\n]+/g;
const SPACES_BETWEEN_WORDS = /(\S) {2,}/g;
const AROUND_LINE_BREAK = / ?\n ?/g;
const BLANK_LINES = /\n{3,}/g;
/** One run, not a repeated group: V8 keeps each repetition on its stack, and four million line breaks fill that. */
const LEADING_BLANK_LINES = /^\s*\n/;
/** A text without this has single spaces only. */
const UNEVEN = /[^\S ]| {2}/;
/** Templates write this where they have no value. */
const NO_VALUE = /^\s*(?:none|n\/a)\.?$/i;

/** One piece of a text before pieces are joined. For `lines`: no space beside a line break, and no double space. */
export function layPiece(text: string, layout: Layout): string {
  if (layout !== 'lines' || !UNEVEN.test(text)) return text;
  return text.replace(SPACES_IN_LINE, ' ').replace(AROUND_LINE_BREAK, '\n');
}

/** A whole text in its layout, trimmed; '' for what stands for no value. Below the heading of a block, that is a finding. */
export function layOut(text: string, layout: Layout): string {
  const laid = LAID[layout](text);
  return layout !== 'block' && isNoValue(laid) ? '' : laid;
}

/** Whether a text is a literal "None" or "N/A". */
export function isNoValue(text: string): boolean {
  return NO_VALUE.test(text);
}

const LAID: Record<Layout, (text: string) => string> = {
  line: oneLine,
  lines: (text) =>
    UNEVEN.test(text)
      ? text.replace(SPACES_BETWEEN_WORDS, '$1 ').replace(BLANK_LINES, '\n\n').trim()
      : text.trim(),
  block: (text) => text.replace(LEADING_BLANK_LINES, '').trimEnd(),
};

/** A text on one line: decoded, trimmed, with single spaces. */
export function plainLine(text: string): string {
  return layOut(decodeText(text), 'line');
}

/** An address on one line, without control characters; its entities are not decoded. */
export function plainAddress(text: string): string {
  return layOut(withoutControls(text), 'line');
}

/** Not `3 < 5 and 7 > 2`. */
const TAGS = /<[a-z/!?][^<>]*>/gi;
const CDATA = /<!\[CDATA\[|\]\]>/g;
/** The start or the end of an element without readable text. */
const NOT_FOR_READING = /<(\/?)(script|style|head)\b[^<>]*>/gi;
/** How much of a body is read: a reason is one sentence. */
const READ_AT_MOST = 10_000;
const LONGEST_REASON = 300;

/**
 * The reason in the body of a 202 (specification, 4.2), as one short line; '' if there is none. The body's format is
 * not specified.
 */
export function processingReason(body: string): string {
  const start = body.slice(0, READ_AT_MOST);
  const words = plainLine(readable((reasonInJson(start) ?? start).replace(CDATA, '')).replace(TAGS, ' '));
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON - 1)}…` : words;
}

/** The text without unreadable elements; one that is never closed stays. */
function readable(html: string): string {
  const kept: string[] = [];
  let from = 0;
  let open: string | undefined;
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(NOT_FOR_READING)) {
    const element = name.toLowerCase();
    if (slash === '' && open === undefined) {
      kept.push(html.slice(from, index));
      from = index;
      open = element;
    } else if (slash !== '' && open === element) {
      from = index + tag.length;
      open = undefined;
    }
  }
  return [...kept, html.slice(from)].join(' ');
}

/** The names under which a reason may stand, the likeliest first; those of one line belong together. */
const SAID_IN = [
  ...[['reason'], ['message'], ['error']],
  ...[['processing_status', 'processing_messages'], ['status']],
];

function reasonInJson(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'string') return parsed;
    if (parsed === null || typeof parsed === 'boolean') return '';
    if (typeof parsed !== 'object') return undefined;
    const said = Array.isArray(parsed) ? { reason: parsed } : parsed;
    const texts = SAID_IN.map((names) => names.flatMap((name) => textsAt(said, name)).join(': '));
    return texts.find((text) => text !== '') ?? '';
  } catch {
    return undefined;
  }
}

/** The text of that name, or the texts of a list: as they are, or each the message of an object. */
function textsAt(parsed: object, name: string): string[] {
  return [Reflect.get(parsed, name)].flat().flatMap((value: unknown) => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'message') : value;
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
}
