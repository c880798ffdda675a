import type { Diagnostic, DiagnosticsResult, Solution } from '../core/diagnostics.ts';
import { cveIdsIn } from '../core/texts.ts';
import { type Layout, plainAddress, plainText } from './text.ts';
import { all, decoded, isText, notADocument, parse, rawText, TEXT, type XmlElement } from './xml.ts';

/** The name for a nameless diagnostic, which users must still see. */
const UNNAMED = 'unnamed';
/** The longest name or version of a device, because exports repeat it in each row. */
const LONGEST_FIELD = 500;

/**
 * Reads a diagnostics document (specification, 2.3, and optional parts that the service adds) in one pass. Any part may
 * be absent, empty or repeated. Throws `not-a-document`, `too-many-diagnostics`, and `too-large` for too many elements.
 */
export function readDocument(xml: string): DiagnosticsResult {
  const { root, diagnosticCount } = parse(xml);
  const lists = all([root], 'diagnostics');
  const elements = all(lists, 'diagnostic');
  // A missing end tag nests one diagnostic in another, where it would be overlooked.
  if (elements.length !== diagnosticCount) throw notADocument('broken');
  const stated = { hits: countIn(lists, 'hit_count'), misses: countIn(lists, 'miss_count') };
  if (elements.length === 0 && stated.hits === undefined && !isPlainlyEmpty(root, lists))
    throw notADocument('no-diagnostics');
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

/** Whether the list exists and is empty. A text in it, or an `error` beside it, means that nothing was analysed. */
function isPlainlyEmpty(root: XmlElement, lists: readonly XmlElement[]): boolean {
  const isBlank = ({ content }: XmlElement) =>
    content.every((part) => isText(part) && part[TEXT].trim() === '');
  return lists.length > 0 && all([root], 'error').length === 0 && lists.every(isBlank);
}

/** A count that the list states as an attribute; undefined if it is absent or no number. */
function countIn(lists: readonly XmlElement[], attribute: string): number | undefined {
  const stated = lists[0]?.attributes[attribute] ?? '';
  return /^\d{1,9}$/.test(stated) ? Number(stated) : undefined;
}

function diagnosticOf(element: XmlElement): Diagnostic {
  const [results, runData] = [all([element], 'results'), all([element], 'run_data')];
  const secondName = lineOf(results, 'h_name');
  const name = attributeOf(element, 'name') || secondName || UNNAMED;
  const title = lineOf(results, 'h_header') || secondName || name;
  return {
    name,
    ...(secondName !== '' && secondName !== name && { otherName: secondName }),
    ...matchOf(lineOf(runData, 'match')),
    importance: lineOf(runData, 'h_importance'),
    title,
    summary: textsOf(results, 'h_summary', 'lines').join('\n'),
    action: textsOf(results, 'h_action', 'lines').join('\n'),
    output: textsOf([element], 'output', 'block'),
    solutions: solutionsOf(results),
    cveIds: cveIdsOf(results, title),
    fixedIn: fixedInOf([...results, element]),
  };
}

const YES = /^(?:true|t|yes|y|on|1)$/i;
const NO = /^(?:false|f|no|n|off|0)$/i;

/** Hit or passed check, by the diagnostic's own `match`: some services ignore the requested `set`. */
function matchOf(stated: string): Pick<Diagnostic, 'match' | 'isMatchUnstated'> {
  if (NO.test(stated)) return { match: 'miss' };
  return YES.test(stated) ? { match: 'hit' } : { match: 'hit', isMatchUnstated: true };
}

/** The solutions without duplicates; two are equal if both id and address are equal, and either may be absent. */
function solutionsOf(results: readonly XmlElement[]): Solution[] {
  const solutions = new Map<string, Solution>();
  for (const element of all(all(results, 'h_sols'), 'solution')) {
    const [url, id] = [plainAddress(rawText(element.content)), attributeOf(element, 'id')];
    if (url !== '' || id !== '') solutions.set(`${id} ${url}`, id === '' ? { url } : { url, id });
  }
  return [...solutions.values()];
}

/**
 * The CVE ids in `h_cve_ids`, a field outside the specification; without it, those in the title. Summaries and actions
 * do not count, because they also mention CVEs of other issues.
 */
function cveIdsOf(results: readonly XmlElement[], title: string): string[] {
  const parts = all(results, 'h_cve_ids').flatMap(({ content }) => content.map((part) => rawText([part])));
  const stated = cveIdsIn(parts.join('\n'));
  return stated.length > 0 ? stated : cveIdsIn(title);
}

function fixedInOf(parents: readonly XmlElement[]): string[] {
  const versions = all(all(parents, 'fixedInVersions'), 'version').map(versionText);
  return [...new Set(versions.filter((version) => version !== ''))];
}

/** A version such as `17.1.3.4` or `11.6.1 HF2`: a `fix` without a `point` is a hotfix. A missing middle part is `?`. */
function versionText(version: XmlElement): string {
  const part = (name: string) => lineOf([version], name);
  const [point, fix] = [part('point'), part('fix')];
  const isHotfix = fix !== '' && point === '';
  const base = ['major', 'minor', 'maintenance'].map(part);
  const parts = isHotfix ? base : [...base, point, fix];
  const end = parts.findLastIndex((each) => each !== '') + 1;
  if (end === 0) return plainText(rawText(version.content), 'line');
  const release = parts.slice(0, isHotfix ? parts.length : end).map((each) => each || '?');
  return release.join('.') + (isHotfix ? ` ${fix.replace(/^(?=\d)/, 'HF')}` : '');
}

/** An attribute as plain text; '' if it is absent. */
function attributeOf({ attributes }: XmlElement, name: string): string {
  return plainText(decoded(attributes[name] ?? ''), 'line');
}

/** The non-empty texts of all elements with this name. */
function textsOf(parents: readonly XmlElement[], name: string, layout: Layout): string[] {
  const texts = all(parents, name).map(({ content }) =>
    plainText(rawText(content, layout !== 'block'), layout),
  );
  return texts.filter((text) => text !== '');
}

/** The first non-empty text with this name, on one line; or ''. */
function lineOf(parents: readonly XmlElement[], name: string): string {
  return textsOf(parents, name, 'line')[0] ?? '';
}
