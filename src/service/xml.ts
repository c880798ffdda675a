import { decodeXML } from 'entities';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  isFault,
  NotADocument,
  type NotADocumentReason,
  TooLarge,
  TooManyDiagnostics,
} from '../core/faults.ts';

type Attributes = Readonly<Record<string, string>>;
const NO_ATTRIBUTES: Attributes = {};

/**
 * An element with its texts and child elements in the order of the document. Texts are XML-decoded, once. Names have no
 * prefix: the specification knows no namespaces.
 */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: readonly (XmlElement | string)[];
};

/** The most elements that are read, and the most named `diagnostic` among them. */
type XmlLimits = { readonly elements: number; readonly diagnostics: number };

const DIAGNOSTIC = 'diagnostic';
/** How deep elements may nest: as in libxml2. The specification's documents nest six deep, what a service adds may be deeper. */
const DEEPEST = 256;

/** The parser refuses documents with these element names. The reader does not use them, so they are renamed. */
const RESERVED = ['__proto__', 'constructor', 'prototype'];

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
    const tops = elementsOf(text, limits).filter((top) => typeof top !== 'string');
    return tops.length === 1 && tops[0]?.name === root ? tops[0] : undefined;
  } catch (error) {
    if (isFault(error)) throw error;
    throw new NotADocument('broken', { cause: error });
  }
}

function renamed(name: string): string {
  return RESERVED.includes(name) ? `${name}.` : name;
}

/** Is called for each element with its name, in a text of so many characters. */
function counter({ elements, diagnostics }: XmlLimits, characters: number): (name: string) => boolean {
  let [left, leftDiagnostics] = [elements, diagnostics];
  return (name) => {
    left -= 1;
    if (name === DIAGNOSTIC) leftDiagnostics -= 1;
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

/** They hold elements alone: the white space between these, half of all texts of a document, says nothing. */
const LISTS = new Set('diagnostics diagnostic run_data results h_sols fixedInVersions'.split(' '));
const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

/** What the parser makes of an element: its name with its content, and beside it its attributes. */
type Parsed = Readonly<Record<string, unknown>>;

/** Elements and texts beside the root, and the root. Throws the parser's errors, `TooManyDiagnostics` and `TooLarge`. */
function elementsOf(xml: string, limits: XmlLimits): (XmlElement | string)[] {
  const parser = new XMLParser({
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
    removeNSPrefix: true,
    jPath: false,
    maxNestedTags: DEEPEST,
    transformTagName: renamed,
    transformAttributeName: renamed,
    updateTag: counter(limits, xml.length),
    tagValueProcessor: (name, value) => (LISTS.has(name) && value.trim() === '' ? '' : value),
  });
  return contentOf(parser.parse(xml));
}

/** Adjacent texts, such as one before a CDATA section and the section, are one text. */
function contentOf(parsed: unknown): (XmlElement | string)[] {
  const content: (XmlElement | string)[] = [];
  for (const node of parsed as readonly Parsed[]) {
    const part = partOf(node);
    const last = content.at(-1);
    if (typeof part === 'string' && typeof last === 'string') content[content.length - 1] = last + part;
    else content.push(part);
  }
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

function attributesOf(parsed: unknown): Attributes {
  if (typeof parsed !== 'object' || parsed === null) return NO_ATTRIBUTES;
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, decoded(String(value))]));
}

function decoded(text: string): string {
  return text.includes('&') ? decodeXML(text) : text;
}
