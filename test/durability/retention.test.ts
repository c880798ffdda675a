import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import type { NamespaceName } from '../../src/core/store.ts';
import { reads } from '../support/bot-messages.ts';
import { ask, SUPPORT, test } from '../support/conversation.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RESULT_MINUTES = 7;
const HISTORY_DAYS = 3;
const variablesOf = stores();

/** How long each kind of value is kept at most, according to docs/operate.md. */
const LONGEST: Readonly<Record<NamespaceName, number>> = {
  answers: RESULT_MINUTES * MINUTE_MS,
  cancelled: 60 * MINUTE_MS,
  // The limit of an owner. The test accepts no hit, which would be kept for up to 90 days.
  devices: 30 * DAY_MS,
  follows: 67 * DAY_MS,
  processing: 15 * MINUTE_MS,
  // The longest entry is a device that the person owns.
  people: 30 * DAY_MS,
  service: 4 * 60 * MINUTE_MS,
  subscriptions: 2 * DAY_MS,
  'waiting-messages': 60 * MINUTE_MS,
};

type Lifetimes = Map<string, number>;

/** The longest remaining lifetime of each kind; Infinity for a value without an end. */
function longestOf(rows: Iterable<readonly [kind: string, ms: number]>): Lifetimes {
  const lifetimes: Lifetimes = new Map();
  for (const [stored, ms] of rows) {
    // The stored name of a kind ends in its version.
    const kind = stored.replace(/\.\d+$/, '');
    lifetimes.set(kind, Math.max(ms, lifetimes.get(kind) ?? 0));
  }
  return lifetimes;
}

async function lifetimesInRedis(url: string): Promise<Lifetimes> {
  const client = new Redis(url);
  const rows: [string, number][] = [];
  for (const key of await client.keys('*:values:*')) {
    const ms = await client.pttl(key);
    rows.push([key.split(':')[2] ?? '', ms < 0 ? Number.POSITIVE_INFINITY : ms]);
  }
  client.disconnect();
  return longestOf(rows);
}

/** Reads the SQLite file after the bot has ended: only one process may open it. */
function lifetimesInFile(dataDir: string): Lifetimes {
  const [file = ''] = readdirSync(dataDir).filter((name) => name.endsWith('.sqlite'));
  const database = new DatabaseSync(join(dataDir, file), { readOnly: true });
  const rows = database.prepare('SELECT namespace, expires FROM entries').all();
  database.close();
  const msOf = (expires: unknown) =>
    expires === null ? Number.POSITIVE_INFINITY : Number(expires) - Date.now();
  return longestOf(rows.map(({ namespace, expires }) => [String(namespace), msOf(expires)]));
}

/** Leaves data of every kind: a lookup, an owner, a wait, a subscription and a cancellation. */
async function leaveTraces(world: World): Promise<void> {
  const message = await ask(world, '1012');
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  const isOnIt = () =>
    world.slack.messages(SUPPORT).find(({ blocks }) => JSON.stringify(blocks).includes('*Owner:*'));
  await world.slack.waitFor(isOnIt, 'a message that Ben is on');
  const waiting = await beginWait(world, '2001');
  await world.slack.click({ message: waiting, actionId: 'tell-me-too', user: 'ben' });
  await reads(world, 'You’re on the list', { viewer: 'ben' });
  await world.slack.click({ message: waiting, actionId: 'cancel' });
  await reads(world, 'ancelled');
}

test.for(STORES)('On %s nothing is kept for longer than the documents say', async (store, { open }) => {
  const variables = { ...(await variablesOf(store)) };
  const times = { RESULT_MINUTES: `${RESULT_MINUTES}`, HISTORY_DAYS: `${HISTORY_DAYS}` };
  const world = await open({ variables: { ...variables, ...times } });
  await leaveTraces(world);
  await world.stopBot();
  const lifetimes =
    variables.REDIS_URL === undefined
      ? lifetimesInFile(world.dataDir)
      : await lifetimesInRedis(variables.REDIS_URL);
  // A delivery is remembered for a day, and a press of a button for at most a day.
  const longest = new Map(Object.entries({ ...LONGEST, deliveries: DAY_MS, leases: DAY_MS }));
  for (const [kind, ms] of lifetimes) expect(ms, kind).toBeLessThanOrEqual(longest.get(kind) ?? 0);
  // Makes sure that these kinds were written, and not with a tiny lifetime.
  for (const kind of ['answers', 'devices', 'people', 'service', 'subscriptions'] as const)
    expect(lifetimes.get(kind), kind).toBeGreaterThan(LONGEST[kind] / 2);
});
