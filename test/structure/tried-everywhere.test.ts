import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../support/every-fault.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const STATUS = /^ {4}case (4\d\d):/gm;
/** Other tests cover these: the end of a session, and a pause. */
const OTHERWISE = ['401', '429'];

test('Every status with its own meaning belongs to a fault, and its example is tested', () => {
  const statuses = Array.from(textOf('src/service/client.ts').matchAll(STATUS), ([, status = '']) => status);
  const tried = Object.values<FaultKind>(FAULT_KINDS).map(({ status }) => String(status));
  expect(statuses.length).toBeGreaterThan(4);
  expect(statuses.filter((status) => ![...tried, ...OTHERWISE].includes(status))).toEqual([]);
});
