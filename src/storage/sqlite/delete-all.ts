import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_FILE } from '../sealing/state-key.ts';
import { FILE_NAME, openSqliteFile, SET_ASIDE } from './sqlite-file.ts';

/** Deletes what is stored, and leaves the tables. */
export const CLEAR = 'BEGIN; DELETE FROM entries; DELETE FROM leases; DELETE FROM jobs; COMMIT;';

/** The damaged files that were set aside in a data directory. */
export function setAsideIn(dataDir: string): string[] {
  const names = readdirSync(dataDir).filter((name) => name.startsWith(SET_ASIDE));
  return names.map((name) => join(dataDir, name));
}

/** Deletes them; gives their paths. */
export function removeSetAside(dataDir: string): string[] {
  const files = setAsideIn(dataDir);
  for (const file of files) rmSync(file, { force: true });
  return files;
}

/**
 * Deletes everything in a data directory that no process uses, unread and without a key: what is stored, what was set
 * aside as damaged, and the key file. Gives a line for each place. Throws `DataDirInUse`, `DataDirUnusable` and
 * `DataDirOfOtherVersion`, and then nothing was deleted.
 */
export function deleteAllIn(dataDir: string): string[] {
  const database = openSqliteFile(dataDir, () => {});
  try {
    database.exec(`${CLEAR} DELETE FROM secrets;`);
  } finally {
    database.close();
  }
  const removed = removeSetAside(dataDir);
  const keyFile = join(dataDir, KEY_FILE);
  if (existsSync(keyFile)) {
    rmSync(keyFile);
    removed.push(keyFile);
  }
  return [`${join(dataDir, FILE_NAME)}: emptied`, ...removed.map((file) => `${file}: removed`)];
}
