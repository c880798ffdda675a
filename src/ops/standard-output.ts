import { pino } from 'pino';
import { lazily } from '../core/scheduling.ts';

/** The beginning of an info line. There are many of them, and to lose the last ones in a crash does no harm. */
const ROUTINE = '{"level":"info"';
/** The least time between two writes of info lines. Milliseconds. */
const PAUSE_MS = 10;
/** The most bytes that wait until standard output takes them, such as a full disk or a pipe that nobody reads. */
const MOST_WAITING = 16 * 1024 * 1024;
/** How often is tried again what standard output did not take. Milliseconds. */
const TRY_AGAIN_MS = 20;
/** How long the end of the process may wait for a slow reader. Milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Where the log goes, and the audit that has no file: one for both, because a line of the one must not stand in the
 * middle of one of the other. A write never waits: what is not taken now is tried again.
 */
export const standardOutput = lazily(() => {
  // Opens it, which is what makes a pipe or a terminal refuse what it can't take. Otherwise it would hold the process.
  void process.stdout;
  let patientUntil = 0;
  const retryEAGAIN = () => performance.now() < patientUntil;
  const out = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING, retryEAGAIN });
  let isTriedAgain = false;
  const tryAgain = () => {
    isTriedAgain = false;
    out.write('');
  };
  out.on('error', () => {
    if (!isTriedAgain) setTimeout(tryAgain, TRY_AGAIN_MS).unref();
    isTriedAgain = true;
  });
  process.once('exit', () => {
    patientUntil = performance.now() + LAST_LINES_MS;
    out.write('');
  });
  return out;
});

/**
 * Writes log lines to standard output. Info lines that come within a moment are written together, because a write costs
 * more than a line; any other line is written at once, and the rest when the process ends. `shaped` formats a line. What
 * has no room is lost, and a line says how much. Never throws: the bot answers also where nobody can write a log.
 */
export function logOutput(shaped: (line: string) => string): { write(line: string): void } {
  let waiting = '';
  let written = 0;
  let lost = 0;
  const flush = () => {
    if (waiting === '') return;
    standardOutput().write(waiting);
    waiting = '';
    written = performance.now();
  };
  // Before the last try of what has not been taken yet.
  process.once('exit', flush);
  const out = standardOutput();
  out.on('drop', (lines: string) => {
    lost += lines.split('\n').length - 1;
  });
  out.on('drain', () => {
    if (lost === 0) return;
    const before = lost;
    const msg = `standard output took nothing for a while, and lines are lost: ${before}`;
    lost = 0;
    out.write(shaped(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`));
    // There is no room for this line either.
    if (lost > 0) lost = before;
  });
  return {
    write: (line) => {
      if (waiting === '') setTimeout(flush, Math.max(written + PAUSE_MS - performance.now(), 0));
      waiting += shaped(line);
      if (!line.startsWith(ROUTINE)) flush();
    },
  };
}
