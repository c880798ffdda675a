import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Lets a bot without a configuration start and end once: a bot that a test kills would never write its modules down. */
export function setup(): void {
  if (existsSync(COMPILE_CACHE.NODE_COMPILE_CACHE)) return;
  spawn(process.execPath, [MAIN], { cwd: tmpdir(), env: COMPILE_CACHE, stdio: 'ignore' }).unref();
}
