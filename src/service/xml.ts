import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { NotADocument, type NotADocumentReason } from '../core/faults.ts';

/** An element: its attributes, its text, and its children as lists, so that one, many and none look alike. */
export type XmlElement = {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: Readonly<Record<string, readonly XmlElement[]>>;
};

const ATTRIBUTE = '@';
const TEXT = '#text';
/** The specification's documents nest six deep; more room is only room for harm. */
const DEEPEST = 20;

/** The parser refuses a document with these names; they mean nothing to the reader, so they get another one. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Entities are limited by the size of the answer: without a DOCTYPE they only ever shrink it. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  transformTagName: (name) => (RESERVED.has(name) ? `${name}.` : name),
  maxNestedTags: DEEPEST,
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

const DOCTYPE = /<!DOCTYPE/i;
const HTML = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!DOCTYPE\s+html|html|head|body)\b/i;
const JSON_START = /^\s*[{[]/;
const XML_START = /^\s*</;

function quickRefusal(text: string): NotADocumentReason | undefined {
  if (text.trim() === '') return 'empty';
  if (HTML.test(text)) return 'html';
  if (JSON_START.test(text)) return 'json';
  if (!XML_START.test(text)) return 'not-xml';
  return DOCTYPE.test(text) ? 'doctype' : undefined;
}

/**
 * Parses a whole XML document and gives its root if that is named `root`. Throws `NotADocument`, whose reason says
 * what was there instead. A DOCTYPE is refused before it is read: the service sends none, entity bombs need one.
 */
export function parseXml(text: string, root: string): XmlElement {
  const withoutMark = text.replace(/^\uFEFF/, '');
  const refusal = quickRefusal(withoutMark);
  if (refusal !== undefined) throw new NotADocument(refusal);
  const element = parseRoot(withoutMark, root);
  if (element === undefined) throw new NotADocument('wrong-root');
  return element;
}

function parseRoot(text: string, root: string): XmlElement | undefined {
  try {
    const validity = XMLValidator.validate(text);
    if (validity !== true) throw new Error(`${validity.err.code} in line ${validity.err.line}`);
    const top = elementOf(parser.parse(text));
    const found = top.children[root];
    return Object.keys(top.children).length === 1 && found?.length === 1 ? found[0] : undefined;
  } catch (error) {
    throw new NotADocument('broken', { cause: error });
  }
}

function elementOf(parsed: unknown): XmlElement {
  if (typeof parsed !== 'object' || parsed === null) {
    return { attributes: {}, text: String(parsed ?? ''), children: {} };
  }
  const attributes: Record<string, string> = {};
  const children: Record<string, XmlElement[]> = {};
  let text = '';
  for (const [name, value] of Object.entries(parsed)) {
    if (name === TEXT) text = [value].flat().join('');
    else if (name.startsWith(ATTRIBUTE)) attributes[name.slice(ATTRIBUTE.length)] = String(value);
    else children[name] = [value].flat().map(elementOf);
  }
  return { attributes, text, children };
}
