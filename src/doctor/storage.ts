import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { CannotStart, errorCode } from '../core/errors.ts';
import { Sealer } from '../storage/backend/sealer.ts';
import { KEY_FILE, KeyFileUnusable, readKeyFile, unopenedSentence } from '../storage/backend/state-key.ts';
import type { StorageSettings } from '../storage/backend/storage.ts';
import { sealedIn } from '../storage/sqlite/open-sqlite.ts';
import { FILE_NAME, freeBytesOf, SCHEMA_VERSION } from '../storage/sqlite/sqlite-file.ts';
import { type Finding, found, ok } from './finding.ts';

/**
 * Checks the store that the settings name, and whether the keys open what is in it. Of one that is `open` here not that,
 * and of an embedded one only its space: to read the file would end its lock.
 */
export async function checkStorage(
  storage: StorageSettings,
  timeoutMs: number,
  isOpen = false,
): Promise<Finding[]> {
  if (storage.kind === 'redis') return checkRedis(storage.url, timeoutMs);
  if (isOpen) return [checkSpace(storage.dataDir)];
  return [...checkEmbedded(storage.dataDir), ...(await checkStateKeys(storage))];
}

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
    return [found('data-folder-unwritable', AREA, `${existing} cannot be written to (${errorCode(error)})`)];
  }
  const own = existing === dataDir ? [checkPrivacy(dataDir)] : [];
  return [checkSpace(dataDir, freeBytes), ...own, checkFile(dataDir)];
}

function checkSpace(dataDir: string, freeBytes = freeBytesOf): Finding {
  const folder = nearestExisting(dataDir);
  const free = freeBytes(folder);
  const what = `${folder} is writable, ${Math.floor(free / MEBIBYTE)} MB free`;
  if (free < NO_SPACE) return found('space-gone', AREA, what);
  return free < LITTLE_SPACE ? found('space-little', AREA, what) : ok(AREA, what);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function checkPrivacy(folder: string): Finding {
  if ((statSync(folder).mode & 0o077) === 0) return ok(AREA, 'only its owner can read it');
  const what = `other users of this machine can enter ${folder}`;
  return found('data-folder-open', AREA, what, `chmod 700 ${folder}`);
}

function checkFile(dataDir: string): Finding {
  const file = join(dataDir, FILE_NAME);
  const none = ok(AREA, 'no data yet: the first start makes the file');
  if (!existsSync(file)) return none;
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const descriptor = openSync(file, 'r');
    const bytes = readSync(descriptor, header, 0, HEADER_BYTES, 0);
    closeSync(descriptor);
    // A start that found no space made the file, and no more.
    if (bytes === 0) return none;
  } catch (error) {
    return found('data-file-unreadable', AREA, `${file} cannot be read (${errorCode(error)})`);
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return found('data-file-damaged', AREA, `${file} is not a database`);
  const version = header.readUInt32BE(USER_VERSION_AT);
  // The version may still be in the write-ahead log.
  if (version === 0) return ok(AREA, `${file} is a database`);
  const what = `${file} has state version ${version}`;
  if (version <= SCHEMA_VERSION) return ok(AREA, what);
  return found('data-file-newer', AREA, `${what}, this release reads up to ${SCHEMA_VERSION}`);
}

/**
 * Checks the key file, and whether the keys open what is stored. Looks at a file whose bot is stopped alone: of one that
 * runs, the newest values are not in the file yet, and its `/readyz` says the same.
 */
export async function checkStateKeys({
  dataDir,
  stateKeys,
}: Extract<StorageSettings, { kind: 'sqlite' }>): Promise<Finding[]> {
  const file = join(dataDir, FILE_NAME);
  try {
    const own = readKeyFile(dataDir);
    const keys = own === undefined ? stateKeys : [...stateKeys, own];
    // A bot that runs has a key.
    if (!existsSync(file) || (keys.length > 0 && existsSync(`${file}-wal`))) return [];
    const [first = randomBytes(32), ...others] = keys;
    const address = pathToFileURL(file);
    // Neither locks the file nor makes others beside it.
    address.searchParams.set('immutable', '1');
    const database = new DatabaseSync(address, { readOnly: true });
    const sealer = new Sealer([first, ...others]);
    const unopened = sealedIn(database, Date.now()).filter((each) => !sealer.hasKeyOf(each)).length;
    database.close();
    if (unopened > 0 && keys.length === 0) throw new KeyFileUnusable(join(dataDir, KEY_FILE), 'missing');
    if (unopened > 0) return [found('state-key-lacking', 'STATE_KEY', unopenedSentence(unopened))];
  } catch (error) {
    if (error instanceof CannotStart)
      return [found('state-key-unusable', error.setting, error.what, error.repair)];
    // What is wrong with the file is another finding.
  }
  return [];
}

const REDIS = 'REDIS_URL';
/** The oldest version that BullMQ recommends, 6.2; older ones lack commands that it uses. */
const [LEAST_MAJOR, LEAST_MINOR] = [6, 2];
const KEY = 'snapshot-bot:doctor';
/** What the bot does to Redis, in small. The key goes by itself. */
const TRIED = [
  ['SET', KEY, '1', 'PX', '1000'],
  ['EVAL', "return redis.call('DEL', KEYS[1])", '1', KEY],
  ['BZPOPMIN', KEY, '0.01'],
  ['TIME'],
];

/**
 * Checks the Redis that replicas share: reachable, recent, without eviction, and it lets the bot work.
 */
export async function checkRedis(url: string, timeoutMs: number): Promise<Finding[]> {
  // Loaded only where there is a Redis: it takes time and memory.
  const { createClient } = await import('@keyv/redis');
  // One that takes the connection may stand still as well.
  const socket = { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false } as const;
  const client = createClient({ url, disableOfflineQueue: true, socket });
  // Why the connection was lost: its commands say only that it was. Without a listener the event would end the process.
  let lost: unknown;
  client.on('error', (error: unknown) => {
    lost ??= error;
  });
  const findings: Finding[] = [];
  try {
    await client.connect();
    findings.push(...judgeInfo(await client.info()));
    for (const words of TRIED) await client.sendCommand(words);
    findings.push(ok(REDIS, 'it takes writes'));
  } catch (error) {
    findings.push(judgeRefusal(lost ?? error));
  } finally {
    if (client.isOpen) client.destroy();
  }
  return findings;
}

/** What Redis answers instead begins with a word in capitals (https://redis.io/docs/latest/develop/reference/protocol-spec/). */
function judgeRefusal(error: unknown): Finding {
  const said = error instanceof Error ? error.message : '';
  if (/WRONGPASS|NOAUTH|AUTH /.test(said))
    return found('redis-password', REDIS, 'Redis rejects the password or the user');
  if (said.startsWith('READONLY'))
    return found('redis-replica', REDIS, 'this is a replica, which takes no writes');
  if (said.startsWith('NOPERM')) return found('redis-forbidden', REDIS, `Redis says ${said}`);
  if (/^[A-Z]+ /.test(said)) return found('redis-refuses', REDIS, `Redis says ${said}`);
  // Its client says only in words that Redis was late.
  const code = /timeout/.test(said) ? 'timeout' : errorCode(error);
  return found('redis-unreachable', REDIS, `Redis cannot be reached (${code})`);
}

/** Judges what Redis says of itself, a field a line (https://redis.io/docs/latest/commands/info/). */
function judgeInfo(info: string): Finding[] {
  const lines = info.split('\r\n').map((line) => [line.split(':', 1)[0] ?? '', line] as const);
  const fields = new Map(lines.map(([name, line]) => [name, line.slice(name.length + 1)]));
  const stated = fields.get('redis_version') ?? '';
  const [major = 0, minor = 0] = stated.split('.').map(Number);
  const isOld = major < LEAST_MAJOR || (major === LEAST_MAJOR && minor < LEAST_MINOR);
  const version = `version ${fields.get('valkey_version') ?? (stated || 'unknown')}`;
  const policy = fields.get('maxmemory_policy') ?? 'unknown';
  return [
    isOld ? found('redis-old', REDIS, version) : ok(REDIS, version),
    policy === 'noeviction'
      ? ok(REDIS, 'it evicts nothing')
      : found('redis-evicts', REDIS, `its eviction policy is ${policy}`),
    fields.get('aof_enabled') === '1'
      ? ok(REDIS, 'it is append-only: a restart keeps open lookups')
      : found('redis-not-append-only', REDIS, 'it is not append-only'),
  ];
}
