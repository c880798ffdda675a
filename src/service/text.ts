import { decodeHTMLStrict } from 'entities';
import { oneLine } from '../core/texts.ts';

/** How many layers of entities a text may have after its XML was decoded. */
const ENTITY_LAYERS = 3;

/** Every character that ends a line: vertical tab, form feed, NEL and Unicode's own separators among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;
/** Control characters, and direction marks, which make the text after them read as another text than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const INVISIBLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * How a text is laid out: a `line` has no line break; `lines` keep theirs, and spaces count as one; in a `block` (evidence)
 * every space and tab counts, because they make columns.
 */
export type Layout = 'line' | 'lines' | 'block';

/**
 * The service's text as plain text: entities decoded (only those with a semicolon: `&copy=1` is part of an address), \n as
 * line end, no control characters. The markup `br p li a` is read as what it means, except in a block, which may quote
 * a program. A literal "None" or "N/A" outside a block is ''.
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

/** A text without any of these only needs to be trimmed; most texts have none. */
const SPECIAL = /[&<]|[^ -~]| {2}/;

function withValue(text: string, layout: Layout): string {
  return layout !== 'block' && NO_VALUE.test(text) ? '' : text;
}

/** An address on one line, without control characters. Its entities are not decoded: `&copy=1` would become a sign. */
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

/** Templates write this where they have no value. */
const NO_VALUE = /^(?:none|n\/a)\.?$/i;
const SPACES_IN_LINE = /[^\S\n]+/g;
const AROUND_LINE_BREAK = / ?\n ?/g;
const BLANK_LINES = /\n{3,}/g;
/** One run, not a repeated group: V8 keeps each repetition on its stack. */
const LEADING_BLANK_LINES = /^\s*\n/;

const LAID: Record<Layout, (text: string) => string> = {
  line: oneLine,
  lines: (text) =>
    text.replace(SPACES_IN_LINE, ' ').replace(AROUND_LINE_BREAK, '\n').replace(BLANK_LINES, '\n\n').trim(),
  block: (text) => text.replace(LEADING_BLANK_LINES, '').trimEnd(),
};

/** Attributes are read up to a length: a longer one is no markup that a person wrote. */
const LINK = /<a\s[^<>]{0,1000}>|<\/a>/gi;
const WEB_HREF = /\bhref\s?=\s?["']\s?(https?:\/\/[^"'\s]+)/i;
const MARKUP = /<(?:br\s?\/?|\/?(?:p|li|[uo]l))>/gi;
/** What a tag becomes; `<br>` becomes a line end. */
const MEANS: Readonly<Record<string, string>> = {
  ...{ '<p>': '\n\n', '</p>': '\n\n', '<li>': '\n- ', '</li>': '' },
  ...{ '<ul>': '', '</ul>': '\n', '<ol>': '', '</ol>': '\n' },
};

/** Line breaks, paragraphs, items as `- …`, and the addresses of links; other tags stand as they are. */
function withoutMarkup(text: string): string {
  return withAddresses(text).replace(MARKUP, (tag) => MEANS[tag.toLowerCase()] ?? '\n');
}

/** The address of a link is written behind its words, unless these contain it. */
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

/** A tag, but not the text between the signs of `3 < 5 and 7 > 2`. */
const TAGS = /<[a-z/!?][^<>]*>/gi;
/** An element without readable text. */
const NOT_FOR_READING = /<(script|style|title)\b[^<>]*>[^<]*<\/\1>/gi;
const LONGEST_REASON = 300;

/** The reason in the body of a 202 (specification, 4.2), as one short line; '' if there is none. The format of the body is not specified. */
export function processingReason(body: string): string {
  const readable = (reasonInJson(body) ?? body).replace(NOT_FOR_READING, ' ').replace(TAGS, ' ');
  const words = plainText(readable, 'line').replace(TAGS, ' ').trim();
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON - 1).toWellFormed()}…` : words;
}

/** Names under which a reason may stand. */
const REASON_NAMES = ['reason', 'message', 'error', 'processing_status', 'processing_messages', 'status'];

/** The reason in JSON, a text or a list of texts; undefined if the body is no JSON. */
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
