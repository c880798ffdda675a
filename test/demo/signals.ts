const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const EXIT_INTERRUPTED = 130;

/** Resolves at the first signal to end this process. A second signal ends the process at once. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        asked += 1;
        if (asked > 1) process.exit(EXIT_INTERRUPTED);
        resolve();
      });
    }
  });
}
