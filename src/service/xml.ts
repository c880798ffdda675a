import { decodeXML } from 'entities';
import { type X2jOptions, XMLParser, XMLValidator } from 'fast-xml-parser';
import { NotADocument } from '../core/faults.ts';
import { refusalOf } from './prolog.ts';

/** An element with its texts and child elements in the order of the document. Texts are XML-decoded, once. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (XmlElement | string)[];
};

/** The most elements that are read: in total, and of each name that the caller limits. */
type XmlLimits = { readonly elements: number; readonly named: Readonly<Record<string, number>> };

/** A document has more elements than are ever read. */
export class TooManyElements extends Error {
  readonly elementName: string | undefined;
  constructor(elementName: string | undefined) {
    super(`the document has too many elements${elementName === undefined ? '' : ` named ${elementName}`}`);
    this.elementName = elementName;
  }
}

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';
/** How deep elements may nest. The specification's documents nest six deep, marked-up text a little deeper. */
const DEEPEST = 20;

/** The parser refuses documents with these element names. The reader does not use them, so they are renamed. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses an XML document and returns its root element, which must be named `root`. Throws `NotADocument`, whose reason
 * says what came instead, and `TooManyElements`. Only XML's own entities are expanded, so a misplaced DOCTYPE is
 * harmless.
 */
export function parseXml(text: string, root: string, limits: XmlLimits): XmlElement {
  const refusal = refusalOf(text);
  if (refusal !== undefined) throw new NotADocument(refusal);
  const element = parseRoot(text.trimStart(), root, limits);
  if (element === undefined) throw new NotADocument('wrong-root');
  return element;
}

function parseRoot(text: string, root: string, limits: XmlLimits): XmlElement | undefined {
  try {
    const validity = XMLValidator.validate(text);
    if (validity !== true) throw new Error(`${validity.err.code} in line ${validity.err.line}`);
    const tops = contentOf(parsed(text, limits)).filter((top) => typeof top !== 'string');
    return tops.length === 1 && tops[0]?.name === root ? tops[0] : undefined;
  } catch (error) {
    if (error instanceof TooManyElements) throw error;
    throw new NotADocument('broken', { cause: error });
  }
}

/** Looking for reserved names in each text, and renaming, cost time: both are done only for a text that is refused. */
function parsed(text: string, limits: XmlLimits): unknown {
  try {
    return parserFor(text, limits).parse(text);
  } catch (error) {
    const mayBeReserved = [...RESERVED].some((name) => text.includes(name));
    if (error instanceof TooManyElements || !mayBeReserved) throw error;
    return parserFor(text, limits, RENAMING).parse(text);
  }
}

/** The shortest element is `<a/>`. */
const SHORTEST_ELEMENT = 4;

/**
 * A parser for this text. Counting costs time for each element, so it is done only if the text may need it; it stops
 * early in a document of millions of elements.
 */
function parserFor(text: string, limits: XmlLimits, renaming: Partial<X2jOptions> = {}): XMLParser {
  return new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    textNodeName: TEXT,
    cdataPropName: CDATA,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    removeNSPrefix: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
    processEntities: false,
    jPath: false,
    maxNestedTags: DEEPEST,
    ...renaming,
    ...(mayExceed(text, limits) ? { updateTag: counter(limits) } : {}),
  });
}

const RENAMING = { transformTagName: renamed, transformAttributeName: renamed };

function renamed(name: string): string {
  return RESERVED.has(name) ? `${name}.` : name;
}

function mayExceed(text: string, { elements, named }: XmlLimits): boolean {
  if (text.length > elements * SHORTEST_ELEMENT) return true;
  return Object.entries(named).some(([name, most]) => occursMoreThan(text, name, most));
}

function occursMoreThan(text: string, word: string, most: number): boolean {
  if (text.length <= most * word.length) return false;
  let count = 0;
  for (let at = text.indexOf(word); at !== -1 && count <= most; at = text.indexOf(word, at + word.length)) {
    count += 1;
  }
  return count > most;
}

/** Is called for each element with its name; throws `TooManyElements`. */
function counter({ elements, named }: XmlLimits): (name: string) => boolean {
  let left = elements;
  const leftOf = new Map(Object.entries(named));
  return (name) => {
    if (left === 0) throw new TooManyElements(undefined);
    left -= 1;
    const leftOfName = leftOf.get(name);
    if (leftOfName === 0) throw new TooManyElements(name);
    if (leftOfName !== undefined) leftOf.set(name, leftOfName - 1);
    return true;
  };
}

/** What the parser makes of an element: its name with its content, and beside it its attributes. */
type Parsed = Readonly<Record<string, unknown>>;

/** Adjacent texts, such as one before a CDATA section and the section, are one text. */
function contentOf(parsed: unknown): (XmlElement | string)[] {
  const nodes = parsed as readonly Parsed[];
  // Most elements hold one text.
  if (nodes.length === 1) return nodes.map(partOf);
  const content: (XmlElement | string)[] = [];
  let text: string | undefined;
  for (const node of nodes) {
    const part = partOf(node);
    if (typeof part === 'string') {
      text = text === undefined ? part : text + part;
      continue;
    }
    if (text !== undefined) content.push(text);
    text = undefined;
    content.push(part);
  }
  if (text !== undefined) content.push(text);
  return content;
}

function partOf(node: Parsed): XmlElement | string {
  for (const name in node) {
    const value = node[name];
    if (name === TEXT) return decoded(String(value));
    if (name === ATTRIBUTES) continue;
    if (name === CDATA) return String((value as readonly Parsed[])[0]?.[TEXT] ?? '');
    return { name, attributes: attributesOf(node[ATTRIBUTES]), content: contentOf(value) };
  }
  return '';
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = {};

function attributesOf(parsed: unknown): Readonly<Record<string, string>> {
  if (typeof parsed !== 'object' || parsed === null) return NO_ATTRIBUTES;
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, decoded(String(value))]));
}

function decoded(text: string): string {
  return text.includes('&') ? decodeXML(text) : text;
}
