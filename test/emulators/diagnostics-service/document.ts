import { escapeUTF8 } from 'entities/escape';

/** A version with a fix: any part may be missing or empty. */
export interface FixedVersion {
  major?: string | undefined;
  minor?: string | undefined;
  maintenance?: string | undefined;
  point?: string | undefined;
  fix?: string | undefined;
}

/** A knowledge-base link, with the `id` attribute that only some documents carry. */
interface DocumentSolution {
  url: string;
  id?: string | undefined;
}

/** One `diagnostic` (specification 2.3). A field left out is absent from the XML; `''` and `[]` give an empty element. */
export interface DocumentDiagnostic {
  name?: string | undefined;
  outputs?: string[] | undefined;
  importance?: string | undefined;
  match?: boolean | string | undefined;
  header?: string | undefined;
  summary?: string | undefined;
  action?: string | undefined;
  solutions?: DocumentSolution[] | undefined;
  cveIds?: string[] | undefined;
  fixedInVersions?: FixedVersion[] | undefined;
  /** Any other text of `results`. */
  [element: `h_${string}`]: string | undefined;
}

/** Attributes that some answers put on `diagnostics`. */
interface DocumentCounts {
  hit?: number | undefined;
  miss?: number | undefined;
  filter?: string | undefined;
}

/** `system_information` (specification 2.3). */
export interface DocumentSystem {
  chassisSerialNumber?: string | undefined;
  hostname?: string | undefined;
  platform?: string | undefined;
}

/** `version` (specification 2.3). */
export interface DocumentVersion {
  version?: string | undefined;
  product?: string | undefined;
  built?: string | undefined;
  edition?: string | undefined;
}

/** A whole diagnostics result (specification 2.3). A field left out is absent from the XML. */
export interface SnapshotDocument {
  diagnostics?: DocumentDiagnostic[] | undefined;
  counts?: DocumentCounts | undefined;
  sha1?: string | undefined;
  system?: DocumentSystem | undefined;
  version?: DocumentVersion | undefined;
}

type Attributes = Record<string, string | number | undefined>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 cannot hold
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const FIX_PARTS = ['major', 'minor', 'maintenance', 'point', 'fix'] as const;

/** Writes the document as well-formed XML; characters that XML cannot hold become U+FFFD. */
export function documentXml(document: SnapshotDocument): string {
  const { diagnostics, counts, system, version } = document;
  const root = element('diagnostic_output', {}, [
    diagnostics && element('diagnostics', countAttributes(counts), diagnostics.map(diagnosticXml)),
    text('sha1', document.sha1),
    system &&
      element('system_information', {}, [
        text('device_chassis_serial_num', system.chassisSerialNumber),
        text('hostname', system.hostname),
        text('platform', system.platform),
      ]),
    version &&
      element('version', {}, [
        text('version', version.version),
        text('product', version.product),
        text('built', version.built),
        text('edition', version.edition),
      ]),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function countAttributes(counts: DocumentCounts | undefined): Attributes {
  return { hit_count: counts?.hit, miss_count: counts?.miss, filter: counts?.filter };
}

function diagnosticXml(diagnostic: DocumentDiagnostic): string {
  const { fixedInVersions, outputs = [] } = diagnostic;
  return element('diagnostic', { name: diagnostic.name }, [
    fixedInVersions && element('fixedInVersions', {}, fixedInVersions.map(fixedVersionXml)),
    ...outputs.map((output) => text('output', output)),
    group('run_data', [
      text('h_importance', diagnostic.importance),
      text('match', diagnostic.match === undefined ? undefined : String(diagnostic.match)),
    ]),
    group('results', [
      text('h_action', diagnostic.action),
      ...Object.entries(diagnostic).map(([name, value]) =>
        name.startsWith('h_') ? text(name, value) : undefined,
      ),
      list('h_cve_ids', diagnostic.cveIds, (id) => text('h_cve_ids', id)),
      list('h_sols', diagnostic.solutions, ({ url, id }) => text('solution', url, { id })),
      text('h_header', diagnostic.header),
      text('h_summary', diagnostic.summary),
    ]),
  ]);
}

function fixedVersionXml(version: FixedVersion): string {
  return element(
    'version',
    {},
    FIX_PARTS.map((part) => text(part, version[part])),
  );
}

function list<T>(
  name: string,
  values: T[] | undefined,
  write: (value: T) => string | undefined,
): string | undefined {
  return values && element(name, {}, values.map(write));
}

function group(name: string, children: (string | undefined)[]): string | undefined {
  return children.every((child) => child === undefined) ? undefined : element(name, {}, children);
}

function element(name: string, attributes: Attributes, children: (string | undefined)[]): string {
  const present = children.filter((child) => child !== undefined);
  const start = `${name}${attributesXml(attributes)}`;
  return present.length === 0 ? `<${start}/>` : `<${start}>\n${present.join('\n')}\n</${name}>`;
}

function text(name: string, value: string | undefined, attributes: Attributes = {}): string | undefined {
  if (value === undefined) return undefined;
  const start = `${name}${attributesXml(attributes)}`;
  return value === '' ? `<${start}/>` : `<${start}>${escaped(value)}</${name}>`;
}

function attributesXml(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapedAttribute(String(value))}"`)
    .join('');
}

// A bare carriage return would reach the reader as a line feed.
function escaped(value: string): string {
  return escapeUTF8(value.toWellFormed().replace(NOT_XML, '\uFFFD')).replaceAll('\r', '&#13;');
}

function escapedAttribute(value: string): string {
  return escaped(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
