import type {
  Device,
  Diagnostic,
  DiagnosticsResult,
  Software,
  Solution,
  StatedCounts,
} from '../core/diagnostics.ts';
import type { DiagnosticSet } from '../core/snapshot-id.ts';
import { plainBlock, plainLine } from './text.ts';
import { parseXml, type XmlElement } from './xml.ts';

const ROOT = 'diagnostic_output';
/** A diagnostic without a name is still one that the user has to see. */
const UNNAMED = 'unnamed';

/**
 * Reads a diagnostics document (specification, 2.3, with the optional parts that the service is known to add).
 * `asked` decides about a diagnostic only where its own `match` says nothing. Throws `NotADocument`.
 */
export function readDocument(xml: string, asked: DiagnosticSet): DiagnosticsResult {
  const root = parseXml(xml, ROOT);
  const diagnostics = child(root, 'diagnostics');
  return {
    sha1: line(root, 'sha1'),
    device: deviceOf(child(root, 'system_information')),
    software: softwareOf(child(root, 'version')),
    stated: statedCounts(diagnostics),
    diagnostics: all(diagnostics, 'diagnostic').map((element) => diagnosticOf(element, asked)),
  };
}

function deviceOf(information: XmlElement | undefined): Device {
  return {
    hostname: line(information, 'hostname'),
    chassisSerial: line(information, 'device_chassis_serial_num'),
    platform: line(information, 'platform'),
  };
}

function softwareOf(version: XmlElement | undefined): Software {
  return {
    product: line(version, 'product'),
    version: line(version, 'version'),
    edition: line(version, 'edition'),
    built: line(version, 'built'),
  };
}

const COUNT = /^\d{1,9}$/;

/** The counts that the service states beside a filtered list; a cross-check, never a loop bound. */
function statedCounts(diagnostics: XmlElement | undefined): StatedCounts {
  const hits = diagnostics?.attributes.hit_count ?? '';
  const misses = diagnostics?.attributes.miss_count ?? '';
  return {
    ...(COUNT.test(hits) ? { hits: Number(hits) } : {}),
    ...(COUNT.test(misses) ? { misses: Number(misses) } : {}),
  };
}

function diagnosticOf(element: XmlElement, asked: DiagnosticSet): Diagnostic {
  const results = child(element, 'results');
  const runData = child(element, 'run_data');
  const name = plainLine(element.attributes.name ?? '') || line(results, 'h_name') || UNNAMED;
  const title = line(results, 'h_header') || line(results, 'h_name') || name;
  return {
    name,
    isHit: isHit(line(runData, 'match'), asked),
    importance: line(runData, 'h_importance'),
    title,
    summary: line(results, 'h_summary'),
    action: line(results, 'h_action'),
    output: all(element, 'output')
      .map(blockOf)
      .filter((block) => block !== ''),
    solutions: all(results, 'h_sols').flatMap((list) => all(list, 'solution').flatMap(solutionOf)),
    cveIds: [...new Set(cveIds(results))],
    fixedIn: [results, element].flatMap(fixedIn),
  };
}

const YES = /^(?:true|yes|1)$/i;
const NO = /^(?:false|no|0)$/i;

/** The `match` of each diagnostic decides, not the filter that was asked for. What can't be read is not hidden. */
function isHit(match: string, asked: DiagnosticSet): boolean {
  if (YES.test(match)) return true;
  if (NO.test(match)) return false;
  return asked !== 'miss';
}

function blockOf(element: XmlElement): string {
  return plainBlock(element.text);
}

function solutionOf(element: XmlElement): Solution[] {
  const url = plainLine(element.text);
  const id = plainLine(element.attributes.id ?? '');
  if (url === '' && id === '') return [];
  return [id === '' ? { url } : { url, id }];
}

/** A list named like its items: `h_cve_ids` holds `h_cve_ids`; a flat one holds the text itself. */
function cveIds(results: XmlElement | undefined): string[] {
  return all(results, 'h_cve_ids').flatMap((list) => {
    const nested = all(list, 'h_cve_ids').map((item) => plainLine(item.text));
    const own = plainLine(list.text);
    return [own, ...nested].filter((id) => id !== '');
  });
}

const VERSION_PARTS = ['major', 'minor', 'maintenance', 'point', 'fix'];

function fixedIn(parent: XmlElement | undefined): string[] {
  return all(child(parent, 'fixedInVersions'), 'version')
    .map((version) => {
      const parts = VERSION_PARTS.map((part) => line(version, part)).filter((part) => part !== '');
      return parts.length > 0 ? parts.join('.') : plainLine(version.text);
    })
    .filter((version) => version !== '');
}

function all(parent: XmlElement | undefined, name: string): readonly XmlElement[] {
  return parent?.children[name] ?? [];
}

function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return all(parent, name)[0];
}

function line(parent: XmlElement | undefined, name: string): string {
  return plainLine(child(parent, name)?.text ?? '');
}
