import { expect, test } from 'vitest';
import { ConfigProblems } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/settings.ts';
import type { openStorage } from '../../src/storage/storage.ts';
import { FAULT_KINDS } from '../support/every-fault.ts';
import { configOf, OTHER_VALUES } from '../support/other-settings.ts';
import { usedNames } from './source-names.ts';

/** The names of all properties of a value, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

test.each(VARIABLES)('%s changes the configuration', (name) => {
  const changed = { [name]: OTHER_VALUES[name] };
  expect(configOf(changed)).not.toEqual(configOf());
});

const used = usedNames(['config/config.ts', 'config/settings.ts', 'core/faults.ts']);

test('Every value of the configuration is read somewhere', () => {
  const held = new Set([configOf(), configOf(OTHER_VALUES)].flatMap(namesIn));
  expect(held).toContain('waitLimitMs');
  expect([...held].filter((name) => !used.read.has(name))).toEqual([]);
});

/** The settings that choose each backend. */
const CHOOSING = {
  sqlite: {},
  redis: { REDIS_URL: 'redis://localhost' },
} satisfies Record<Parameters<typeof openStorage>[0]['kind'], Readonly<Record<string, string>>>;

test.each(Object.entries(CHOOSING))('A configuration chooses the backend %s', (kind, settings) => {
  expect(configOf(settings).storage.kind).toBe(kind);
});

/** Each setting with a format refuses at least one of these values. */
const WRONG_VALUES = ['-5 ,x', 'xoxp-1'];
/** Settings that accept any text. */
const FREE_TEXT = [
  ...['SLACK_SIGNING_SECRET', 'DIAGNOSTICS_USER_ID', 'DIAGNOSTICS_USER_SECRET'],
  ...['DATA_DIR', 'AUDIT_FILE', 'KEV_FILE', 'CONTACT', 'NO_PROXY'],
];

function isRefused(changes: Readonly<Record<string, string>>): boolean {
  try {
    configOf(changes);
    return false;
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    return true;
  }
}

test('Every setting but free text is validated', () => {
  const taken = VARIABLES.filter((name) => WRONG_VALUES.every((value) => !isRefused({ [name]: value })));
  expect(taken.sort()).toEqual(FREE_TEXT.sort());
});

test('Every fault that a user can be told is thrown somewhere', () => {
  expect(Object.keys(FAULT_KINDS).filter((code) => !used.faults.has(code))).toEqual([]);
});
