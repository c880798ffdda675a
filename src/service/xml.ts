import { XMLValidator } from 'fast-xml-parser';
import {
  isFault,
  NotADocument,
  type NotADocumentReason,
  TooLarge,
  TooManyDiagnostics,
} from '../core/faults.ts';
import { elementsOf, localName, type XmlElement } from './xml-elements.ts';

/** The most elements that are read, and the most named `diagnostic` among them. */
type XmlLimits = { readonly elements: number; readonly diagnostics: number };

const DIAGNOSTIC = 'diagnostic';
/** How deep elements may nest: as in libxml2. The specification's documents nest six deep, what a service adds may be deeper. */
const DEEPEST = 256;

/** The parser refuses documents with these element names. The reader does not use them, so they are renamed. */
const RESERVED = ['__proto__', 'constructor', 'prototype'];
const RENAMING = { transformTagName: renamed, transformAttributeName: renamed };

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
    const tops = elementsOf(text, optionsFor(text, limits)).filter((top) => typeof top !== 'string');
    return tops.length === 1 && tops[0]?.name === root ? tops[0] : undefined;
  } catch (error) {
    if (isFault(error)) throw error;
    throw new NotADocument('broken', { cause: error });
  }
}

/** The shortest element is `<a/>`. */
const SHORTEST_ELEMENT = 4;

/**
 * What the parser does for this text alone. Renaming and counting cost time for each element, so they are done only if
 * the text may need them; counting stops early in a document of millions of elements.
 */
function optionsFor(text: string, limits: XmlLimits) {
  return {
    maxNestedTags: DEEPEST,
    ...(RESERVED.some((name) => text.includes(name)) && RENAMING),
    ...(mayExceed(text, limits) && { updateTag: counter(limits, text.length) }),
  };
}

function renamed(name: string): string {
  return RESERVED.includes(name) ? `${name}.` : name;
}

function mayExceed(text: string, { elements, diagnostics }: XmlLimits): boolean {
  const parts = text.split(DIAGNOSTIC, diagnostics + 2).length;
  return parts > diagnostics + 1 || text.length > elements * SHORTEST_ELEMENT;
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

const DOCTYPE = /^<!DOCTYPE/i;
const HTML = /^<(?:!DOCTYPE\s+)?(?:html|head|body|title|meta|script|style|form)(?=[\s/>])/i;
/** How many characters of the root element or the DOCTYPE are looked at. */
const LOOKED_AT = 100;

/**
 * Why a body is not a diagnostics document, judged by what precedes its root element; undefined if it may be one. A
 * DOCTYPE is refused: the service sends none, and entity bombs need one.
 */
function refusalOf(text: string): NotADocumentReason | undefined {
  const start = text.trimStart();
  if (start === '') return 'empty';
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  if (!start.startsWith('<')) return 'not-xml';
  const beginning = withoutProlog(start).slice(0, LOOKED_AT);
  if (HTML.test(beginning)) return 'html';
  return DOCTYPE.test(beginning) ? 'doctype' : undefined;
}

/** What follows the prolog (declaration, comments, processing instructions); nothing if that never ends. */
function withoutProlog(text: string): string {
  let rest = text;
  for (;;) {
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (end === undefined) return rest;
    const closed = rest.indexOf(end, 2);
    if (closed === -1) return '';
    rest = rest.slice(closed + end.length).trimStart();
  }
}
