import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './test/support/compile-cache.ts';
import { SlowFilesFirst } from './test/support/slow-files-first.ts';

// biome-ignore lint/style/noProcessEnv: the processes that run the tests, and their child processes, inherit this.
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
    // Two more than the cores, because most tests wait for sockets, processes and timers.
    maxWorkers: availableParallelism() + (isWhole ? 2 : 0),
    // Test files can share a process, because they clean up. So Bolt is loaded and certificates are made only once.
    isolate: false,
    // Most objects of the tests live only briefly. With more room for new objects the garbage collector copies fewer.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: SlowFilesFirst },
    // Tests start real processes and browsers, which can take long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The same timeout as in the emulators. It ends before that of a test, so that the error names the missing event.
    expect: { poll: { timeout: 15_000 } },
  },
});
