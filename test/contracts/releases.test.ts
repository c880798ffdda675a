import { expect, test } from 'vitest';
import { compareReleases, numbersOf, releaseOf, upgradeOf } from '../../src/core/releases.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';

/**
 * Hits of a device that runs a release such as `17.1.3` or `17.1.3, HF2`. In `fixes`, `; ` separates hits, `, `
 * separates the releases that fix a hit, and `!` marks a critical hit.
 */
function found(running: string, fixes: string) {
  const hits = fixes.split('; ').map((text, at) =>
    aDiagnostic({
      name: `D${at}`,
      importance: text.startsWith('!') ? 'CRITICAL' : 'LOW',
      fixedIn: text.replace('!', '').split(', ').filter(Boolean),
    }),
  );
  const [version = '', edition = 'Final'] = running.split(', ');
  const result = aResult(hits, version);
  return upgradeOf({ ...result, software: { ...result.software, edition } });
}

const fourteen = (branch: string) => Array.from({ length: 14 }, (_, at) => `${branch}.${at + 1}`).join('; ');

test.each([
  ['the nearest of its own branch', '17.1.3', '17.1.4; 17.1.3.4', '17.1.3.4 fixes 1'],
  ['its own branch before the next', '17.1.3', '!17.5.0; 17.1.4', '17.1.4 fixes 1'],
  ['the next branch, of several', '17.1.3', '21.0.0; 17.5.0', '17.5.0 fixes 1'],
  ['no earlier branch', '17.1.3', '16.1.6, 17.5.0; 17.1.3.4', '17.1.3.4 fixes 1'],
  ['one version once, however it is written', '17.1.3', '17.1.4; 17.1.4.0;  17.1.4 ', '17.1.4 fixes 3'],
  ['nothing that it has already', '17.1.3', '17.1.3; 17.1.2; 17.1.4', '17.1.4 fixes 1'],
  ['nothing that can’t be read', '17.1.3', 'soon; 17.1.?.4; 17.1.4', '17.1.4 fixes 1'],
  [
    'nothing of its own release',
    '17.1.3, Point Release 3',
    '17.1.3.2; 17.1.3.3; 17.1.3.4',
    '17.1.3.4 fixes 1',
  ],
  ['what follows a base of no edition', '17.1.3, ', '17.1.3; 17.1.3.2', '17.1.3.2 fixes 1'],
  ['releases behind its own, without an edition', '17.1.3.2, ', '17.1.3.2; 17.1.3.4', '17.1.3.4 fixes 1'],
  ['no older hotfix', '12.1.2, HF2', '12.1.2 HF1; 12.1.2 HF2; 12.1.2 HF3; 12.1.3', '12.1.2 HF3 fixes 1'],
  ['the nearest that fixes every critical hit', '17.1.0', '!17.1.5; !17.1.4; 17.1.6', '17.1.5 fixes 2'],
  ['the nearest, in any order of fixes', '17.1.0', '!17.1.6, 17.1.4; 17.1.5', '17.1.4 fixes 1'],
  ['what is fixed after its own release', '17.1.0', '!17.1.0, 17.1.5; 17.1.4', '17.1.5 fixes 2'],
  ['of the next branch what fixes them', '17.1.0', '!17.5.1; 17.5.0; 17.5.2', '17.5.1 fixes 2'],
  ['one far away that fixes them', '17.1.0', `!17.1.13; ${fourteen('17.1')}`, '17.1.13 fixes 14'],
  ['its branch, whatever another one fixes', '17.1.0', '!17.5.0; !17.1.5; 17.1.4', '17.1.5 fixes 2'],
  ['nothing without a fix', '17.1.3', '; 16.1.6; 17.1.3', undefined],
  ['nothing of what can’t be ordered', '17.1.3, Engineering Hotfix 2', '17.1.4', undefined],
  ['nothing without a version', 'latest', '17.1.4', undefined],
])('A device is offered %s', (_what, running, fixes, expected) => {
  const upgrade = found(running, fixes);
  expect(upgrade && `${upgrade.version} fixes ${upgrade.fixed.length}`).toBe(expected);
});

test('An upgrade counts only the hits that it fixes, the most important first', () => {
  const hits = [
    aDiagnostic({ name: 'D1', importance: 'LOW', fixedIn: ['17.1.4'] }),
    aDiagnostic({ name: 'D2', importance: 'CRITICAL', fixedIn: ['17.1.4'] }),
    aDiagnostic({ name: 'D3' }),
    aDiagnostic({ name: 'D4', match: 'miss', fixedIn: ['17.1.4'] }),
  ];
  expect(upgradeOf(aResult(hits))?.fixed.map(({ name }) => name)).toEqual(['D2', 'D1']);
  expect(upgradeOf(aResult([]))).toBeUndefined();
});

test('A document that names thousands of releases is read at once', () => {
  const hits = Array.from({ length: 5_000 }, (_, at) =>
    aDiagnostic({ importance: 'CRITICAL', fixedIn: [`17.1.3.${at + 1}`] }),
  );
  const before = process.threadCpuUsage();
  expect(upgradeOf(aResult(hits, '17.1.2'))?.fixed).toHaveLength(5_000);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
});

test.each([
  ['17.1.3', '<', '17.1.10'],
  ['9.4.8', '<', '17.1.0'],
  ['17.1.3.4', '<', '17.1.4'],
  ['17.1', '=', ' 17.1.0 '],
  ['12.1.2', '<', '12.1.2 HF1'],
  ['12.1.2 HF2', '<', '12.1.2 hf10'],
  ['12.1.2 HF2', '<', '12.1.3'],
])('Release %s %s release %s', (one, sign, other) => {
  const [first = [], second = []] = [numbersOf(one), numbersOf(other)];
  const order = sign === '<' ? -1 : 0;
  expect(Math.sign(compareReleases(first, second))).toBe(order);
  expect(Math.sign(compareReleases(second, first)) + 0).toBe(-order + 0);
});

test.each([
  ...['', '17', '17.x', '17.1.', '.1', '17.1.3-0.0.11', '17,1', 'None', '1.2.3.4.5.6.7', '1.1e3'],
  ...['17.1.?.4', '11.6.? HF2', '11.6.1 2', '11.6.1 HF', '17.1.3 ENG'],
])('“%s” is no release', (text) => {
  expect(numbersOf(text)).toBeUndefined();
});

test.each([
  ['17.1.3', '', '17.1.3'],
  ['17.1.3', ' Final ', '17.1.3'],
  ['17.1.3', 'Point Release 3', '17.1.3.3'],
  ['17.1.3.3', 'point release 3', '17.1.3.3'],
  ['12.1.2', 'Hotfix HF2', '12.1.2 HF2'],
  ['12.1.2 HF2', '', '12.1.2 HF2'],
  ['17.1.3', 'Engineering Hotfix', undefined],
  ['17.1.3', 'Point Release 3 Engineering Hotfix 2', undefined],
  ['17.1.3', 'Hotfix-17.1.3.0.5.11-ENG', undefined],
  ['17.1.3', 'Point Release', undefined],
  ['latest', '', undefined],
  ['', 'Final', undefined],
])('A device of version %s with the edition “%s” runs %s', (version, edition, running) => {
  expect(releaseOf({ version, edition })).toBe(running);
});
