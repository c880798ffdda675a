import { expect, test } from 'vitest';
import { RESULT_VERSION } from '../../../src/core/diagnostics.ts';
import { NAMESPACES } from '../../../src/core/store.ts';

/**
 * What this release writes. A version that goes up here leaves what was stored before unread, or takes it over with an
 * upgrade: whoever changes a line has decided which.
 */
test('The names and versions of what is stored change on purpose only', () => {
  const versions = Object.fromEntries(
    Object.entries(NAMESPACES).map(([name, { version }]) => [name, version]),
  );
  expect(versions).toEqual({
    accepted: 1,
    answers: RESULT_VERSION,
    cancelled: 1,
    'device-reads': 1,
    follows: 1,
    'hand-overs': 1,
    owners: 1,
    processing: 2,
    recents: 1,
    service: 1,
    subscriptions: 1,
    'waiting-messages': 1,
    'waiting-for-newer': 1,
  });
  const namesWith = (mark: 'isKept' | 'mayLose') =>
    Object.entries(NAMESPACES).flatMap(([name, spec]) => (mark in spec ? name : []));
  expect(namesWith('isKept')).toEqual(['accepted', 'follows', 'waiting-for-newer']);
  expect(namesWith('mayLose')).toEqual(['device-reads']);
  for (const { version, upgrades } of Object.values(NAMESPACES)) {
    for (const from of Object.keys(upgrades)) expect(Number(from)).toBeLessThan(version);
  }
});
