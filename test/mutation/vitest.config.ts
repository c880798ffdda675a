import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The tests that run against each planted bug: fast ones only. Code that runs once, when its file is loaded, is tried
 * with all of these tests, so MUTATION_TESTS should name the tests close to the measured code, as patterns with spaces
 * between them. (StrykerJS's own `--testFiles` never plants such a bug and reports it as survived.)
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
    // StrykerJS has to know which test ran which code, so tests must not run at the same time.
    maxConcurrency: 1,
    testTimeout: 10_000,
    // Some tests change the umask, which threads may not do.
    pool: 'forks',
  },
});
