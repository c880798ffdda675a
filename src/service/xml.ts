import { decodeXML } from 'entities';
import { XMLParser } from 'fast-xml-parser';
import { type Fault, fault, isFault, type NotADocumentReason } from '../core/faults.ts';

/** The most diagnostics that are read; real documents have about 250. */
const MOST_DIAGNOSTICS = 5_000;
/** The most elements that are read: they take about 200 MB of memory. A diagnostic has about 30. */
const MOST_ELEMENTS = 500_000;

/** The key under which the parser stores a text. */
export const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';
/** The key under which the parser stores the position of an element. */
const PLACE = XMLParser.getMetaDataSymbol() as symbol;

type Attributes = Readonly<Record<string, string>>;
/** What the parser returns: a text (`{ '#text': text }`, not decoded) or an element (`{ name: content }`). */
type Part = Readonly<Record<string, unknown>> & {
  readonly [ATTRIBUTES]?: Attributes;
  readonly [PLACE]?: { readonly endIndex?: number };
};
/** An element: its undecoded attributes, and its content in the order of the document. */
export type XmlElement = { readonly attributes: Attributes; readonly content: readonly Part[] };

const NO_ATTRIBUTES: Attributes = {};

/** Whether a part is a text and not an element. */
export function isText(part: Part): part is Part & { readonly [TEXT]: string } {
  return typeof part[TEXT] === 'string';
}

/** The child elements of `parents` with this name, in the order of the document. */
export function all(parents: readonly XmlElement[], name: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const parent of parents) {
    for (const part of parent.content) {
      const content = part[name];
      if (Array.isArray(content)) found.push({ attributes: part[ATTRIBUTES] ?? NO_ATTRIBUTES, content });
    }
  }
  return found;
}

/** Decodes the XML references in a text or an attribute, once. */
export function decoded(text: string): string {
  return text.includes('&') ? decodeXML(text) : text;
}

const MARKUP = new Set(['p', 'li', 'a']);

/** The text of an element and its descendants. `hasMarkup`: keeps the tags of markup, for `plainText` to interpret. */
export function rawText(content: readonly Part[], hasMarkup = false): string {
  let text = '';
  for (const part of content) text += isText(part) ? decoded(part[TEXT]) : elementText(part, hasMarkup);
  return text;
}

function elementText(part: Part, hasMarkup: boolean): string {
  const [name = ''] = Object.keys(part);
  const content = part[name] as readonly Part[];
  if (name === CDATA) return String(content[0]?.[TEXT] ?? '');
  if (name === 'br') return '\n';
  const text = rawText(content, hasMarkup);
  if (!hasMarkup || !MARKUP.has(name)) return text;
  const href = part[ATTRIBUTES]?.href;
  return `<${name}${href === undefined ? '' : ` href="${decoded(href)}"`}>${text}</${name}>`;
}

const ROOT = 'diagnostic_output';
const HTML = /^<(?:!DOCTYPE\s+)?(?:html|head|body|title|meta|script|style|form)(?=[\s/>])/i;
const PROLOG = /^(?:<\?[^>]{0,1000}\?>|<!--(?:[^-]|-(?!->)){0,1000}-->|\s)+/;

/**
 * Why a body can't be a diagnostics document, judged by its beginning; undefined if it may be a document. Refuses a
 * DOCTYPE, which the service never sends and entity bombs need.
 */
function refusalOf(text: string): NotADocumentReason | undefined {
  if (text === '') return 'empty';
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  if (!text.startsWith('<')) return 'not-xml';
  const start = text.slice(0, 5_000).replace(PROLOG, '');
  if (HTML.test(start)) return 'html';
  return /^<!DOCTYPE/i.test(start) ? 'doctype' : undefined;
}

/**
 * Parses a complete document. `diagnosticCount`: how many `diagnostic` elements it contains at any depth. Throws
 * `not-a-document`, `too-many-diagnostics` and `too-large`.
 */
export function parse(xml: string): { root: XmlElement; diagnosticCount: number } {
  const text = xml.trim();
  const refusal = refusalOf(text);
  if (refusal !== undefined) throw notADocument(refusal);
  let elementCount = 0;
  let diagnosticCount = 0;
  const updateTag = (name: string) => {
    elementCount += 1;
    if (name === 'diagnostic') diagnosticCount += 1;
    if (diagnosticCount > MOST_DIAGNOSTICS) throw fault('too-many-diagnostics', { limit: MOST_DIAGNOSTICS });
    if (elementCount > MOST_ELEMENTS) throw fault('too-large', { limitBytes: xml.length });
    return true;
  };
  try {
    const parts: readonly Part[] = new XMLParser({ ...PARSING, updateTag }).parse(text);
    const [top, ...others] = parts.filter((part) => !isText(part));
    const [root] = all([{ attributes: NO_ATTRIBUTES, content: parts }], ROOT);
    if (root === undefined || others.length > 0) throw notADocument('wrong-root');
    // The parser closes open elements at the end of the text, but only a real end tag has an end index.
    if (top?.[PLACE]?.endIndex === undefined) throw notADocument('broken');
    return { root, diagnosticCount };
  } catch (error) {
    throw isFault(error) ? error : notADocument('broken', { cause: error });
  }
}

/** The fault for a body that is not a diagnostics document. */
export function notADocument(reason: NotADocumentReason, options?: ErrorOptions): Fault {
  return fault('not-a-document', { reason }, options);
}

/** Elements that contain only elements. Their white space, half of all texts of a document, is dropped. */
const LISTS = new Set('diagnostics diagnostic run_data results h_sols fixedInVersions version'.split(' '));

const PARSING = {
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
  // `decoded` does this, and keeps an `&` that starts no reference.
  processEntities: false,
  removeNSPrefix: true,
  captureMetaData: true,
  jPath: false,
  tagValueProcessor: (name: string, value: string) => (LISTS.has(name) && value.trim() === '' ? '' : value),
};
