import { pino } from 'pino';

/** The beginning of an info line. There are many of them, and to lose the last ones in a crash does no harm. */
const ROUTINE = '{"level":"info"';
/** The least time between two writes of info lines. Milliseconds. */
const PAUSE_MS = 10;
/** The most bytes that wait for a full disk or another end of standard output to take them; further lines are lost. */
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * Writes log lines to standard output. Info lines that come within a moment are written together, because a write costs
 * more than a line; any other line is written at once, and the rest when the process ends. `shaped` formats a line. Never
 * throws: the bot answers also where nobody can write a log.
 */
export function standardOutput(shaped: (line: string) => string): { write(line: string): void } {
  const out = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING });
  out.on('error', () => {});
  // Without another try, what waits would wait for ever.
  out.on('drop', () => out.write(''));
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
