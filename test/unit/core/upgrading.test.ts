import { expect, test } from 'vitest';
import { upgradesOf } from '../../../src/core/upgrading.ts';
import { versionOf } from '../../../src/core/versions.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { fc } from '../../support/fast-check.ts';

/** What upgrades are found for a device that runs `version`, whose edition, if it is not final, stands behind a comma. */
function found(running: string, ...fixedIn: string[][]) {
  const hits = fixedIn.map((versions, index) => aDiagnostic({ name: `D${index}`, fixedIn: versions }));
  const [version = '', edition = 'Final'] = running.split(', ');
  const result = aResult(hits, version);
  return upgradesOf({ ...result, software: { ...result.software, edition } });
}

/** The same in words: `17.1.3.4 own 2+1` fixes two of three. */
function upgrades(running: string, ...fixedIn: string[][]): string[] | undefined {
  return found(running, ...fixedIn)?.upgrades.map(
    ({ version: to, branch, fixed, remaining }) => `${to} ${branch} ${fixed.length}+${remaining.length}`,
  );
}

test.each([
  ['the nearest of its own branch', '17.1.3', '17.1.3.4', '17.1.3.4 own 1+0'],
  ['each of it, with what the earlier fix', '17.1.3', '17.1.4; 17.1.3.4', '17.1.3.4 own 1+1; 17.1.4 own 2+0'],
  ['the next branch after it', '17.1.3', '17.5.0; 17.1.3.4', '17.1.3.4 own 1+1; 17.5.0 next 1+1'],
  ['the next branch only, of several', '17.1.3', '21.0.0; 17.5.0', '17.5.0 next 1+1'],
  ['no other branch', '17.1.3', '16.1.6, 17.5.0; 17.1.3.4', '17.1.3.4 own 1+1; 17.5.0 next 1+1'],
  ['a hit that both branches fix, in both', '17.1.3', '17.5.0, 17.1.4', '17.1.4 own 1+0; 17.5.0 next 1+0'],
  ['one version once, however it is written', '17.1.3', '17.1.4; 17.1.4.0;  17.1.4 ', '17.1.4 own 3+0'],
  ['nothing that it has already', '17.1.3', '17.1.3; 17.1.2; 17.1.4', '17.1.4 own 1+2'],
  ['nothing of what it can’t read', '17.1.3', 'soon; 17.1.4', '17.1.4 own 1+1'],
  ['nothing of its own one', '17.1.3, Point Release 3', '17.1.3.2; 17.1.3.3; 17.1.3.4', '17.1.3.4 own 1+2'],
  ['nothing of a base of no edition', '17.1.3, ', '17.1.3; 17.1.3.2; 17.1.3 HF2; 17.1.4', '17.1.4 own 1+3'],
  ['releases behind its own, without an edition', '17.1.3.2, ', '17.1.3.2; 17.1.3.4', '17.1.3.4 own 1+1'],
  [
    'no older one',
    '12.1.2, HF2',
    '12.1.2 HF1; 12.1.2 HF2; 12.1.2 HF3; 12.1.3',
    '12.1.2 HF3 own 1+3; 12.1.3 own 2+2',
  ],
  ['no point release for a hotfix', '11.6.1, Hotfix HF2', '11.6.1.2; 11.6.1.9; 11.6.2', '11.6.2 own 1+2'],
  ['both, apart', '11.6.1', '11.6.1.2; 11.6.1 HF2', '11.6.1 HF2 own 1+1; 11.6.1.2 own 1+1'],
])('A device hears of %s', (_what, version, fixes, expected) => {
  const fixedIn = fixes.split('; ').map((hit) => hit.split(', '));
  expect(upgrades(version, ...fixedIn)?.join('; ')).toBe(expected);
});

test.each([
  ['17.1.3, Engineering Hotfix 2', [['17.1.4'], ['16.1.6', '17.1.4 ']], ['17.1.4', '16.1.6']],
  ['', [['17.1.4']], ['17.1.4']],
  ['latest', [['17.1.4']], ['17.1.4']],
  ['17.1.3', [['17.1.?.4'], ['soon'], ['17.1.2']], ['17.1.?.4', 'soon']],
  ['11.6.1, HF2', [['11.6.1.2']], ['11.6.1.2']],
  ['17.1.3, ', [['17.1.3.2'], ['17.1.3'], ['17.1.2']], ['17.1.3.2', '17.1.3']],
])('On %s no upgrade is found among what can’t be ordered, which is said', (running, fixedIn, unordered) => {
  expect(found(running, ...fixedIn)).toMatchObject({ upgrades: [], unordered });
});

test('Without a version that is later, or may be, that fixes something, there are no upgrades', () => {
  expect(upgrades('17.1.3', [])).toBeUndefined();
  expect(upgrades('17.1.3', ['16.1.6'], ['17.1.3'])).toBeUndefined();
  expect(upgradesOf(aResult([]))).toBeUndefined();
});

test('Of a branch with many fixed versions the nearest are offered, the one that fixes all, and how many are left out', () => {
  const many = (size: number) => Array.from({ length: size }, (_, index) => [`17.1.3.${size - index}`]);
  const eight = found('17.1.3', ...many(8));
  expect(eight?.upgrades.map(({ version }) => version)).toEqual(many(8).flat().reverse());
  expect(eight?.leftOut).toBe(0);
  const some = found(
    '17.1.3',
    ...many(50),
    ...many(30).map(([version = '']) => [version.replace('1.3', '5.0')]),
  );
  const own = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((at) => `17.1.3.${at}`);
  const next = [1, 2, 3, 4, 5, 6, 7, 8, 9, 30].map((at) => `17.5.0.${at}`);
  expect(some?.upgrades.map(({ version }) => version)).toEqual([...own, ...next]);
  expect(some?.leftOut).toBe(60);
});

test('Of hotfixes and point releases of one base, which have no order, those that fix most are offered', () => {
  const points = Array.from({ length: 12 }, (_, at) => [`11.6.1.${at + 1}`]);
  const hotfixes = Array.from({ length: 14 }, (_, at) => [`11.6.1 HF${at + 1}`]);
  const versions = upgrades('11.6.1', ...points, ...hotfixes);
  expect(versions).toHaveLength(10);
  expect(versions).toEqual(expect.arrayContaining(['11.6.1 HF14 own 14+12', '11.6.1.12 own 12+14']));
});

const fourteen = (branch: string) => Array.from({ length: 14 }, (_, at) => [`${branch}.${at + 1}`]);

test.each<[what: string, fixedIn: string[][], recommended: string]>([
  ['the nearest, where no release fixes a critical hit', [[], ['17.1.5'], ['17.1.4']], '17.1.4'],
  ['the nearest that fixes all of them', [['17.1.5'], ['17.1.4'], ['17.1.6']], '17.1.5'],
  ['the nearest, in whichever order a hit names its fixes', [['17.1.6', '17.1.4'], ['17.1.5']], '17.1.4'],
  ['by what is fixed after the release that runs', [['17.1.0', '17.1.5'], ['17.1.4']], '17.1.5'],
  ['of the own branch, even if the next one has a fix', [['17.5.0'], ['17.1.4']], '17.1.4'],
  ['of the next branch, where the own one has none', [['17.5.1'], ['17.5.0'], ['17.5.2']], '17.5.1'],
  ['one beyond the nearest ten', [['17.1.13'], ...fourteen('17.1')], '17.1.13'],
  ['one beyond the nearest ten of the next branch', [['17.5.13'], ...fourteen('17.5')], '17.5.13'],
])('Recommended is %s', (_what, fixedIn, recommended) => {
  const hits = fixedIn.map((versions, at) =>
    aDiagnostic({ name: `D${at}`, importance: at === 0 ? 'CRITICAL' : 'LOW', fixedIn: versions }),
  );
  const all = upgradesOf(aResult(hits, '17.1.0'));
  expect(all?.recommended?.version).toBe(recommended);
  expect(all?.upgrades).toContain(all?.recommended);
});

test('What only another branch fixes does not decide which release of a branch is recommended', () => {
  const critical = [['17.5.0'], ['17.1.5']].map((fixedIn) =>
    aDiagnostic({ importance: 'CRITICAL', fixedIn }),
  );
  const hits = [...critical, aDiagnostic({ importance: 'LOW', fixedIn: ['17.1.4'] })];
  expect(upgradesOf(aResult(hits, '17.1.0'))?.recommended?.version).toBe('17.1.5');
});

test('Only hits count, and those that name no fixed version are counted apart', () => {
  const hits = [
    aDiagnostic({ name: 'D1', importance: 'LOW', fixedIn: ['17.1.4'] }),
    aDiagnostic({ name: 'D2', importance: 'CRITICAL', fixedIn: ['17.1.4'] }),
    aDiagnostic({ name: 'D3' }),
    aDiagnostic({ name: 'D4', match: 'miss', fixedIn: ['17.1.4'] }),
  ];
  const all = upgradesOf(aResult(hits));
  expect(all?.hits.map(({ name }) => name)).toEqual(['D2', 'D3', 'D1']);
  expect(all?.upgrades[0]?.fixed.map(({ name }) => name)).toEqual(['D2', 'D1']);
  expect(all?.unnamed.map(({ name }) => name)).toEqual(['D3']);
});

test('Whatever is fixed by an upgrade is fixed by the later ones of that branch, and no hit is lost', () => {
  const version = fc
    .tuple(fc.constantFrom('16.1', '17.1', '17.5'), fc.nat(4))
    .map(([branch, last]) => `${branch}.${last}`);
  const anyHits = fc.array(fc.array(version, { maxLength: 3 }), { maxLength: 10 });
  fc.assert(
    fc.property(anyHits, version, (fixedIn, running) => {
      const hits = fixedIn.map((versions, index) => aDiagnostic({ name: `D${index}`, fixedIn: versions }));
      const all = upgradesOf(aResult(hits, running))?.upgrades ?? [];
      for (const branch of ['own', 'next'] as const) {
        const counts = all.filter((each) => each.branch === branch).map(({ fixed }) => fixed.length);
        expect(counts).toEqual([...counts].sort((one, other) => one - other));
      }
      for (const { fixed, remaining, version: to } of all) {
        expect(fixed.length + remaining.length).toBe(hits.length);
        expect(fixed.length).toBeGreaterThan(0);
        expect(versionOf(to)).toBeDefined();
      }
    }),
  );
});

test('What is recommended fixes every critical hit that any release of the branch fixes, also among hotfixes', () => {
  const version = fc
    .tuple(
      fc.constantFrom('17.1.3', '17.1.3.1', '17.1.3.2', '17.1.4', '17.1.4.1'),
      fc.constantFrom('', ' HF1', ' HF2'),
    )
    .map((parts) => parts.join(''));
  const fewVersions = fc.array(version, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fewVersions, (versions) => {
      const hits = versions.map((fixedIn, index) =>
        aDiagnostic({ name: `D${index}`, importance: 'CRITICAL', fixedIn: [fixedIn] }),
      );
      const all = upgradesOf(aResult(hits, '17.1.2'));
      const whole = all?.upgrades.find(({ remaining }) => remaining.length === 0);
      expect(all?.recommended).toBe(whole ?? all?.upgrades[0]);
    }),
  );
});
