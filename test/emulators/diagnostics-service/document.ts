import { escapeUTF8 } from 'entities/escape';

type Texts<Name extends string> = { [name in Name]?: string | undefined };

const FIX_PARTS = ['major', 'minor', 'maintenance', 'point', 'fix'] as const;
const VERSION_PARTS = ['version', 'product', 'built', 'edition'] as const;

/** A version that contains the fix; any part may be missing or empty. */
export type FixedVersion = Texts<(typeof FIX_PARTS)[number]>;

/** `system_information` (specification 2.3). */
export type DocumentSystem = Texts<'chassisSerialNumber' | 'hostname' | 'platform'>;

/** `version` (specification 2.3). */
export type DocumentVersion = Texts<(typeof VERSION_PARTS)[number]>;

/** One `diagnostic` (specification 2.3). An undefined field is absent from the XML; `''` and `[]` give an empty element. */
export interface DocumentDiagnostic
  extends Texts<'name' | 'importance' | 'header' | 'summary' | 'action' | `h_${string}`> {
  outputs?: string[] | undefined;
  match?: boolean | string | undefined;
  /** Links; only some documents have the `id` attribute. */
  solutions?: { url: string; id?: string | undefined }[] | undefined;
  cveIds?: string[] | undefined;
  fixedInVersions?: FixedVersion[] | undefined;
}

/** A complete diagnostics document (specification 2.3). An undefined field is absent from the XML. */
export interface SnapshotDocument {
  diagnostics?: DocumentDiagnostic[] | undefined;
  /** Attributes that some versions of the service set on `diagnostics`. */
  counts?: { hit?: number; miss?: number; filter?: string } | undefined;
  sha1?: string | undefined;
  system?: DocumentSystem | undefined;
  version?: DocumentVersion | undefined;
}

type Attributes = Record<string, string | number | undefined>;
type Part = string | undefined;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds characters that XML 1.0 forbids
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Writes the document as well-formed XML; characters that XML cannot hold become U+FFFD. */
export function documentXml({ diagnostics, counts, sha1, system, version }: SnapshotDocument): string {
  const attributes = { hit_count: counts?.hit, miss_count: counts?.miss, filter: counts?.filter };
  const root = element('diagnostic_output', {}, [
    list('diagnostics', diagnostics, diagnosticXml, attributes),
    text('sha1', sha1),
    system &&
      element('system_information', {}, [
        text('device_chassis_serial_num', system.chassisSerialNumber),
        text('hostname', system.hostname),
        text('platform', system.platform),
      ]),
    version && texts('version', version, VERSION_PARTS),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function diagnosticXml(diagnostic: DocumentDiagnostic): string {
  const { name, match, importance, action, header, summary } = diagnostic;
  const { outputs = [], cveIds, solutions, fixedInVersions } = diagnostic;
  const others = Object.entries(diagnostic).filter(([other]) => other.startsWith('h_'));
  return element('diagnostic', { name }, [
    list('fixedInVersions', fixedInVersions, (fixed) => texts('version', fixed, FIX_PARTS)),
    ...outputs.map((output) => text('output', output)),
    group('run_data', [
      text('h_importance', importance),
      text('match', match === undefined ? undefined : String(match)),
    ]),
    group('results', [
      text('h_action', action),
      ...others.map(([other, value]) => text(other, value)),
      list('h_cve_ids', cveIds, (id) => text('h_cve_ids', id)),
      list('h_sols', solutions, ({ url, id }) => text('solution', url, { id })),
      text('h_header', header),
      text('h_summary', summary),
    ]),
  ]);
}

function texts<Name extends string>(name: string, values: Texts<Name>, names: readonly Name[]): string {
  return element(
    name,
    {},
    names.map((part) => text(part, values[part])),
  );
}

function list<T>(
  name: string,
  values: T[] | undefined,
  write: (value: T) => Part,
  attributes: Attributes = {},
): Part {
  return values && element(name, attributes, values.map(write));
}

function group(name: string, children: Part[]): Part {
  return children.every((child) => child === undefined) ? undefined : element(name, {}, children);
}

function element(name: string, attributes: Attributes, children: Part[]): string {
  const present = children.filter((child) => child !== undefined);
  const start = `${name}${attributesXml(attributes)}`;
  return present.length === 0 ? `<${start}/>` : `<${start}>\n${present.join('\n')}\n</${name}>`;
}

function text(name: string, value: Part, attributes: Attributes = {}): Part {
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

// Escaped, because an XML parser would turn a bare carriage return into a line feed.
function escaped(value: string): string {
  return escapeUTF8(value.toWellFormed().replace(NOT_XML, '\uFFFD')).replaceAll('\r', '&#13;');
}

function escapedAttribute(value: string): string {
  return escaped(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
