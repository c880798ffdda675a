import { pino } from 'pino';
import { lazily } from '../core/time.ts';

/** How many bytes are buffered while a reader or a disk is blocked; further lines are dropped. */
export const MOST_WAITING = 16 * 1024 * 1024;
const TRY_AGAIN_MS = 20;
/** How long the exit waits for a slow reader. Milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Standard output, shared by the log and by an audit log without a file, so that lines don't mix. A write never blocks
 * or throws: the bot answers even if nobody reads its output.
 */
export const standardOutput = lazily(() => {
  // Opening the stream makes a pipe non-blocking; otherwise a stalled reader would block the process.
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
