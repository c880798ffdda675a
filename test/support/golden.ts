import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

// biome-ignore lint/style/noProcessEnv: tests have no other configuration to accept a wanted change.
const UPDATES = process.env.UPDATE_GOLDEN === '1';
const FOLDER = join(import.meta.dirname, '..', 'golden');

/** Compares a value with the file of this name. `UPDATE_GOLDEN=1` writes the file instead. */
export function expectGolden(name: string, value: unknown): void {
  const path = join(FOLDER, `${name}.json`);
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  if (UPDATES) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}
