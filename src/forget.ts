import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, ConfigProblems, explain, explainConfig, loadConfig } from './config/load-config.ts';
import { isSnapshotId } from './core/diagnostics.ts';
import { CannotStart } from './core/errors.ts';
import type { Retention } from './core/store.ts';
import { type ErasedKind, erase, type Subject } from './lookups/erasure.ts';
import { createLogger } from './ops/logging.ts';
import { readKeyFile } from './storage/backend/state-key.ts';
import type { Storage, StorageSettings } from './storage/backend/storage.ts';
import { openStorage } from './storage/open-storage.ts';
import { deleteAllIn } from './storage/sqlite/open-sqlite.ts';
import { FILE_NAME } from './storage/sqlite/sqlite-file.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USER_ID = /^[UW][A-Z0-9]{2,20}$/;
const USAGE = `usage: npm run forget -- --user U0123ABCD | --snapshot 26808463 | --all
Deletes what the bot keeps about a person or a snapshot, or everything, and says what. Without Redis, stop the bot first.
Messages in Slack and lines of the log stay.`;

const KEYS_NEEDED =
  'Set STATE_KEY to every key that the bot has had, or delete everything, unread, with --all.';

/** What each kind of value is to the people who asked to have it deleted. */
const WORDS: Readonly<Record<ErasedKind, string>> = {
  accepted: 'hits that were accepted for a device',
  answers: 'results',
  cancelled: 'cancelled lookups',
  'device-reads': 'lists of the results of a device',
  follows: 'lists of what a person follows',
  'hand-overs': 'messages that are handed over',
  owners: 'who is on it',
  processing: 'snapshots in process',
  recents: 'lists of recent lookups',
  service: 'sessions of the service',
  subscriptions: 'lists of who is told when a wait ends',
  'waiting-messages': 'messages that wait for a result',
  'waiting-for-newer': 'lists of who waits for a newer snapshot',
  'open lookups': 'open lookups',
  'open follows': 'open follows',
};

function subjectOf(args: readonly string[]): Subject | 'all' {
  try {
    const options = {
      user: { type: 'string' },
      snapshot: { type: 'string' },
      all: { type: 'boolean' },
    } as const;
    const { user, snapshot, all } = parseArgs({ args: [...args], options }).values;
    if ([user, snapshot, all].filter((value) => value !== undefined).length !== 1)
      throw new Error('Give exactly one of --user, --snapshot and --all.');
    if (all) return 'all';
    if (user !== undefined) {
      if (!USER_ID.test(user)) throw new Error('--user takes the id of a person, such as U0123ABCD.');
      return { kind: 'user', id: user };
    }
    if (snapshot === undefined || !isSnapshotId(snapshot))
      throw new Error('--snapshot takes an id: digits only.');
    return { kind: 'snapshot', id: snapshot };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
    process.exit(EXIT_USAGE);
  }
}

/**
 * An embedded store without a key would make itself one. A key that is thrown away opens just as little, and leaves no
 * file that the bot would use later.
 */
function withoutNewKeyFile(settings: StorageSettings): StorageSettings {
  if (settings.kind !== 'sqlite' || settings.stateKeys.length > 0) return settings;
  const hasKey = readKeyFile(settings.dataDir) !== undefined;
  return hasKey ? settings : { ...settings, stateKeys: [randomBytes(32)] };
}

/** A line of the log for a terminal. */
function plainLine(line: string): string {
  const { namespace, lookup, msg, reason, err } = JSON.parse(line);
  return `! ${[namespace ?? lookup, msg, reason ?? err?.message].filter((part) => part !== undefined).join(': ')}`;
}

function nameOf(subject: Subject | 'all'): string {
  return subject === 'all' ? 'anybody' : `${subject.kind} ${subject.id}`;
}

const ALL_DELETED = 'Everything that the bot kept was deleted.';

/** Deletes; gives what was deleted, as lines for a terminal, or undefined if nothing was. */
async function eraseFrom(storage: Storage, subject: Subject | 'all', retention: Retention) {
  if (subject === 'all') {
    await storage.store.clear();
    return ALL_DELETED;
  }
  const erased = await erase(subject, storage, retention);
  const lines = [...erased]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `  ${WORDS[kind]}: ${count}`);
  return lines.length === 0 ? undefined : `Deleted for ${nameOf(subject)}:\n${lines.join('\n')}`;
}

async function forget(subject: Subject | 'all', { storage: settings, secrets, retention }: Config) {
  const dataDir = settings.kind === 'sqlite' ? settings.dataDir : undefined;
  const file = dataDir && join(dataDir, FILE_NAME);
  if (file !== undefined && !existsSync(file))
    throw new Error(`${file} can't be found: check that DATA_DIR is the bot's, and the user`);
  if (subject === 'all' && dataDir !== undefined)
    return console.log([ALL_DELETED, ...deleteAllIn(dataDir)].join('\n  '));
  let isWhole = true;
  const write = (line: string) => {
    isWhole = false;
    console.error(plainLine(line));
  };
  const context = { logger: createLogger('warn', secrets, { write }), now: Date.now };
  const storage = await openStorage(withoutNewKeyFile(settings), context);
  try {
    const deleted = await eraseFrom(storage, subject, retention);
    if (deleted !== undefined) console.log(deleted);
    else if (isWhole) console.log(`Nothing is kept about ${nameOf(subject)}.`);
    if (isWhole) return;
    process.exitCode = EXIT_FAILED;
    console.error(`What could not be read may be about ${nameOf(subject)} too, and was left. ${KEYS_NEEDED}`);
  } finally {
    await storage.jobs.stop(1_000);
    await storage.store.close();
  }
}

const subject = subjectOf(process.argv.slice(2));
try {
  const { config, whereIs } = loadConfig(process.env);
  await forget(subject, config).catch((error: unknown) => {
    if (!(error instanceof CannotStart)) throw error;
    console.error(explain(error, whereIs, 'Nothing was deleted'));
    process.exitCode = EXIT_FAILED;
  });
} catch (error) {
  process.exitCode = error instanceof ConfigProblems ? EXIT_USAGE : EXIT_FAILED;
  if (error instanceof ConfigProblems) console.error(explainConfig(error));
  else console.error(`Nothing more was deleted: ${error instanceof Error ? error.message : 'unknown'}`);
}
