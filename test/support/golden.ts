import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

// biome-ignore lint/style/noProcessEnv: a test has no configuration; this is how a person says that the change is wanted.
const UPDATES = process.env.UPDATE_GOLDEN === '1';
const FOLDER = join(import.meta.dirname, '..', 'golden');

/** Compares with the file of this name; with `UPDATE_GOLDEN=1` the file is written anew. */
export function expectGolden(name: string, value: unknown): void {
  const path = join(FOLDER, `${name}.json`);
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  if (UPDATES) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}
