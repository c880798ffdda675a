import type { DocumentDiagnostic, FixedVersion } from '../document.ts';
import { COMPONENTS, type Component } from './components.ts';
import { CONFIGURATION, SYSTEM } from './configuration.ts';
import { DEFECTS } from './defects.ts';
import { HARDWARE } from './hardware.ts';
import { type Problem, told } from './problem.ts';
import { type Random, seededRandom } from './random.ts';
import { VULNERABILITIES } from './vulnerabilities.ts';

// The action of most real hits, which names only the linked article.
const BOILERPLATE_ACTION = 'For additional information, refer to the linked article.';

const PROBLEMS = [...VULNERABILITIES, ...DEFECTS, ...CONFIGURATION, ...HARDWARE, ...SYSTEM];
const ARTICLE_ROOT = 'https://support.acme.example/s/article/';
const STRIDE = 5;
const FIXED: readonly FixedVersion[] = [
  { major: '17', minor: '1', maintenance: '3', point: '4', fix: '' },
  { major: '16', minor: '1', maintenance: '6', point: '', fix: '' },
  // A hotfix of an old branch.
  { major: '11', minor: '6', maintenance: '1', point: '', fix: '2' },
];

interface Pair {
  problem: Problem;
  component: Component;
}

/** The first `count` checks of the catalogue. If `count` exceeds its size, the checks repeat under new names. */
export function catalogue(count: number): DocumentDiagnostic[] {
  const pairs = variedPairs();
  return Array.from({ length: count }, (_, index) => {
    const pair = pairs[index % pairs.length];
    if (!pair) throw new RangeError('the catalogue is empty');
    return check(pair, index);
  });
}

/** The check as a hit, with its evidence. */
export function asHit(diagnostic: DocumentDiagnostic): DocumentDiagnostic {
  return { ...diagnostic, match: true };
}

/** The check as a passed check, without evidence. */
export function asMiss(diagnostic: DocumentDiagnostic): DocumentDiagnostic {
  return { ...diagnostic, match: false, outputs: [] };
}

// Pairs every problem with other components in each round, so that neighbouring checks differ.
function variedPairs(): Pair[] {
  const suited = PROBLEMS.map((problem) => COMPONENTS.filter(({ kind }) => kind === problem.suits));
  return Array.from({ length: COMPONENTS.length }, (_, round) =>
    PROBLEMS.flatMap((problem, index) => {
      const components = suited[index] ?? [];
      const component = components[(round + index * STRIDE) % components.length];
      return component && round < components.length ? [{ problem, component }] : [];
    }),
  ).flat();
}

function check({ problem, component }: Pair, index: number): DocumentDiagnostic {
  const random = seededRandom(index);
  const name = diagnosticName(index, random);
  const cveIds = Array.from(
    { length: problem.cves ?? 0 },
    (_, nth) => `CVE-2026-${10_000 + index * 4 + nth}`,
  );
  return {
    name,
    outputs: [...(problem.evidence ?? []), ...logged(problem)].map((block) => told(block, component)),
    importance: problem.importance,
    match: false,
    header: told(problem.header, component, cveIds[0]),
    summary: told(problem.summary, component),
    action: problem.action ?? BOILERPLATE_ACTION,
    // Some checks have a second name, which names the group that they belong to.
    h_name: name.replace(/-\d$/, ''),
    solutions: solutions(problem.solutions, random),
    cveIds: cveIds.length > 0 ? cveIds : undefined,
    fixedInVersions: problem.fixed ? FIXED.slice(0, 1 + random.upTo(FIXED.length)) : undefined,
  };
}

/** Evidence of log lines: one block for each line, in the order of time. */
function logged({ log: [line, times] = ['', 0] }: Problem): string[] {
  return Array.from({ length: times }, (_, index) => {
    const minute = String((7 + index * 2) % 60).padStart(2, '0');
    return `Feb 16 03:${minute}:${String((index * 17) % 60).padStart(2, '0')} edge-7 ${line.replace('{n}', String(index + 1))}`;
  });
}

// Real documents have three forms of names, and leading zeros are part of a name.
function diagnosticName(index: number, random: Random): string {
  const serial = index * 37 + random.upTo(37);
  if (index % 9 === 4) return `H${770_000 + serial}-${1 + random.upTo(3)}`;
  return index % 3 === 0
    ? `H${String(40_000 + serial).padStart(8, '0')}`
    : `D${String(100_000 + serial).padStart(9, '0')}`;
}

function solutions(count: number, random: Random): { url: string; id?: string }[] {
  return Array.from({ length: count }, () => {
    const id = `K${String(100_000 + random.upTo(99_000)).padStart(9, '0')}`;
    return random.upTo(2) === 0 ? { url: `${ARTICLE_ROOT}${id}`, id } : { url: `${ARTICLE_ROOT}${id}` };
  });
}
