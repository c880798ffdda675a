import { decodeXML } from 'entities';
import { type X2jOptions, XMLParser } from 'fast-xml-parser';

type Attributes = Readonly<Record<string, string>>;
const NO_ATTRIBUTES: Attributes = {};

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

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

/** What the parser makes of an element: its name with its content, and beside it its attributes. */
type Parsed = Readonly<Record<string, unknown>>;

/** Elements and texts beside the root, and the root, as the parser reads them with these further options. Throws its errors. */
export function elementsOf(xml: string, options: X2jOptions): (XmlElement | string)[] {
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
    jPath: false,
    ...options,
  });
  return contentOf(parser.parse(xml), undefined);
}

/**
 * The content of an element with these namespaces, or of the document. Adjacent texts, such as one before a CDATA section and the section, are one
 * text.
 */
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

/** The namespaces at one place of a document: that of its root, and what prefixes stand for; '' is the default. */
type Scope = { readonly root: string; readonly uris: ReadonlyMap<string, string> };

const DECLARATION = /^xmlns(?::|$)/;

/** The namespaces in an element with that name and these attributes, which is in `outer`, or is the root. */
function scopeOf(name: string, attributes: Attributes, outer: Scope | undefined): Scope {
  if (outer !== undefined && attributes === NO_ATTRIBUTES) return outer;
  const declared = Object.entries(attributes).filter(([attribute]) => DECLARATION.test(attribute));
  if (outer !== undefined && declared.length === 0) return outer;
  const uris = new Map(outer?.uris);
  for (const [attribute, uri] of declared) uris.set(attribute.replace(DECLARATION, ''), uri);
  return { root: outer?.root ?? uriOf(name, uris), uris };
}

/** A prefix that nothing declares stands for itself. */
function uriOf(name: string, uris: Scope['uris']): string {
  const prefix = name.slice(0, Math.max(0, name.indexOf(':')));
  return uris.get(prefix) ?? prefix;
}

/** What follows the prefix or the namespace of a name. */
export function localName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('}'), name.lastIndexOf(':')) + 1);
}

/**
 * The name of an element without a prefix where it is of the document: of the root's namespace, or, as many writers have
 * it below a root with a prefix, of none. Every other is `{namespace}name`.
 */
function nameIn(name: string, { root, uris }: Scope): string {
  // As in nearly every document.
  if (uris.size === 0 && !name.includes(':')) return name;
  const uri = uriOf(name, uris);
  return uri === root || uri === '' ? localName(name) : `{${uri}}${localName(name)}`;
}

function isPlain(attribute: string): boolean {
  return !attribute.includes(':') && attribute !== 'xmlns';
}

/** The attributes that are of the document. One without a prefix is of its element, and goes before one that has the root's. */
function ownAttributes(attributes: Attributes, { root, uris }: Scope): Attributes {
  if (Object.keys(attributes).every(isPlain)) return attributes;
  const all = Object.entries(attributes);
  const prefixed = all.filter(([name]) => name.includes(':') && uriOf(name, uris) === root);
  const plain = all.filter(([name]) => isPlain(name));
  return Object.fromEntries([...prefixed.map(([name, value]) => [localName(name), value]), ...plain]);
}
