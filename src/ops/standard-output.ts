import { pino } from 'pino';

/** How an info line begins: there are many, and nobody misses the last ones that a crash takes. */
const ROUTINE = '{"level":"info"';
/** At least so much time is between two writes of info lines. Milliseconds. */
const PAUSE_MS = 10;

/**
 * Writes log lines to standard output: info lines that come within a moment together, because a write costs more than
 * a line; any other line at once, and what is left when the process ends. `shaped` is what becomes of a line.
 */
export function standardOutput(shaped: (line: string) => string): { write(line: string): void } {
  const out = pino.destination({ fd: 1, sync: true });
  let waiting = '';
  let written = 0;
  const flush = () => {
    if (waiting === '') return;
    out.write(waiting);
    waiting = '';
    written = performance.now();
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      if (waiting === '') setTimeout(flush, Math.max(written + PAUSE_MS - performance.now(), 0));
      waiting += shaped(line);
      if (!line.startsWith(ROUTINE)) flush();
    },
  };
}
