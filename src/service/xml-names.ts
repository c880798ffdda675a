export type Attributes = Readonly<Record<string, string>>;
export const NO_ATTRIBUTES: Attributes = {};

/** The namespaces at one place of a document: that of its root, and what prefixes stand for; '' is the default. */
export type Scope = { readonly root: string; readonly uris: ReadonlyMap<string, string> };

const DECLARATION = /^xmlns(?::|$)/;

/** The namespaces in an element with that name and these attributes, which is in `outer`, or is the root. */
export function scopeOf(name: string, attributes: Attributes, outer: Scope | undefined): Scope {
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
export function nameIn(name: string, { root, uris }: Scope): string {
  // As in nearly every document.
  if (uris.size === 0 && !name.includes(':')) return name;
  const uri = uriOf(name, uris);
  return uri === root || uri === '' ? localName(name) : `{${uri}}${localName(name)}`;
}

function isPlain(attribute: string): boolean {
  return !attribute.includes(':') && attribute !== 'xmlns';
}

/** The attributes that are of the document. One without a prefix is of its element, and goes before one that has the root's. */
export function ownAttributes(attributes: Attributes, { root, uris }: Scope): Attributes {
  if (Object.keys(attributes).every(isPlain)) return attributes;
  const all = Object.entries(attributes);
  const prefixed = all.filter(([name]) => name.includes(':') && uriOf(name, uris) === root);
  const plain = all.filter(([name]) => isPlain(name));
  return Object.fromEntries([...prefixed.map(([name, value]) => [localName(name), value]), ...plain]);
}
