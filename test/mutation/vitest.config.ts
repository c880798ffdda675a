import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * What runs against each planted bug: fast tests only. A bug in what is run once, when a
 * file is loaded, is tried with all of them: `MUTATION_TESTS`, patterns with spaces between them, names those close to
 * what is measured. (StrykerJS's own `--testFiles` never plants such a bug and calls it survived.)
 */
// biome-ignore lint/style/noProcessEnv: StrykerJS hands nothing else over to the configuration of its runner.
const include = (process.env.MUTATION_TESTS ?? 'test/contracts/**/*.test.ts').split(' ');

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include,
    exclude: ['test/contracts/linear-time.test.ts'],
    setupFiles: ['test/mutation/no-shrinking.ts'],
    // Of tests that run at the same time nobody can tell which one ran which code.
    maxConcurrency: 1,
    testTimeout: 10_000,
    // As in the other runs of the tests: threads may not change the umask.
    pool: 'forks',
  },
});
