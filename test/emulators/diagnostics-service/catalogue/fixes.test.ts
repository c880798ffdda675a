import { expect, test } from 'vitest';
import { compareVersions, versionOf } from '../../../../src/core/versions.ts';
import { demoShelf } from '../shelf.ts';

const SAME_BRANCH = /^\d+\.\d+\./;

function version(text: string) {
  return versionOf(text) ?? expect.fail(`${text} is no version`);
}

test('No hit of the demo recommends a release that is older than what it is fixed in', () => {
  const recommended = Object.values(demoShelf()).flatMap(({ document }) => {
    const { diagnostics = [] } = (typeof document === 'function' ? document(0) : document) ?? {};
    return diagnostics.flatMap(({ action = '', fixedInVersions = [] }) => {
      const [, to] = /Upgrade to (?:version )?(\d[\d.]*\d)/.exec(action) ?? [];
      return to === undefined || fixedInVersions.length === 0
        ? []
        : { to, fixedIn: fixedInVersions.map((each) => Object.values(each).filter(Boolean).join('.')) };
    });
  });
  expect(recommended.length).toBeGreaterThan(0);
  const contradicting = recommended.filter(({ to, fixedIn }) => {
    const branch = SAME_BRANCH.exec(to)?.[0] ?? to;
    const own = fixedIn.filter((each) => each.startsWith(branch));
    return !own.some((each) => compareVersions(version(each), version(to)) <= 0);
  });
  expect(contradicting).toEqual([]);
});
