import { decodeXML } from 'entities';
import { type X2jOptions, XMLParser, XMLValidator } from 'fast-xml-parser';
import { isFault, NotADocument, TooLarge, TooManyDiagnostics } from '../core/faults.ts';
import { refusalOf } from './prolog.ts';
import {
  type Attributes,
  localName,
  NO_ATTRIBUTES,
  nameIn,
  ownAttributes,
  type Scope,
  scopeOf,
} from './xml-names.ts';

/**
 * An element with its texts and child elements in the order of the document. Texts are XML-decoded, once. The names of
 * the document, which are those of the root's namespace and of none, have no prefix; others are `{namespace}name`. Of
 * attributes there are only those of the document.
 */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: readonly (XmlElement | string)[];
};

/** The most elements that are read, and the most named `diagnostic` among them. */
type XmlLimits = { readonly elements: number; readonly diagnostics: number };

const DIAGNOSTIC = 'diagnostic';
const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';
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

/** What the parser makes of an element: its name with its content, and beside it its attributes. */
type Parsed = Readonly<Record<string, unknown>>;

/** Adjacent texts, such as one before a CDATA section and the section, are one text. */
function contentOf(parsed: unknown, scope: Scope | undefined): (XmlElement | string)[] {
  const content: (XmlElement | string)[] = [];
  for (const node of parsed as readonly Parsed[]) {
    const part = partOf(node, scope);
    const last = content.at(-1);
    if (typeof part === 'string' && typeof last === 'string') content[content.length - 1] = last + part;
    else content.push(part);
  }
  return content;
}

function partOf(node: Parsed, outer: Scope | undefined): XmlElement | string {
  for (const name in node) {
    const value = node[name];
    if (name === TEXT) return decoded(String(value));
    if (name === ATTRIBUTES) continue;
    if (name === CDATA) return String((value as readonly Parsed[])[0]?.[TEXT] ?? '');
    const stated = attributesOf(node[ATTRIBUTES]);
    const scope = scopeOf(name, stated, outer);
    return {
      name: nameIn(name, scope),
      attributes: ownAttributes(stated, scope),
      content: contentOf(value, scope),
    };
  }
  return '';
}

function attributesOf(parsed: unknown): Attributes {
  if (typeof parsed !== 'object' || parsed === null) return NO_ATTRIBUTES;
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, decoded(String(value))]));
}

function decoded(text: string): string {
  return text.includes('&') ? decodeXML(text) : text;
}
