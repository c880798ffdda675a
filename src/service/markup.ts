import { MarkupWriter, type Tag } from './markup-writer.ts';
import { decodeText, type Layout, layOut, layPiece } from './text.ts';
import type { XmlElement } from './xml-elements.ts';
import { localName } from './xml-elements.ts';

/** Markup in escaped text. Attributes are read up to a length: a longer one is no markup that a person wrote. */
const TAG = /<(\/?)([a-z][a-z0-9]{0,9})((?:\s[^<>]{0,1000})?)\/?>/gi;
const HREF = /\bhref\s?=\s?(["'])/i;
const START = /\bstart\s?=\s?["']?(\d{1,6})\b/i;
/** A text that holds one of these quotes a page or a program, so it is shown unchanged. */
const QUOTED_PAGE =
  /<(?:!doctype|html|head|body|script|style|iframe|form|input|textarea|svg|object|meta|link|img)\b/i;

/**
 * Tags that count as markup anywhere; other tags count only in pairs, so that `the <table> statement` keeps its word.
 */
const NEEDS_NO_PAIR = new Set(['br', 'p', 'li']);
const READ_IN_PAIRS: ReadonlySet<string> = new Set(
  (
    'ul ol dl dt dd div h1 h2 h3 h4 h5 h6 table tr td th pre blockquote ' +
    'section article center address caption figure figcaption ' +
    'a b i u em strong code tt span font sub sup'
  ).split(' '),
);

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
    const name = localName(part.name).toLowerCase();
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
  const isMarkup = markupIn(text);
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

/** Tells, for one text, whether a tag name in it is markup. */
function markupIn(text: string): (name: string) => boolean {
  const lower = text.toLowerCase();
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const isPair =
      lower.includes(`</${name}>`) && (lower.includes(`<${name}>`) || lower.includes(`<${name} `));
    const isMarkup = NEEDS_NO_PAIR.has(name) || (READ_IN_PAIRS.has(name) && isPair);
    known.set(name, isMarkup);
    return isMarkup;
  };
}

/** The texts in an element and in its elements, in which nothing is markup. */
export function rawText({ content }: XmlElement): string {
  return content.map((part) => (typeof part === 'string' ? part : rawText(part))).join('');
}

/** The text of an element with its line breaks, without that of the elements in it. */
export function ownText({ content }: XmlElement): string {
  return textOf({ content: content.filter((part) => typeof part === 'string') }, 'lines');
}

/** The children of that name of all these elements, in the order of the document. */
export function all(parents: readonly XmlElement[], name: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const { content } of parents) {
    for (const part of content) if (typeof part !== 'string' && part.name === name) found.push(part);
  }
  return found;
}

/** The first text of that name that says something, on one line; or ''. */
export function lineOf(parents: readonly XmlElement[], name: string): string {
  for (const { content } of parents) {
    for (const part of content) {
      if (typeof part === 'string' || part.name !== name) continue;
      const text = textOf(part, 'line');
      if (text !== '') return text;
    }
  }
  return '';
}

/** Every text of that name, with its line breaks; or ''. */
export function linesOf(parents: readonly XmlElement[], name: string): string {
  return all(parents, name)
    .map((element) => textOf(element, 'lines'))
    .filter((text) => text !== '')
    .join('\n');
}
