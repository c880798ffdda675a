import { asHit, asMiss, catalogue } from '../catalogue/checks.ts';
import type { Importance } from '../catalogue/problem.ts';
import type { DocumentDiagnostic, DocumentSystem, DocumentVersion, SnapshotDocument } from '../document.ts';

function device(chassisSerialNumber: string, name: string): DocumentSystem {
  return { chassisSerialNumber, hostname: `${name}.example.com`, platform: 'C117' };
}

const EDGE = device('chs600777s', 'edge-7');
/** The upgrade has a device of its own, so that no device has a newer snapshot with an older release. */
const UPGRADED = device('chs601010s', 'edge-10');
const BEFORE: DocumentVersion = { version: '17.1.1', product: 'Product', built: '231018', edition: 'Final' };
const NOW: DocumentVersion = {
  version: '17.1.3',
  product: 'Product',
  built: '240216',
  edition: 'Point Release 3',
};
/** The appliance after 17.1.3.4 was installed. */
const AFTER: DocumentVersion = { ...NOW, built: '240507', edition: 'Point Release 4' };
const ALL_CHECKS = 247;
const CHECKS_BEFORE = 240;
const KEPT = 10;

type Quota = Record<Importance, number>;

/** 37 hits in 247 checks: 2 critical, 11 high, 16 medium, 8 low. Two of them have the same title. */
export function realisticDocument(): SnapshotDocument {
  const checks = catalogue(ALL_CHECKS);
  const hits = chooseHits(checks, { CRITICAL: 2, HIGH: 11, MEDIUM: 16, LOW: 8 });
  return snapshot('8d3f0b5c1a7e49206fd2c4b89e15a3707c6e21f4', NOW, withTwins(withHits(checks, hits), hits));
}

/** 180 checks, all passed. */
export function cleanDocument(): SnapshotDocument {
  const diagnostics = withHits(catalogue(180), new Set());
  return snapshot(
    '0c2f4a6b8d1e3f507192a4b6c8d0e2f415263748',
    NOW,
    diagnostics,
    device('chs600402s', 'edge-2'),
  );
}

/** 2,000 hits. */
export function largeDocument(): SnapshotDocument {
  const system = device('chs600909s', 'edge-9');
  return snapshot('b7e1d3c5a9f8074623512f4e6d8c0ab19c7e5d3f', NOW, catalogue(2_000).map(asHit), system);
}

/** The appliance before an upgrade: 30 hits in 240 checks. */
export function documentBeforeUpgrade(): SnapshotDocument {
  const checks = catalogue(CHECKS_BEFORE);
  const diagnostics = withHits(checks, hitsBefore(checks));
  return snapshot('e5d3c1b9a7f0864231e2d4c6b8a09f7e5d3c1b2a', BEFORE, diagnostics, UPGRADED);
}

/** The same appliance after the upgrade: 10 hits remain (two with another level), 20 are cleared, 3 are new. */
export function documentAfterUpgrade(): SnapshotDocument {
  const checks = catalogue(ALL_CHECKS);
  const before = hitsBefore(checks.slice(0, CHECKS_BEFORE));
  // Hits that the new version fixes are cleared, and some of the other hits, too.
  const kept = checks
    .filter(({ name = '', fixedInVersions }) => before.has(name) && !fixedInVersions)
    .slice(0, KEPT)
    .map(({ name = '' }) => name);
  const fresh = checks
    .filter(({ name = '', importance }) => !before.has(name) && importance === 'MEDIUM')
    .slice(-3);
  const hits = new Set([...kept, ...fresh.map(({ name = '' }) => name)]);
  const keptInOrder = checks.filter(({ name = '' }) => kept.includes(name));
  const milder = keptInOrder.find(({ importance }) => importance === 'HIGH')?.name;
  const graver = keptInOrder.find(({ importance }) => importance === 'LOW')?.name;
  const diagnostics = withHits(checks, hits).map((diagnostic) => {
    if (diagnostic.name === milder) return { ...diagnostic, importance: 'MEDIUM' };
    return diagnostic.name === graver ? { ...diagnostic, importance: 'HIGH' } : diagnostic;
  });
  return snapshot('1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d', AFTER, diagnostics, UPGRADED);
}

/** The releases that fix hits: two of the running branch, and the first of the next branch. */
const RELEASES = ['17.1.4', '17.1.3.4', '17.5.0'];

/**
 * The 37 hits of the realistic snapshot. Software defects are fixed in two releases of the branch, in the next branch
 * or in none; no release repairs a fan.
 */
export function documentWithUpgrades(): SnapshotDocument {
  const document = realisticDocument();
  let software = 0;
  const diagnostics = (document.diagnostics ?? []).map((diagnostic): DocumentDiagnostic => {
    const { match, importance, cveIds, action = '' } = diagnostic;
    const isSoftware = cveIds !== undefined || diagnostic.fixedInVersions !== undefined;
    if (match !== true || !isSoftware) return { ...diagnostic, fixedInVersions: undefined };
    const release = RELEASES[importance === 'CRITICAL' ? 0 : software++ % (RELEASES.length + 1)];
    if (release === undefined) return { ...diagnostic, fixedInVersions: undefined };
    const [major = '', minor = '', maintenance = '', point = ''] = release.split('.');
    const fixedInVersions = [{ major, minor, maintenance, point, fix: '' }];
    return { ...diagnostic, fixedInVersions, action: action.replace('17.1.3.4', release) };
  });
  return { ...document, diagnostics, system: device('chs600913s', 'edge-13') };
}

/** The hits of the units of a cluster. The second unit has all hits of the first, and two more. */
const UNITS = {
  'lb-a': { quota: { CRITICAL: 1, HIGH: 9, MEDIUM: 14, LOW: 7 }, version: NOW, checks: ALL_CHECKS },
  'lb-b': { quota: { CRITICAL: 2, HIGH: 10, MEDIUM: 14, LOW: 7 }, version: NOW, checks: ALL_CHECKS },
  'lb-c': { quota: { CRITICAL: 1, HIGH: 9, MEDIUM: 12, LOW: 5 }, version: BEFORE, checks: CHECKS_BEFORE },
  'lb-d': { quota: { CRITICAL: 1, HIGH: 9, MEDIUM: 14, LOW: 6 }, version: NOW, checks: ALL_CHECKS },
} as const;

/** One unit of a pair or a cluster. */
export function unitDocument(name: keyof typeof UNITS): SnapshotDocument {
  const { quota, version, checks: size } = UNITS[name];
  const checks = catalogue(size);
  const diagnostics = withHits(checks, chooseHits(checks, quota));
  return snapshot(
    '5f1d2e3c4b5a69788796a5b4c3d2e1f00f1e2d3c',
    version,
    diagnostics,
    device(`chs600-${name}`, name),
  );
}

/** One diagnostic with one output and one solution, which a careless parser reads as single values instead of lists. */
export function singleDocument(): SnapshotDocument {
  const diagnostic: DocumentDiagnostic = {
    name: 'H770025-1',
    outputs: ['/Common/pool_checkout has a single member: app-01:443'],
    importance: 'MEDIUM',
    match: true,
    header: 'A server pool has a single member and no reserve',
    summary:
      'When the only member of a pool is down, all of its traffic is refused. Add a second member or a fallback host.',
    action: 'Add a second member to the pool, or configure a host that answers when the pool is down.',
    h_name: 'H770025-1',
    solutions: [{ url: 'https://support.acme.example/s/article/K000162521', id: 'K000162521' }],
    cveIds: ['CVE-2026-10001'],
    fixedInVersions: [{ major: '17', minor: '1', maintenance: '4', point: '', fix: '' }],
  };
  return snapshot('d41d8cd98f00b204e9800998ecf8427e', NOW, [diagnostic]);
}

function snapshot(
  sha1: string,
  version: DocumentVersion,
  diagnostics: DocumentDiagnostic[],
  system = EDGE,
): SnapshotDocument {
  return { diagnostics, sha1, system, version };
}

function hitsBefore(checks: DocumentDiagnostic[]): Set<string> {
  return chooseHits(checks, { CRITICAL: 1, HIGH: 9, MEDIUM: 13, LOW: 7 });
}

function chooseHits(checks: DocumentDiagnostic[], quota: Quota): Set<string> {
  const chosen = Object.entries(quota).flatMap(([importance, count]) =>
    checks.filter((check) => check.importance === importance).slice(0, count),
  );
  return new Set(chosen.map(({ name = '' }) => name));
}

// Real documents are not sorted by level.
function withHits(checks: DocumentDiagnostic[], hits: Set<string>): DocumentDiagnostic[] {
  return checks
    .map((check) => (hits.has(check.name ?? '') ? asHit(check) : asMiss(check)))
    .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

function withTwins(diagnostics: DocumentDiagnostic[], hits: Set<string>): DocumentDiagnostic[] {
  const alike = diagnostics.filter(
    ({ name = '', importance, cveIds }) => hits.has(name) && importance === 'LOW' && !cveIds,
  );
  const [original, , twin] = alike;
  return diagnostics.map((diagnostic) =>
    diagnostic === twin
      ? { ...twin, header: original?.header, summary: original?.summary, outputs: [] }
      : diagnostic,
  );
}
