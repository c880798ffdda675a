import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';

const COMPILE = join(import.meta.dirname, '..', '..', 'src', 'compile.js');

/** Compiles the code once before the tests, because a bot that a test kills never writes its compile cache. */
export async function setup(): Promise<void> {
  if (existsSync(COMPILE_CACHE.NODE_COMPILE_CACHE)) return;
  await once(
    spawn(process.execPath, [COMPILE], { cwd: tmpdir(), env: COMPILE_CACHE, stdio: 'ignore' }),
    'exit',
  );
}
