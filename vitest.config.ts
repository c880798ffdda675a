import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './test/support/compile-cache.ts';
import { SlowFilesFirst } from './test/support/slow-files-first.ts';

// biome-ignore lint/style/noProcessEnv: the processes that run the tests, and those that tests start, inherit it.
Object.assign(process.env, COMPILE_CACHE);

/** Whether the whole suite runs: the command line names no file. */
const isWhole = process.argv.slice(2).every((word) => word === 'run' || word.startsWith('-'));

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/folder-in-memory.ts',
      isWhole ? 'test/support/bundle-first.ts' : 'test/support/fill-compile-cache.ts',
    ],
    // Most tests wait for sockets, processes and timers: with two files more than there are cores, the cores are busy.
    maxWorkers: availableParallelism() + (isWhole ? 2 : 0),
    // Files that share a process load Bolt and make certificates once. No test file leaves anything behind in it.
    isolate: false,
    // Most of what these processes make is soon over: with more room for it, the garbage collector copies less.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: SlowFilesFirst },
    // Real processes, sockets and browsers on a busy machine: long enough never to be what a test measures.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // For what must happen: as long as the emulators wait, so that what was waited for is named.
    expect: { poll: { timeout: 15_000 } },
  },
});
