import { decodeHTMLStrict } from 'entities';
import { oneLine } from '../core/texts.ts';

/** How many times entities are decoded after the XML parser, because some services escape them repeatedly. */
const ENTITY_LAYERS = 3;

/** Matches every line end, including vertical tab, form feed, NEL and Unicode's separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern replaces control characters.
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;
/** Matches control characters, and direction marks, which can reorder text and so mislead readers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters.
const INVISIBLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The layout of a text. `line`: no line breaks. `lines`: keeps line breaks, joins spaces. `block` (evidence): keeps
 * line breaks and all spaces, because they form columns.
 */
export type Layout = 'line' | 'lines' | 'block';

/**
 * Converts the service's text to plain text: decodes entities (only with a semicolon, because `&copy=1` is part of a
 * URL), uses \n as line end, and removes control characters. Interprets the tags `br p li a`, except in a block, which
 * may quote a program. Outside a block, “None” and “N/A” become ''.
 */
export function plainText(text: string, layout: Layout): string {
  const isBlock = layout === 'block';
  if (!SPECIAL.test(text)) return withValue(isBlock ? text.trimEnd() : text.trim(), layout);
  const decoded = withoutControls(decoded3(text));
  return withValue(
    LAID[layout](isBlock || !decoded.includes('<') ? decoded : withoutMarkup(decoded)),
    layout,
  );
}

/** Matches what may need conversion. A text without a match is only trimmed. */
const SPECIAL = /[&<]|[^ -~]| {2}/;

function withValue(text: string, layout: Layout): string {
  return layout !== 'block' && NO_VALUE.test(text) ? '' : text;
}

/** A URL on one line, without control characters. Entities stay: decoding `&copy=1` would insert a © sign. */
export function plainAddress(text: string): string {
  return oneLine(withoutControls(text));
}

function decoded3(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < ENTITY_LAYERS && decoded.includes('&'); layer += 1) {
    decoded = decodeHTMLStrict(decoded);
  }
  return decoded;
}

function withoutControls(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(INVISIBLE, '').toWellFormed();
}

/** Matches what templates write in place of a missing value. */
const NO_VALUE = /^(?:none|n\/a)\.?$/i;
const SPACES_IN_LINE = /[^\S\n]+/g;
const AROUND_LINE_BREAK = / ?\n ?/g;
const BLANK_LINES = /\n{3,}/g;
/** Matches leading blank lines. A repeated group would fill V8's stack. */
const LEADING_BLANK_LINES = /^\s*\n/;

const LAID: Record<Layout, (text: string) => string> = {
  line: oneLine,
  lines: (text) =>
    text.replace(SPACES_IN_LINE, ' ').replace(AROUND_LINE_BREAK, '\n').replace(BLANK_LINES, '\n\n').trim(),
  block: (text) => text.replace(LEADING_BLANK_LINES, '').trimEnd(),
};

/** Matches the tags of a link. A tag with longer attributes is not markup that a person wrote. */
const LINK = /<a\s[^<>]{0,1000}>|<\/a>/gi;
const WEB_HREF = /\bhref\s?=\s?["']\s?(https?:\/\/[^"'\s]+)/i;
const MARKUP = /<(?:br\s?\/?|\/?(?:p|li|[uo]l))>/gi;
/** What replaces a tag; any other tag of `MARKUP` becomes a line end. */
const MEANS: Readonly<Record<string, string>> = {
  ...{ '<p>': '\n\n', '</p>': '\n\n', '<li>': '\n- ', '</li>': '' },
  ...{ '<ul>': '', '</ul>': '\n', '<ol>': '', '</ol>': '\n' },
};

/** Replaces tags by line breaks, paragraphs, `- ` before items, and the URLs of links. Other tags stay. */
function withoutMarkup(text: string): string {
  return withAddresses(text).replace(MARKUP, (tag) => MEANS[tag.toLowerCase()] ?? '\n');
}

/** Writes the URL of a link after its text, unless the text contains the URL. */
function withAddresses(text: string): string {
  let open: { readonly href: string; readonly from: number } | undefined;
  return text.replace(LINK, (tag, at: number) => {
    if (tag !== '</a>' && tag !== '</A>') {
      open = { href: WEB_HREF.exec(tag)?.[1] ?? '', from: at + tag.length };
      return '';
    }
    const { href = '', from = at } = open ?? {};
    open = undefined;
    return href === '' || text.slice(from, at).includes(href) ? '' : ` (${href})`;
  });
}

/** Matches a tag, but not the text between the signs of `3 < 5 and 7 > 2`. */
const TAGS = /<[a-z/!?][^<>]*>/gi;
/** Matches elements that browsers don't show. */
const NOT_FOR_READING = /<(script|style|title)\b[^<>]*>[^<]*<\/\1>/gi;
const LONGEST_REASON = 300;

/** The reason in the body of a 202, as one short line, or ''. The specification (4.2) does not define the body's format. */
export function processingReason(body: string): string {
  const readable = (reasonInJson(body) ?? body).replace(NOT_FOR_READING, ' ').replace(TAGS, ' ');
  const words = plainText(readable, 'line').replace(TAGS, ' ').trim();
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON - 1).toWellFormed()}…` : words;
}

/** The JSON fields that may contain the reason. */
const REASON_NAMES = ['reason', 'message', 'error', 'processing_status', 'processing_messages', 'status'];

/** The reason in a JSON body, as a text or a list of texts; undefined if the body is not JSON. */
function reasonInJson(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'string') return parsed;
    const found: unknown[] = REASON_NAMES.flatMap((name) => Reflect.get(Object(parsed), name) ?? []);
    return found.filter((text) => typeof text === 'string').join(': ');
  } catch {
    return undefined;
  }
}
