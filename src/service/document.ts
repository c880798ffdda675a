import { decodeXML } from 'entities';
import { XMLParser } from 'fast-xml-parser';
import {
  type Diagnostic,
  type DiagnosticsResult,
  type Solution,
  solutionsOnce,
} from '../core/diagnostics.ts';
import { fault, isFault, type NotADocumentReason } from '../core/faults.ts';
import { cveIdsIn } from '../core/naming.ts';
import { type Layout, plainAddress, plainText } from './text.ts';

/** The most diagnostics that are read; real documents have about 250. */
const MOST_DIAGNOSTICS = 5_000;
/** A diagnostic has about 30 elements; this many take some 200 MB while they are read. */
const MOST_ELEMENTS = 500_000;
/** The name of a diagnostic that has none: users still have to see it. */
const UNNAMED = 'unnamed';
/** A name or a version of the device is short; exports repeat it in each row. */
const LONGEST_FIELD = 500;

/**
 * Reads a diagnostics document (specification, 2.3, with the optional parts that the service is known to add), in one pass.
 * Any part may be absent, empty or repeated. Throws `not-a-document`, `too-many-diagnostics`, and `too-large` for too many other elements.
 */
export function readDocument(xml: string): DiagnosticsResult {
  const { root, diagnosticCount } = parse(xml);
  const lists = all([root], 'diagnostics');
  const elements = all(lists, 'diagnostic');
  // A tag that is not closed puts one diagnostic into another, where it would not be read.
  if (elements.length !== diagnosticCount) throw fault('not-a-document', { reason: 'broken' });
  const stated = { ...countIn(lists, 'hits', 'hit_count'), ...countIn(lists, 'misses', 'miss_count') };
  if (elements.length === 0 && stated.hits === undefined && !isPlainlyEmpty(root, lists))
    throw fault('not-a-document', { reason: 'no-diagnostics' });
  const field = (parent: string | undefined, name: string) => {
    const text = lineOf(parent === undefined ? [root] : all([root], parent), name);
    return text.length > LONGEST_FIELD ? `${text.slice(0, LONGEST_FIELD).toWellFormed()}…` : text;
  };
  return {
    sha1: field(undefined, 'sha1'),
    device: {
      hostname: field('system_information', 'hostname'),
      chassisSerial: field('system_information', 'device_chassis_serial_num'),
      platform: field('system_information', 'platform'),
    },
    software: {
      product: field('version', 'product'),
      version: field('version', 'version'),
      edition: field('version', 'edition'),
      built: field('version', 'built'),
    },
    stated,
    diagnostics: elements.map(diagnosticOf),
  };
}

/** Whether an uncounted list is there and empty: a text or an error in its place means that nothing was analysed. */
function isPlainlyEmpty(root: XmlElement, lists: readonly XmlElement[]): boolean {
  const isBlank = (part: XmlElement | string) => typeof part === 'string' && part.trim() === '';
  return (
    lists.length > 0 &&
    all([root], 'error').length === 0 &&
    lists.every(({ content }) => content.every(isBlank))
  );
}

/** A count that the service states beside its list. */
function countIn<Key extends 'hits' | 'misses'>(lists: readonly XmlElement[], key: Key, attribute: string) {
  const stated = lists[0]?.attributes[attribute] ?? '';
  return /^\d{1,9}$/.test(stated) ? { [key]: Number(stated) } : {};
}

function diagnosticOf(element: XmlElement): Diagnostic {
  const [results, runData] = [all([element], 'results'), all([element], 'run_data')];
  const secondName = lineOf(results, 'h_name');
  const name = plainText(element.attributes.name ?? '', 'line') || secondName || UNNAMED;
  const title = lineOf(results, 'h_header') || secondName || name;
  const output = all([element], 'output').map((block) => textOf(block, 'block'));
  return {
    name,
    ...(secondName !== '' && secondName !== name && { otherName: secondName }),
    ...matchOf(lineOf(runData, 'match')),
    importance: lineOf(runData, 'h_importance'),
    title,
    summary: linesOf(results, 'h_summary'),
    action: linesOf(results, 'h_action'),
    output: output.filter((block) => block !== ''),
    solutions: solutionsOnce(all(all(results, 'h_sols'), 'solution').flatMap(solutionOf)),
    cveIds: cveIdsOf(results, title),
    fixedIn: fixedInOf([...results, element]),
  };
}

const YES = /^(?:true|t|yes|y|on|1)$/i;
const NO = /^(?:false|f|no|n|off|0)$/i;

/** Decides by each diagnostic's `match`, whatever set was asked for: some services ignore that. */
function matchOf(stated: string): Pick<Diagnostic, 'match' | 'isMatchUnstated'> {
  if (NO.test(stated)) return { match: 'miss' };
  return YES.test(stated) ? { match: 'hit' } : { match: 'hit', isMatchUnstated: true };
}

function solutionOf(element: XmlElement): Solution[] {
  const [url, id] = [plainAddress(rawText(element)), plainText(element.attributes.id ?? '', 'line')];
  if (url === '' && id === '') return [];
  return [id === '' ? { url } : { url, id }];
}

/**
 * The ids in `h_cve_ids`, which holds elements of the same name. Documents of the specification have no such field: there
 * the title names them. Summaries and actions cite CVEs of other issues.
 */
function cveIdsOf(results: readonly XmlElement[], title: string): string[] {
  const lists = all(results, 'h_cve_ids');
  const stated = [...lists, ...all(lists, 'h_cve_ids')].flatMap(({ content }) =>
    content.flatMap((part) => cveIdsIn(typeof part === 'string' ? part : rawText(part))),
  );
  return stated.length > 0 ? [...new Set(stated)] : cveIdsIn(title);
}

function fixedInOf(parents: readonly XmlElement[]): string[] {
  const versions = all(all(parents, 'fixedInVersions'), 'version').map(versionText);
  return [...new Set(versions.filter((version) => version !== ''))];
}

/** `17.1.3.4`, or `11.6.1 HF2`: a `fix` without a `point` is a hotfix. An empty part in the middle is a `?`. */
function versionText(version: XmlElement): string {
  const part = (name: string) => lineOf([version], name);
  const [point, fix] = [part('point'), part('fix')];
  const isHotfix = fix !== '' && point === '';
  const base = ['major', 'minor', 'maintenance'].map(part);
  const parts = isHotfix ? base : [...base, point, fix];
  const end = parts.findLastIndex((each) => each !== '') + 1;
  if (end === 0) return textOf(version, 'line');
  const release = parts.slice(0, isHotfix ? parts.length : end).map((each) => each || '?');
  return release.join('.') + (isHotfix ? ` ${fix.replace(/^(?=\d)/, 'HF')}` : '');
}

/** An element with its texts, XML-decoded once, and its elements, in the order of the document. Names have no prefix. */
type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (XmlElement | string)[];
};

/** The children of that name of all these elements, in the order of the document. */
function all(parents: readonly XmlElement[], name: string): XmlElement[] {
  return parents.flatMap(({ content }) =>
    content.filter((part) => typeof part !== 'string').filter((part) => part.name === name),
  );
}

/** The first text of that name that says something, on one line; or ''. */
function lineOf(parents: readonly XmlElement[], name: string): string {
  for (const element of all(parents, name)) {
    const text = textOf(element, 'line');
    if (text !== '') return text;
  }
  return '';
}

/** Every text of that name, with its line breaks; or ''. */
function linesOf(parents: readonly XmlElement[], name: string): string {
  const texts = all(parents, name).map((element) => textOf(element, 'lines'));
  return texts.filter((text) => text !== '').join('\n');
}

function textOf(element: XmlElement, layout: Layout): string {
  return plainText(rawText(element, layout !== 'block'), layout);
}

const MARKUP = new Set(['p', 'li', 'a']);

/** The texts in an element and in its elements; with `hasMarkup`, elements that are markup become the tags of escaped markup. */
function rawText({ content }: XmlElement, hasMarkup = false): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.name === 'br') return '\n';
      const text = rawText(part, hasMarkup);
      const { href } = part.attributes;
      return hasMarkup && MARKUP.has(part.name)
        ? `<${part.name}${href === undefined ? '' : ` href="${href}"`}>${text}</${part.name}>`
        : text;
    })
    .join('');
}

const ROOT = 'diagnostic_output';
const HTML = /^<(?:!DOCTYPE\s+)?(?:html|head|body|title|meta|script|style|form)(?=[\s/>])/i;
const PROLOG = /^(?:<\?[^>]{0,1000}\?>|<!--(?:[^-]|-(?!->)){0,1000}-->|\s)+/;

/**
 * Why a body is not a diagnostics document, judged by its beginning; undefined if it may be one. A DOCTYPE is refused: the
 * service sends none, and entity bombs need one.
 */
function refusalOf(text: string): NotADocumentReason | undefined {
  if (text === '') return 'empty';
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  if (!text.startsWith('<')) return 'not-xml';
  const start = text.slice(0, 5_000).replace(PROLOG, '');
  if (HTML.test(start)) return 'html';
  return /^<!DOCTYPE/i.test(start) ? 'doctype' : undefined;
}

/** What the parser makes of an element: its name with its content, and beside it its attributes. */
type Parsed = Readonly<Record<string, unknown>> & {
  readonly [place: symbol]: { readonly endIndex?: number };
};

/** The root of a whole document, and how many elements named `diagnostic` there are, wherever they stand. */
function parse(xml: string): { root: XmlElement; diagnosticCount: number } {
  const text = xml.trim();
  const refusal = refusalOf(text);
  if (refusal !== undefined) throw fault('not-a-document', { reason: refusal });
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
    const tops: readonly Parsed[] = new XMLParser({ ...PARSING, updateTag }).parse(text);
    const [top, ...others] = tops.filter((each) => Object.keys(each)[0] !== TEXT);
    const root = top === undefined ? undefined : partOf(top);
    if (top === undefined || typeof root !== 'object' || root.name !== ROOT || others.length > 0)
      throw fault('not-a-document', { reason: 'wrong-root' });
    // The parser closes what is open at the end: only an end tag gives an element its end.
    if (top[PLACE]?.endIndex === undefined) throw fault('not-a-document', { reason: 'broken' });
    return { root, diagnosticCount };
  } catch (error) {
    throw isFault(error) ? error : fault('not-a-document', { reason: 'broken' }, { cause: error });
  }
}

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';
/** Under this the parser notes where an element begins and ends. */
const PLACE = XMLParser.getMetaDataSymbol() as symbol;
/** They hold elements alone: the white space between these, half of all texts of a document, says nothing. */
const LISTS = new Set('diagnostics diagnostic run_data results h_sols fixedInVersions'.split(' '));

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
  // An `&` that begins no reference of XML stays as it is; see `partOf`.
  processEntities: false,
  removeNSPrefix: true,
  captureMetaData: true,
  jPath: false,
  tagValueProcessor: (name: string, value: string) => (LISTS.has(name) && value.trim() === '' ? '' : value),
};

function partOf(node: Parsed): XmlElement | string {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? TEXT;
  const value = node[name];
  if (name === TEXT) return decodeXML(String(value ?? ''));
  const children = value as readonly Parsed[];
  if (name === CDATA) return String(children[0]?.[TEXT] ?? '');
  const attributes = Object.entries(node[ATTRIBUTES] ?? {}).map(([key, each]) => [
    key,
    decodeXML(String(each)),
  ]);
  return { name, attributes: Object.fromEntries(attributes), content: children.map(partOf) };
}
