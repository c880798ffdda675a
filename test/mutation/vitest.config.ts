import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What runs against each planted bug: fast tests only. Properties take seconds each. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/unit/**/*.test.ts'],
    exclude: ['**/*.property.test.ts'],
    testTimeout: 10_000,
  },
});
