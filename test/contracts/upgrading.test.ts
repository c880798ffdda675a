import { expect, test } from 'vitest';
import { upgradeOf } from '../../src/core/upgrading.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { fc } from '../support/fast-check.ts';

/** Hits of a device that runs `17.1.3`, or `17.1.3, HF2`: `; ` between hits, `, ` between fixed versions, `!` for critical. */
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
  ['nothing of a base of no edition', '17.1.3, ', '17.1.3; 17.1.3.2; 17.1.3 HF2; 17.1.4', '17.1.4 fixes 1'],
  ['releases behind its own, without an edition', '17.1.3.2, ', '17.1.3.2; 17.1.3.4', '17.1.3.4 fixes 1'],
  ['no older hotfix', '12.1.2, HF2', '12.1.2 HF1; 12.1.2 HF2; 12.1.2 HF3; 12.1.3', '12.1.2 HF3 fixes 1'],
  ['no point release for a hotfix', '11.6.1, Hotfix HF2', '11.6.1.2; 11.6.1.9; 11.6.2', '11.6.2 fixes 1'],
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

test('Only hits count, the most important first', () => {
  const hits = [
    aDiagnostic({ name: 'D1', importance: 'LOW', fixedIn: ['17.1.4'] }),
    aDiagnostic({ name: 'D2', importance: 'CRITICAL', fixedIn: ['17.1.4'] }),
    aDiagnostic({ name: 'D3' }),
    aDiagnostic({ name: 'D4', match: 'miss', fixedIn: ['17.1.4'] }),
  ];
  expect(upgradeOf(aResult(hits))?.fixed.map(({ name }) => name)).toEqual(['D2', 'D1']);
  expect(upgradeOf(aResult([]))).toBeUndefined();
});

test('Where one release fixes all critical hits, also among hotfixes, it or a nearer one is offered that does', () => {
  const version = fc
    .tuple(
      fc.constantFrom('17.1.3', '17.1.3.1', '17.1.3.2', '17.1.4', '17.1.4.1'),
      fc.constantFrom('', ' HF1', ' HF2'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 5 }), (versions) => {
      const fixes = (...more: string[]) =>
        found('17.1.2', [...versions, ...more].map((text) => `!${text}`).join('; '))?.fixed.length;
      // A later release of the branch fixes all.
      expect(fixes('17.1.5')).toBe(versions.length + 1);
      expect(fixes()).toBeGreaterThan(0);
    }),
  );
});

test('A document that names thousands of releases is read at once', () => {
  const hits = Array.from({ length: 5_000 }, (_, at) =>
    aDiagnostic({ importance: 'CRITICAL', fixedIn: [`17.1.3.${at + 1}`] }),
  );
  const before = process.threadCpuUsage();
  expect(upgradeOf(aResult(hits, '17.1.2'))?.fixed).toHaveLength(100);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
});
