import { decodeText, type Layout, layOut, layPiece } from './text.ts';
import type { XmlElement } from './xml.ts';

/** Markup in escaped text. Attributes are read up to a length: a longer one is no markup that a person wrote. */
const TAG = /<(\/?)([a-z][a-z0-9]{0,9})((?:\s[^<>]{0,1000})?)\/?>/gi;
const HREF = /\bhref\s?=\s?(["'])/i;
const START = /\bstart\s?=\s?["']?(\d{1,6})\b/i;
/** A text that holds one of these quotes a page or a program, so it is shown unchanged. */
const QUOTED_PAGE =
  /<(?:!doctype|html|head|body|script|style|iframe|form|input|textarea|svg|object|meta|link|img)\b/i;

/** Elements that stand on lines of their own. */
const LINES: ReadonlySet<string> = new Set(
  (
    'div tr table pre blockquote dl dt dd hr h1 h2 h3 h4 h5 h6 ' +
    'section article center address caption figure figcaption'
  ).split(' '),
);
/** Tags that count as markup anywhere; other tags count only in pairs, so that `the <table> statement` keeps its word. */
const NEEDS_NO_PAIR = new Set(['br', 'p', 'li']);
const READ_IN_PAIRS = new Set([
  ...LINES,
  ...'p li ul ol td th a b i u em strong code tt span font sub sup'.split(' '),
]);
const START_TAGS = /<([a-z][a-z0-9]{0,9})[ >]/g;
const END_TAGS = /<\/([a-z][a-z0-9]{0,9})>/g;

/**
 * The text of an element in the order of the document, as plain text: entities decoded, and markup, whether real or
 * escaped, read as its meaning (line breaks, paragraphs, lists, addresses of links).
 */
export function textOf({ content }: Pick<XmlElement, 'content'>, layout: Layout): string {
  const [only] = content;
  if (only === undefined) return '';
  if (content.length === 1 && typeof only === 'string' && !only.includes('<') && !only.includes('&')) {
    return layOut(layPiece(decodeText(only), layout), layout);
  }
  const writer = new MarkupWriter(layout);
  writeContent(writer, content, layout);
  return layOut(writer.text(), layout);
}

function writeContent(writer: MarkupWriter, content: XmlElement['content'], layout: Layout): void {
  for (const part of content) {
    if (typeof part === 'string') {
      writeText(writer, decodeText(part), layout);
      continue;
    }
    const name = part.name.toLowerCase();
    const { href, start } = part.attributes;
    writer.tag({ name, isEnd: false, href, start });
    writeContent(writer, part.content, layout);
    writer.tag({ name, isEnd: true });
  }
}

function writeText(writer: MarkupWriter, text: string, layout: Layout): void {
  if (!text.includes('<') || QUOTED_PAGE.test(text)) {
    writer.words(layPiece(text, layout));
    return;
  }
  const isMarkup = markupIn(text, layout);
  let at = 0;
  for (const found of text.matchAll(TAG)) {
    const tag = tagOf(found);
    if (!isMarkup(tag.name)) continue;
    writer.words(layPiece(text.slice(at, found.index), layout));
    writer.tag(tag);
    at = found.index + found[0].length;
  }
  writer.words(layPiece(text.slice(at), layout));
}

function tagOf([, slash, name = '', attributes = '']: RegExpExecArray): Tag {
  const start = START.exec(attributes)?.[1];
  return { name: name.toLowerCase(), isEnd: slash === '/', href: hrefIn(attributes), start };
}

function hrefIn(attributes: string): string | undefined {
  const [start, quote = ''] = HREF.exec(attributes) ?? [];
  return start === undefined ? undefined : attributes.split(start)[1]?.split(quote)[0];
}

/** Tells, for one text, whether a tag name in it is markup. In evidence, one without its pair is so beside others only. */
function markupIn(text: string, layout: Layout): (name: string) => boolean {
  const lower = text.toLowerCase();
  const starts = new Set(lower.matchAll(START_TAGS).map(([, name]) => name));
  const ends = new Set(lower.matchAll(END_TAGS).map(([, name]) => name));
  const isPaired = (name: string) => READ_IN_PAIRS.has(name) && starts.has(name) && ends.has(name);
  const canBeAlone = layout !== 'block' || [...starts].some((name = '') => isPaired(name));
  return (name) => isPaired(name) || name === 'br' || (canBeAlone && NEEDS_NO_PAIR.has(name));
}

/** The start or the end of an element of HTML; `start` is the number of the first item of a list. */
type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  readonly href?: string | undefined;
  readonly start?: string | undefined;
};

const WEB_ADDRESS = /^https?:\/\//i;
const INDENT = '  ';
/** Deeper lists are not indented further. */
const DEEPEST_INDENT = 5;
/** A line break in the text right after one that markup asks for is the same break. */
const LINE_BREAK_FIRST = /^[ \t]{0,99}\n/;
const DIGIT_FIRST = /^\d/;
const DIGIT_LAST = /\d$/;
const ITEM_NUMBER = /^\d{1,6}$/;

type List = { readonly isNumbered: boolean; count: number };

/** Writes words and markup as plain text. Every call takes time in proportion to its words, however often it is called. */
class MarkupWriter {
  readonly #isBlock: boolean;
  readonly #parts: string[] = [];
  readonly #lists: List[] = [];
  /** Line breaks to write before the next words; two leave a blank line. */
  #breaks = 0;
  /** Whether `1. ` was just written: an item's own paragraph stays on that line. */
  #isItemStart = false;
  /** Whether raised words follow right on a digit: a raised number is no digit of that one. */
  #isRaised = false;
  /** The link that is open, and where its words begin. */
  #link: { readonly href: string; readonly from: number } | undefined;

  constructor(layout: Layout) {
    this.#isBlock = layout === 'block';
  }

  words(text: string): void {
    if (text === '') return;
    if (this.#breaks === 0 && !this.#isItemStart) {
      this.#parts.push(this.#isRaised && DIGIT_FIRST.test(text) ? `^${text}` : text);
      this.#isRaised = false;
      return;
    }
    const rest = this.#isBlock ? text.replace(LINE_BREAK_FIRST, '') : text.trimStart();
    if (rest.trim() === '') return;
    this.#write(rest);
    this.#isItemStart = false;
  }

  tag({ name, isEnd, href, start }: Tag): void {
    if (name === 'br') this.#break(isEnd ? 0 : Math.min(this.#breaks + 1, 2));
    else if (name === 'p') this.#break(2);
    else if (name === 'ul' || name === 'ol') this.#list(name === 'ol', isEnd, start);
    else if (name === 'li') this.#item(isEnd);
    else if (name === 'a') this.#anchor(isEnd, href);
    else if (name === 'sup') this.#isRaised = !isEnd && DIGIT_LAST.test(this.#parts.at(-1) ?? '');
    else if (name === 'td' || name === 'th') this.words(' ');
    else if (LINES.has(name)) this.#break(1);
  }

  text(): string {
    return this.#parts.join('');
  }

  #write(text: string): void {
    if (this.#parts.length > 0 && this.#breaks > 0) this.#parts.push('\n'.repeat(this.#breaks));
    this.#breaks = 0;
    this.#parts.push(text);
  }

  #break(count: number): void {
    if (this.#isItemStart || count === 0) return;
    if (this.#breaks === 0) this.#trimEnd();
    this.#breaks = Math.max(this.#breaks, count);
  }

  #trimEnd(): void {
    while (this.#parts.at(-1)?.trim() === '') this.#parts.pop();
    const last = this.#parts.pop();
    if (last !== undefined) this.#parts.push(last.trimEnd());
  }

  #list(isNumbered: boolean, isEnd: boolean, start = ''): void {
    this.#endItem();
    if (isEnd) this.#lists.pop();
    else this.#lists.push({ isNumbered, count: ITEM_NUMBER.test(start) ? Number(start) - 1 : 0 });
  }

  #item(isEnd: boolean): void {
    this.#endItem();
    if (isEnd) return;
    // Breaks in an item do not part it from the next one.
    this.#breaks = 1;
    const list = this.#lists.at(-1) ?? { isNumbered: false, count: 0 };
    list.count += 1;
    const depth = INDENT.repeat(Math.max(Math.min(this.#lists.length, DEEPEST_INDENT) - 1, 0));
    this.#write(`${depth}${list.isNumbered ? `${list.count}.` : '-'} `);
    this.#isItemStart = true;
  }

  #endItem(): void {
    this.#isItemStart = false;
    this.#break(1);
  }

  /** The address of a link is written at its end, unless the words of the link contain it. */
  #anchor(isEnd: boolean, href = ''): void {
    const link = this.#link;
    if (!isEnd) {
      this.#link ??= { href: href.trim(), from: this.#parts.length };
      return;
    }
    this.#link = undefined;
    if (link === undefined || !WEB_ADDRESS.test(link.href)) return;
    const label = this.#parts.slice(link.from).join('').trim();
    if (!label.includes(link.href)) this.words(label === '' ? link.href : ` (${link.href})`);
  }
}
