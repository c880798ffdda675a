import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../src/storage/backend/storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { aLookup } from '../support/a-lookup.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { startRedis } from '../support/redis.ts';
import { PRIMARY, SUCCESSOR, startTakeover, type Takeover } from '../support/redis-takeover.ts';

function open(redisUrl: string): Promise<Storage> {
  const settings = { kind: 'redis', url: redisUrl, stateKeys: [new Uint8Array(32).fill(9)] } as const;
  return openStorage(settings, { logger: pino({ level: 'silent' }), now: Date.now });
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

type Promised = {
  readonly write: (storage: Storage, id: string) => Promise<void>;
  readonly isThere: (storage: Storage, id: string) => Promise<boolean>;
};

const KINDS: Readonly<Record<string, Promised>> = {
  'An accepted lookup': {
    write: ({ queue }, id) => queue.add(aLookup(id)),
    isThere: async ({ queue }, id) => {
      const found = await Array.fromAsync(queue.entries());
      return found.some((job) => job.id === id);
    },
  },
  'A cancellation': {
    write: ({ store }, id) => store.namespace('cancelled').set(id, true),
    isThere: async ({ store }, id) => (await store.namespace('cancelled').get(id)) === true,
  },
};

type Write = () => Promise<void>;

/** Ways in which the new primary lacks the latest write; each gives whether the bot took the write for successful. */
const LOSSES: Readonly<Record<string, (takeover: Takeover, write: Write) => Promise<boolean>>> = {
  'to a primary that was replaced a moment ago and does not know it': async (
    { servers, takeOver },
    write,
  ) => {
    await takeOver();
    const isWritten = await succeeds(write());
    await servers.send(PRIMARY, 'REPLICAOF', SUCCESSOR, String(servers.port));
    return isWritten;
  },
  'to a primary that dies before its replica has it': async (
    { servers, takeOver, holdReplication },
    write,
  ) => {
    holdReplication();
    const isWritten = await succeeds(write());
    await servers.kill(PRIMARY);
    await takeOver();
    return isWritten;
  },
};

const CASES = Object.entries(KINDS).flatMap(([kind, promised]) =>
  Object.entries(LOSSES).map(([how, lose]) => ({ kind, promised, how, lose })),
);

describe.runIf(has('redis-server')).concurrent('Redis', () => {
  test.for(CASES)(
    '$kind that was written $how is there after the change, or was refused',
    async ({ promised: { write, isThere }, lose }, { onTestFinished }) => {
      const takeover = await startTakeover();
      onTestFinished(() => takeover.close());
      const storage = await open(takeover.url);
      onTestFinished(() => storage.store.close());
      await eventually(() => write(storage, 'first'));
      const isWritten = await lose(takeover, () => write(storage, 'last'));
      await eventually(() => write(storage, 'next'));
      await eventually(async () => expect(await isThere(storage, 'next')).toBe(true));
      expect(await isThere(storage, 'first')).toBe(true);
      expect(await isThere(storage, 'last')).toBe(isWritten);
    },
  );

  test('What is written to one Redis alone waits for no replica', async ({ onTestFinished }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const storage = await open(redis.url);
    onTestFinished(() => storage.store.close());
    for (const { write } of Object.values(KINDS)) await write(storage, 'one');
    expect(String(await redis.command('INFO', 'commandstats'))).not.toContain('cmdstat_wait');
  });
});
