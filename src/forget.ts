import { parseArgs } from 'node:util';
import { type Config, ConfigProblems } from './config.ts';
import { CannotStart } from './core/cannot-start.ts';
import { isSnapshotId } from './core/snapshot-id.ts';
import { explain, explainConfig, loadConfig } from './load-config.ts';
import { type ErasedKind, erase, type Subject } from './lookups/erasure.ts';
import { createLogger } from './ops/logging.ts';
import { openStorage } from './storage/open-storage.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USER_ID = /^[UW][A-Z0-9]{2,20}$/;
const USAGE = `usage: npm run forget -- --user U0123ABCD | --snapshot 26808463 | --all
Deletes what the bot keeps about a person or a snapshot, or everything, and says what. Without Redis, stop the bot first.
Messages in Slack and lines of the log stay.`;

/** What each kind of value is to the people who asked to have it deleted. */
const WORDS: Readonly<Record<ErasedKind, string>> = {
  answers: 'results',
  cancelled: 'cancelled lookups',
  'device-reads': 'lists of the results of a device',
  'hit-summaries': 'lists of the hits of a result',
  'login-cool-down': 'refused logins',
  owners: 'who is on it',
  processing: 'snapshots in process',
  recents: 'lists of recent lookups',
  reminders: 'lists of reminders',
  replicas: 'running replicas',
  session: 'sessions of the service',
  subscriptions: 'lists of who is told when a wait ends',
  'waiting-messages': 'messages that wait for a result',
  'open lookups': 'open lookups',
  'open reminders': 'open reminders',
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

async function forget(subject: Subject | 'all', config: Config): Promise<void> {
  const logger = createLogger('error', config.secrets, { write: (line) => console.error(line) });
  const storage = await openStorage(config.storage, { logger, now: Date.now });
  try {
    if (subject === 'all') {
      await storage.store.clear();
      console.log('Everything that the bot kept was deleted.');
      return;
    }
    const erased = await erase(subject, storage, config.retention);
    const lines = [...erased]
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `  ${WORDS[kind]}: ${count}`);
    const who = `${subject.kind} ${subject.id}`;
    console.log(
      lines.length === 0 ? `Nothing is kept about ${who}.` : `Deleted for ${who}:\n${lines.join('\n')}`,
    );
  } finally {
    await Promise.all([storage.queue.stop(1_000), storage.reminders.stop(1_000)]);
    await storage.store.close();
  }
}

const subject = subjectOf(process.argv.slice(2));
try {
  const { config, whereIs } = loadConfig(process.env);
  await forget(subject, config).catch((error: unknown) => {
    if (!(error instanceof CannotStart)) throw error;
    console.error(explain(error, whereIs).replace('Snapshot Bot cannot start', 'Nothing was deleted'));
    process.exitCode = EXIT_FAILED;
  });
} catch (error) {
  process.exitCode = error instanceof ConfigProblems ? EXIT_USAGE : EXIT_FAILED;
  if (error instanceof ConfigProblems) console.error(explainConfig(error));
  else console.error(`Nothing more was deleted: ${error instanceof Error ? error.message : 'unknown'}`);
}
