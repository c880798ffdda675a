import {
  type Diagnostic,
  type DiagnosticsResult,
  type Match,
  type Solution,
  type StatedCounts,
  solutionsOnce,
} from '../core/diagnostics.ts';
import { NotADocument, TooLarge } from '../core/faults.ts';
import { cveIdsIn } from '../core/naming.ts';
import { boundedTexts } from './bounded-texts.ts';
import { all, lineOf, linesOf, type Read, unreadText } from './elements.ts';
import { textOf } from './markup.ts';
import { isNoValue, isSeen, plainAddress, plainLine } from './text.ts';
import { parseXml, type XmlElement } from './xml.ts';

const ROOT = 'diagnostic_output';
/** The name of a diagnostic that has none: users still have to see it. */
const UNNAMED = 'unnamed';
/** The most diagnostics that are read. Real documents have about 250, so a document with more is malicious. */
const MOST_DIAGNOSTICS = 2_000;
/** A name or a version is one of the device: a longer text is not, and exports repeat it in each row. */
const LONGEST_FIELD = 500;
/** The most elements that are read. A diagnostic has about 30; this many take some 200 MB while they are read. */
const LIMITS = { elements: 1_000_000, diagnostics: MOST_DIAGNOSTICS };

/**
 * Reads a diagnostics document (specification, 2.3, with the optional parts that the service is known to add).
 * Texts that are too long together are cut. Throws `NotADocument`, `TooManyDiagnostics`, and `TooLarge` for a document of too many other elements or texts.
 */
export function readDocument(xml: string): DiagnosticsResult {
  const root = [parseXml(xml, ROOT, LIMITS)];
  const lists = all(root, 'diagnostics');
  const elements = all(lists, 'diagnostic');
  const [hits, misses] = [statedNumber(lists, 'hit_count'), statedNumber(lists, 'miss_count')];
  const stated = { ...(hits !== undefined && { hits }), ...(misses !== undefined && { misses }) };
  if (elements.length === 0 && !saysThatThereAreNone(root, lists, stated)) {
    throw new NotADocument('no-diagnostics');
  }
  const read = elements.map(diagnosticOf);
  const bounded = boundedTexts(read);
  if (bounded === undefined) throw new TooLarge(xml.length);
  const [information, version] = [all(root, 'system_information'), all(root, 'version')];
  return {
    sha1: fieldOf(root, 'sha1'),
    device: {
      hostname: fieldOf(information, 'hostname'),
      chassisSerial: fieldOf(information, 'device_chassis_serial_num'),
      platform: fieldOf(information, 'platform'),
    },
    software: {
      product: fieldOf(version, 'product'),
      version: fieldOf(version, 'version'),
      edition: fieldOf(version, 'edition'),
      built: fieldOf(version, 'built'),
    },
    stated,
    ...bounded,
  };
}

/** Whether an empty list is one: without a count, an error in its place or beside it means that nothing was analysed. */
function saysThatThereAreNone(
  root: readonly XmlElement[],
  lists: readonly XmlElement[],
  { hits }: StatedCounts,
): boolean {
  if (lists.length === 0) return false;
  if (hits !== undefined) return true;
  const isEmpty = (part: XmlElement | string) => typeof part === 'string' && part.trim() === '';
  return all(root, 'error').length === 0 && lists.every(({ content }) => content.every(isEmpty));
}

function fieldOf(parents: readonly XmlElement[], name: string): string {
  const text = lineOf(parents, name);
  return text.length > LONGEST_FIELD ? `${text.slice(0, LONGEST_FIELD).toWellFormed()}…` : text;
}

const COUNT = /^\d{1,9}$/;

/** A count that the service states beside its lists; several lists that contradict each other state nothing. */
function statedNumber(lists: readonly XmlElement[], name: string): number | undefined {
  const stated = lists.map(({ attributes }) => attributes[name] ?? '').filter((text) => COUNT.test(text));
  const numbers = new Set(stated.map(Number));
  return numbers.size === 1 ? Number(stated[0]) : undefined;
}

const VERSIONS: Read = { version: 'all' };
/** What is read of a diagnostic, as it is below. */
const READ: Read = {
  output: 'all',
  run_data: { match: 'line', h_importance: 'line' },
  results: {
    ...{ h_name: 'line', h_header: 'line', h_summary: 'all', h_action: 'all', h_cve_ids: 'all' },
    ...{ h_sols: { solution: 'all' }, fixedInVersions: VERSIONS },
  },
  fixedInVersions: VERSIONS,
};

function diagnosticOf(element: XmlElement): Diagnostic {
  const results = all([element], 'results');
  const runData = all([element], 'run_data');
  const secondName = lineOf(results, 'h_name');
  const name = plainLine(element.attributes.name ?? '') || secondName || UNNAMED;
  const title = [lineOf(results, 'h_header'), secondName, name].find(isSeen) ?? UNNAMED;
  const [match, importance] = [lineOf(runData, 'match'), lineOf(runData, 'h_importance')];
  const unshown = unreadText(element, READ, [name, secondName, title, match, importance]);
  return {
    name,
    ...(secondName !== '' && secondName !== name && { otherName: secondName }),
    match: matchOf(match),
    importance,
    title,
    summary: linesOf(results, 'h_summary'),
    action: linesOf(results, 'h_action'),
    output: outputOf(element),
    solutions: solutionsOnce(all(all(results, 'h_sols'), 'solution').flatMap(solutionOf)),
    cveIds: cveIdsOf(results, title),
    fixedIn: fixedInOf([...results, element]),
    ...(unshown !== '' && { unshown }),
  };
}

const YES = /^(?:true|t|yes|y|on|1)$/i;
const NO = /^(?:false|f|no|n|off|0)$/i;

/** Decides by each diagnostic's `match`, whatever set was asked for: some services ignore that. */
function matchOf(stated: string): Match {
  if (YES.test(stated)) return 'hit';
  return NO.test(stated) ? 'miss' : 'unstated';
}

/** Each block may build on the one before it (specification, 2.3): "None" is a finding, unless nothing else is there. */
function outputOf(element: XmlElement): string[] {
  const blocks = all([element], 'output').map((block) => textOf(block, 'block'));
  return blocks.every((block) => block === '' || isNoValue(block))
    ? []
    : blocks.filter((block) => block !== '');
}

/** Decodes XML entities only: as HTML, the `&copy=1` of an address would become a sign. */
function solutionOf(element: XmlElement): Solution[] {
  const url = plainAddress(rawText(element));
  const id = plainLine(element.attributes.id ?? '');
  if (url === '' && id === '') return [];
  return [id === '' ? { url } : { url, id }];
}

/** Behind the comma of `CVE-2026-10018, 19` stands no id of its own. */
const BETWEEN_IDS = /[,;\n](?!\s?-?\d{1,3}(?!\d))/;
/** What stands in the place of an id where there is none, such as "Pending", has no number. */
const NUMBERS = /\d+/g;

/**
 * A list named like its items: `h_cve_ids` holds `h_cve_ids`, or others; a flat one holds the text itself. Documents of the
 * specification have no such field: there the title says it. Summaries and actions cite CVEs of other issues.
 */
function cveIdsOf(results: readonly XmlElement[], title: string): string[] {
  const lists = all(results, 'h_cve_ids');
  const stated = lists.flatMap(({ content }) => {
    const items = content.filter((part) => typeof part !== 'string');
    const own = { content: content.filter((part) => typeof part === 'string') };
    return [own, ...items].map((item) => textOf(item, 'lines')).filter((text) => text !== '');
  });
  const found = [...new Set(stated.flatMap(statedIds))];
  return found.length > 0 ? found : cveIdsIn(title);
}

/** As nearly every text of that list is: one id, as it is shown. */
const ONE_ID = /^CVE-\d{4}-(?:\d{4}|[1-9]\d{4,18})$/;

/** The ids in a text of that list, and, as it stands, whatever else there has a number that is none of theirs. */
function statedIds(text: string): string[] {
  if (ONE_ID.test(text)) return [text];
  const ids = cveIdsIn(text);
  const known = new Set(ids.flatMap((id) => id.match(NUMBERS) ?? []));
  const isOther = (part: string) => (part.match(NUMBERS) ?? []).some((number) => !known.has(number));
  return [...ids, ...text.split(BETWEEN_IDS).map(plainLine).filter(isOther)];
}

function fixedInOf(elements: readonly XmlElement[]): string[] {
  const versions = all(all(elements, 'fixedInVersions'), 'version').map(versionText);
  return [...new Set(versions.filter((version) => version !== ''))];
}

const VERSION_PARTS = ['major', 'minor', 'maintenance', 'point', 'fix'];

/** `17.1.3.4`, or `11.6.1 HF2`: a `fix` without a `point` is a hotfix. An empty part in the middle is a `?`. */
function versionText(version: XmlElement): string {
  const texts = new Map<string, string>();
  for (const part of version.content) {
    if (typeof part !== 'string' && !texts.get(part.name)) texts.set(part.name, textOf(part, 'line'));
  }
  if (!VERSION_PARTS.some((name) => texts.has(name))) return textOf(version, 'line');
  const [fix = '', point = '', ...base] = VERSION_PARTS.map((name) => texts.get(name) ?? '').toReversed();
  const isHotfix = fix !== '' && point === '';
  const numbers = [...base.toReversed(), ...(isHotfix ? [] : [point, fix])];
  const end = isHotfix ? numbers.length : numbers.findLastIndex((part) => part !== '') + 1;
  const release = numbers.slice(0, end).map((part) => part || '?');
  return release.join('.') + (isHotfix ? ` ${fix.replace(/^(?=\d)/, 'HF')}` : '');
}

/** The texts in an element and in its elements, in which nothing is markup. */
function rawText({ content }: XmlElement): string {
  return content.map((part) => (typeof part === 'string' ? part : rawText(part))).join('');
}
