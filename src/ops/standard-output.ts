import { pino } from 'pino';
import { lazily } from '../core/time.ts';

/** The most bytes that wait while a reader or a disk takes nothing. Further lines are dropped. */
export const MOST_WAITING = 16 * 1024 * 1024;
const TRY_AGAIN_MS = 20;
/** How long the end of the process waits for a slow reader. Milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Standard output for the log and for an audit without a file: one destination, so that no line stands in the middle of
 * another one. A write never waits and never throws: the bot answers even if its log has no reader.
 */
export const standardOutput = lazily(() => {
  // Opens the stream, which makes a pipe non-blocking. Otherwise a reader that stands still would hold the process.
  void process.stdout;
  let patientUntil = 0;
  const retryEAGAIN = () => performance.now() < patientUntil;
  const out = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING, retryEAGAIN });
  let isRetrying = false;
  out.on('error', () => {
    if (isRetrying) return;
    isRetrying = true;
    setTimeout(() => {
      isRetrying = false;
      out.write('');
    }, TRY_AGAIN_MS).unref();
  });
  process.once('exit', () => {
    patientUntil = performance.now() + LAST_LINES_MS;
    out.write('');
  });
  return out;
});
