import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, ConfigProblems, loadConfig } from './config/config.ts';
import { eraseUser } from './lookups/erasure.ts';
import { reasonOf } from './ops/health.ts';
import { createLogger } from './ops/logging.ts';
import { deleteAllIn, FILE_NAME } from './storage/data-directory.ts';
import { openStorage } from './storage/storage.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USER_ID = /^[UW][A-Z0-9]{2,20}$/;
const USAGE = `usage: npm run forget -- --user U0123ABCD | --all
Deletes what the bot keeps about a person, or everything, and says how much. Without Redis, stop the bot first.
Messages in Slack and lines of the log stay.`;
const ALL_DELETED = 'Everything that the bot kept was deleted.';

/** The user whose data is deleted; undefined deletes everything. */
function userOf(): string | undefined {
  try {
    const options = { user: { type: 'string' }, all: { type: 'boolean', default: false } } as const;
    const { user, all } = parseArgs({ options }).values;
    if (user === undefined ? all : !all && USER_ID.test(user)) return user;
  } catch {
    // Invalid options: prints the usage below.
  }
  console.error(USAGE);
  process.exit(EXIT_USAGE);
}

/** Deletes the data; prints a summary, and what was unreadable. Throws if the storage can't be used. */
async function forget(user: string | undefined, { storage: settings, secrets, retention }: Config) {
  if (settings.kind === 'sqlite') {
    const file = join(settings.dataDir, FILE_NAME);
    if (!existsSync(file)) throw new Error(`${file} can't be found: check DATA_DIR, and the user`);
    if (user === undefined) return console.log([ALL_DELETED, ...deleteAllIn(settings.dataDir)].join('\n  '));
  }
  const unread = new Set<string>();
  const write = (line: string) => void unread.add(`! ${JSON.parse(line).msg}`);
  const logger = createLogger('warn', secrets, { write });
  const storage = await openStorage(settings, { logger, now: Date.now });
  try {
    if (user === undefined) await storage.store.clear();
    const count = user === undefined ? undefined : await eraseUser(user, storage, retention);
    console.log(count === undefined ? ALL_DELETED : `Deleted for user ${user}: ${count} entries.`);
  } finally {
    await storage.jobs.stop(1_000);
    await storage.store.close();
  }
  if (user === undefined || unread.size === 0) return;
  process.exitCode = EXIT_FAILED;
  console.error(`${[...unread].join('\n')}
What could not be read may be about user ${user} too, and was left.
Set STATE_KEY to every key that the bot has had, or delete everything, unread, with --all.`);
}

try {
  await forget(userOf(), loadConfig(process.env).config);
} catch (error) {
  process.exitCode = error instanceof ConfigProblems ? EXIT_USAGE : EXIT_FAILED;
  console.error(`Nothing more was deleted: ${reasonOf(error)}`);
}
