import { type X2jOptions, XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  isFault,
  NotADocument,
  type NotADocumentReason,
  TooLarge,
  TooManyDiagnostics,
} from '../core/faults.ts';
import { CDATA, contentOf, localName, TEXT, type XmlElement } from './xml-elements.ts';

/** The most elements that are read, and the most named `diagnostic` among them. */
type XmlLimits = { readonly elements: number; readonly diagnostics: number };

const DIAGNOSTIC = 'diagnostic';
/** How deep elements may nest: as in libxml2. The specification's documents nest six deep, what a service adds may be deeper. */
const DEEPEST = 256;

/** The parser refuses documents with these element names. The reader does not use them, so they are renamed. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses an XML document and returns its root element, which must be named `root`. Throws `NotADocument`, whose reason
 * says what came instead, and `TooManyDiagnostics` or `TooLarge`. Only XML's own entities are expanded, so a misplaced
 * DOCTYPE is harmless.
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
    const tops = contentOf(parsed(text, limits), undefined).filter((top) => typeof top !== 'string');
    return tops.length === 1 && tops[0]?.name === root ? tops[0] : undefined;
  } catch (error) {
    if (isFault(error)) throw error;
    throw new NotADocument('broken', { cause: error });
  }
}

/** Looking for reserved names in each text, and renaming, cost time: both are done only for a text that is refused. */
function parsed(text: string, limits: XmlLimits): unknown {
  try {
    return parserFor(text, limits).parse(text);
  } catch (error) {
    const mayBeReserved = [...RESERVED].some((name) => text.includes(name));
    if (isFault(error) || !mayBeReserved) throw error;
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
    ignoreDeclaration: true,
    ignorePiTags: true,
    processEntities: false,
    jPath: false,
    maxNestedTags: DEEPEST,
    ...renaming,
    ...(mayExceed(text, limits) ? { updateTag: counter(limits, text.length) } : {}),
  });
}

const RENAMING = { transformTagName: renamed, transformAttributeName: renamed };

function renamed(name: string): string {
  return RESERVED.has(name) ? `${name}.` : name;
}

function mayExceed(text: string, { elements, diagnostics }: XmlLimits): boolean {
  return text.length > elements * SHORTEST_ELEMENT || occursMoreThan(text, DIAGNOSTIC, diagnostics);
}

function occursMoreThan(text: string, word: string, most: number): boolean {
  if (text.length <= most * word.length) return false;
  let count = 0;
  for (let at = text.indexOf(word); at !== -1 && count <= most; at = text.indexOf(word, at + word.length)) {
    count += 1;
  }
  return count > most;
}

/** Is called for each element with its name, in a text of so many characters. */
function counter({ elements, diagnostics }: XmlLimits, characters: number): (name: string) => boolean {
  let [left, leftDiagnostics] = [elements, diagnostics];
  return (name) => {
    left -= 1;
    if (localName(name) === DIAGNOSTIC) leftDiagnostics -= 1;
    if (leftDiagnostics < 0) throw new TooManyDiagnostics(diagnostics);
    if (left < 0) throw new TooLarge(characters);
    return true;
  };
}

const SPACES = /\s*/y;
const JSON_START = /[{[]/;
const DOCTYPE = /^<!DOCTYPE/i;
const HTML = /^<(?:!DOCTYPE\s+)?(?:html|head|body|title|meta|script|style|form)(?=[\s/>])/i;
/** How many characters of the root element or the DOCTYPE are looked at. */
const LOOKED_AT = 100;

/**
 * Why a body is not a diagnostics document, judged by what precedes its root element; undefined if it may be one. A
 * DOCTYPE is refused: the service sends none, and entity bombs need one.
 */
function refusalOf(text: string): NotADocumentReason | undefined {
  const start = skipSpace(text, 0);
  if (start === text.length) return 'empty';
  if (JSON_START.test(text.charAt(start))) return 'json';
  if (text.charAt(start) !== '<') return 'not-xml';
  const root = rootStart(text, start);
  const beginning = text.slice(root, root + LOOKED_AT);
  if (HTML.test(beginning)) return 'html';
  return DOCTYPE.test(beginning) ? 'doctype' : undefined;
}

/** Where the prolog (declaration, comments, processing instructions) ends; the end of the text if it never does. */
function rootStart(text: string, from: number): number {
  let at = from;
  for (;;) {
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : undefined;
    if (end === undefined) return at;
    const closed = text.indexOf(end, at + 2);
    if (closed === -1) return text.length;
    at = skipSpace(text, closed + end.length);
  }
}

function skipSpace(text: string, from: number): number {
  SPACES.lastIndex = from;
  return from + (SPACES.exec(text)?.[0].length ?? 0);
}
