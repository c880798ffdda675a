import { pino } from 'pino';

const STANDARD_OUTPUT = 1;
const OWNER_ALONE = 0o600;

/**
 * Appends one JSON line an entry to a file, which only its owner may read, or to standard output for `-`; without a
 * file nothing is written. Apart from the log, whose level does not count here. `onError` hears why a line is missing.
 * Throws when the file can't be opened.
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
