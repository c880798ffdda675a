import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from './config/config.ts';
import { ConfigProblems, loadConfig } from './config/load-config.ts';
import { CannotStart } from './core/errors.ts';
import { eraseUser } from './lookups/erasure.ts';
import { createLogger } from './ops/logging.ts';
import { openStorage } from './storage/open-storage.ts';
import { deleteAllIn } from './storage/sqlite/open-sqlite.ts';
import { FILE_NAME } from './storage/sqlite/sqlite-file.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USER_ID = /^[UW][A-Z0-9]{2,20}$/;
const USAGE = `usage: npm run forget -- --user U0123ABCD | --all
Deletes what the bot keeps about a person, or everything, and says how much. Without Redis, stop the bot first.
Messages in Slack and lines of the log stay.`;
const ALL_DELETED = 'Everything that the bot kept was deleted.';

/** The person whose data to delete; undefined for everything. */
function userOf(args: string[]): string | undefined {
  try {
    const options = { user: { type: 'string' }, all: { type: 'boolean', default: false } } as const;
    const { user, all } = parseArgs({ args, options }).values;
    if ((user === undefined) === all && (user === undefined || USER_ID.test(user))) return user;
    throw new Error('Give either --user with the id of a person, such as U0123ABCD, or --all.');
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
    process.exit(EXIT_USAGE);
  }
}

/** Deletes it and prints how much, and what could not be read. Throws `CannotStart` and `storage-failed`. */
async function forget(user: string | undefined, { storage: settings, secrets, retention }: Config) {
  if (settings.kind === 'sqlite') {
    const file = join(settings.dataDir, FILE_NAME);
    if (!existsSync(file)) throw new Error(`${file} can't be found: check DATA_DIR, and the user`);
    if (user === undefined) return console.log([ALL_DELETED, ...deleteAllIn(settings.dataDir)].join('\n  '));
  }
  const unread = new Set<string>();
  const write = (line: string) => void unread.add(`! ${JSON.parse(line).msg}`);
  const logger = createLogger('warn', secrets, { write });
  const { store, jobs, queue, follows } = await openStorage(settings, { logger, now: Date.now });
  try {
    if (user === undefined) {
      await store.clear();
      return console.log(ALL_DELETED);
    }
    const count = await eraseUser(user, { store, queue, follows }, retention);
    if (count > 0 || unread.size === 0) console.log(`Deleted for user ${user}: ${count} entries.`);
  } finally {
    await jobs.stop(1_000);
    await store.close();
  }
  if (unread.size === 0) return;
  process.exitCode = EXIT_FAILED;
  console.error(`${[...unread].join('\n')}
What could not be read may be about user ${user} too, and was left.
Set STATE_KEY to every key that the bot has had, or delete everything, unread, with --all.`);
}

const user = userOf(process.argv.slice(2));
try {
  await forget(user, loadConfig(process.env).config);
} catch (error) {
  process.exitCode = error instanceof ConfigProblems ? EXIT_USAGE : EXIT_FAILED;
  const deleted =
    error instanceof CannotStart || error instanceof ConfigProblems ? 'Nothing' : 'Nothing more';
  console.error(`${deleted} was deleted: ${error instanceof Error ? error.message : 'unknown'}`);
}
