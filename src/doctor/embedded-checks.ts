import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { errorCode } from '../core/error-code.ts';
import type { StorageSettings } from '../storage/backend/storage.ts';
import { Sealer } from '../storage/sealing/sealer.ts';
import { KEY_REPAIR, readKeyFile, unopenedSentence } from '../storage/sealing/state-key.ts';
import { countUnopened } from '../storage/sqlite/open-sqlite.ts';
import { FILE_NAME, freeBytesOf, SCHEMA_VERSION } from '../storage/sqlite/sqlite-file.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const AREA = 'DATA_DIR';
const MEBIBYTE = 1024 * 1024;
/** Free space below which the bot may soon be unable to write, and below which it may be so now. */
const LITTLE_SPACE = 200 * MEBIBYTE;
const NO_SPACE = 10 * MEBIBYTE;
/** https://www.sqlite.org/fileformat.html#the_database_header */
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const HEADER_BYTES = 100;

/**
 * Checks the folder of the embedded store: writable, with space, private, and of this version. Makes an empty folder
 * there and removes it: the permissions alone don't tell, /proc for one is root's and takes nothing.
 */
export function checkEmbedded(dataDir: string, freeBytes = freeBytesOf): Finding[] {
  const existing = nearestExisting(dataDir);
  try {
    rmdirSync(mkdtempSync(join(existing, '.doctor-')));
  } catch (error) {
    const what = `${existing} cannot be written to (${errorCode(error)})`;
    return [
      failure(
        'data-folder-unwritable',
        AREA,
        what,
        'choose a folder that the user that runs the bot may write to',
      ),
    ];
  }
  return [
    spaceFinding(existing, freeBytes(existing)),
    ...(existing === dataDir ? [privacyFinding(dataDir)] : []),
    fileFinding(dataDir),
  ];
}

/** Checks the space of that folder, or of the one that it will be made in. */
export function checkSpace(dataDir: string): Finding {
  const existing = nearestExisting(dataDir);
  return spaceFinding(existing, freeBytesOf(existing));
}

/**
 * Checks whether the keys open what is stored. Looks at a file whose bot is stopped alone: of one that runs, the newest
 * values are not in the file yet, and `/readyz` says the same.
 */
export function checkStateKeys({
  dataDir,
  stateKeys,
}: Extract<StorageSettings, { kind: 'sqlite' }>): Finding[] {
  const file = join(dataDir, FILE_NAME);
  if (!existsSync(file) || existsSync(`${file}-wal`)) return [];
  try {
    const own = readKeyFile(dataDir);
    const [first = randomBytes(32), ...others] = [...stateKeys, ...(own === undefined ? [] : [own])];
    const address = pathToFileURL(file);
    // Neither locks the file nor makes others beside it.
    address.searchParams.set('immutable', '1');
    const database = new DatabaseSync(address, { readOnly: true });
    const unopened = countUnopened(database, new Sealer([first, ...others]), Date.now());
    database.close();
    if (unopened > 0)
      return [warning('state-key-lacking', 'STATE_KEY', unopenedSentence(unopened), KEY_REPAIR)];
  } catch {
    // What is wrong with the file or the key file is another finding.
  }
  return [];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function spaceFinding(folder: string, free: number): Finding {
  const what = `${folder} is writable, ${Math.floor(free / MEBIBYTE)} MB free`;
  if (free < NO_SPACE)
    return failure('space-gone', AREA, what, 'make space: without it no command is accepted');
  return free < LITTLE_SPACE ? warning('space-little', AREA, what, 'make space soon') : ok(AREA, what);
}

function privacyFinding(folder: string): Finding {
  const others = statSync(folder).mode & 0o077;
  if (others === 0) return ok(AREA, 'only its owner can read it');
  return warning(
    'data-folder-open',
    AREA,
    `other users of this machine can enter ${folder}`,
    `chmod 700 ${folder}`,
  );
}

function fileFinding(dataDir: string): Finding {
  const file = join(dataDir, FILE_NAME);
  if (!existsSync(file)) return ok(AREA, 'no data yet: the first start makes the file');
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
    closeSync(descriptor);
  } catch (error) {
    return failure(
      'data-file-unreadable',
      AREA,
      `${file} cannot be read (${errorCode(error)})`,
      'give it to the user that runs the bot',
    );
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    const repair =
      'the next start sets it aside and begins a new one; restore a backup to keep what was open';
    return failure('data-file-damaged', AREA, `${file} is not a database`, repair);
  }
  const version = header.readUInt32BE(USER_VERSION_AT);
  // The version may still be in the write-ahead log.
  if (version === 0) return ok(AREA, `${file} is a database`);
  if (version <= SCHEMA_VERSION) return ok(AREA, `${file} has state version ${version}`);
  const what = `${file} has state version ${version}, this release reads up to ${SCHEMA_VERSION}`;
  return failure(
    'data-file-newer',
    AREA,
    what,
    'run the release that wrote it, or give this one a DATA_DIR of its own',
  );
}
