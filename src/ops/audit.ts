import { pino } from 'pino';

const STANDARD_OUTPUT = 1;
const OWNER_ALONE = 0o600;

/**
 * Appends one JSON line for each entry to a file that only its owner may read, or to standard output for `-`; without a
 * file writes nothing. It is independent of the log and its level. `onError` is called when a line could not be
 * written. Throws if the file cannot be opened.
 */
export function createAudit(
  file: string | undefined,
  onError: (error: unknown) => void,
): (entry: object) => void {
  if (file === undefined) return () => {};
  const destination = pino.destination({
    dest: file === '-' ? STANDARD_OUTPUT : file,
    mode: OWNER_ALONE,
    append: true,
    sync: true,
  });
  destination.on('error', onError);
  return (entry) => {
    try {
      destination.write(`${JSON.stringify({ time: new Date().toISOString(), audit: true, ...entry })}\n`);
    } catch (error) {
      onError(error);
    }
  };
}
