import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noProcessEnv: CI is a fact of the machine that runs the tests.
const isCi = process.env.CI === 'true';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes, sockets and browsers on a busy machine: long enough never to be what a test measures.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The stand-in of Slack counts an acknowledgement after three real seconds as a breach, and a shared machine can
    // stand still for as long. What fails each time is broken.
    retry: isCi ? 2 : 0,
  },
});
