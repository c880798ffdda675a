import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../src/core/faults.ts';
import { NAMESPACES, type NamespaceName } from '../../src/core/store.ts';
import type { Storage } from '../../src/storage/backend/storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { aLookup } from '../support/a-lookup.ts';
import { atRest } from '../support/at-rest.ts';
import { finals, SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { close } from '../support/queue-contract.ts';
import { collector } from '../support/queue-promises.ts';
import { startRedis } from '../support/redis.ts';
import { PRIMARY, SUCCESSOR, startTakeover, type Takeover } from '../support/redis-takeover.ts';
import { READY, SLOW } from '../support/shelved.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import { openWorld } from '../support/world.ts';

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
  readonly write: (storage: Storage, id: string) => Promise<unknown>;
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
    write: ({ store }, id) => store.namespace('cancelled').set(id, {}),
    isThere: async ({ store }, id) => (await store.namespace('cancelled').get(id)) !== undefined,
  },
};

type Write = () => Promise<unknown>;

/** Writes as soon as that succeeds, each time under another id: what was refused may be removed a moment later. */
async function writes(write: Promised['write'], storage: Storage, name: string): Promise<string> {
  let tries = 0;
  await eventually(() => {
    tries += 1;
    return write(storage, `${name}-${tries}`);
  });
  return `${name}-${tries}`;
}

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

describe.runIf(has('redis-server') && has('haproxy')).concurrent('Redis behind HAProxy', () => {
  test.for(CASES)(
    '$kind that was written $how is there after the change, or was refused',
    async ({ promised: { write, isThere }, lose }, { onTestFinished }) => {
      const takeover = await startTakeover();
      onTestFinished(() => takeover.close());
      const storage = await open(takeover.url);
      onTestFinished(() => close(storage));
      const first = await writes(write, storage, 'first');
      const isWritten = await lose(takeover, () => write(storage, 'last'));
      const next = await writes(write, storage, 'next');
      await eventually(async () => expect(await isThere(storage, next)).toBe(true));
      expect(await isThere(storage, first)).toBe(true);
      expect(await isThere(storage, 'last')).toBe(isWritten);
    },
  );

  test('What people were told, and what a step saves before it posts, is refused while no replica has it, and nothing else', async ({
    onTestFinished,
  }) => {
    const takeover = await startTakeover();
    onTestFinished(() => takeover.close());
    const storage = await open(takeover.url);
    onTestFinished(() => close(storage));
    const taking = Promise.withResolvers<void>();
    const saved = collector<unknown>(2);
    await writes(({ queue }, id) => queue.add(aLookup(id)), storage, 'one');
    await storage.queue.start(async (job, save) => {
      await taking.promise;
      saved.take(await save({ ...job, shown: 'posted' }).catch((error: Error) => error.message));
      return { done: true };
    });
    // The first step of this one is taken by who accepted it, that of the other one by a worker.
    await writes(({ queue }, id) => queue.add(aLookup(id)), storage, 'first');
    takeover.holdReplication();
    const refused: string[] = [];
    for (const name of Object.keys(NAMESPACES) as NamespaceName[]) {
      const written = storage.store.namespace(name).set('key', {});
      if (!(await succeeds(written))) refused.push(name);
    }
    const promised = ['cancelled', 'follows', 'owners', 'subscriptions'];
    expect(refused).toEqual(['accepted', ...promised, 'waiting-for-newer']);
    await expect(storage.store.check()).rejects.toThrow(StorageFailed);
    await expect(storage.queue.add(aLookup('two'))).rejects.toThrow(StorageFailed);
    taking.resolve();
    expect(await saved.all).toEqual(Array(2).fill('no replica of Redis confirmed the write'));
  });

  test('whose primary dies while people type: whatever was accepted is answered', async ({
    onTestFinished,
  }) => {
    const takeover = await startTakeover();
    onTestFinished(() => takeover.close());
    const world = await openWorld({ variables: { REDIS_URL: takeover.url, STATE_KEY } });
    onTestFinished(() => world.close());
    const accepted: string[] = [];
    const type = async (id: string) => {
      world.service.shelve(id, READY);
      const { status, body } = await world.slack.command({ text: id });
      if (status === 200 && body === '') accepted.push(id);
      return accepted.at(-1) === id;
    };
    const waiting = ['7001', '7002', '7003'];
    for (const id of waiting) {
      await eventually(async () => expect(await type(id)).toBe(true));
      world.service.shelve(id, SLOW);
    }
    let isOver = false;
    const typing = (async () => {
      for (let id = 8_000; ; id += 1) {
        const wasOver = isOver;
        if ((await type(String(id))) && wasOver) return;
      }
    })();
    await takeover.servers.kill(PRIMARY);
    await takeover.takeOver();
    isOver = true;
    await typing;
    for (const id of waiting) world.service.shelve(id, READY);
    await atRest(world.address(), 30_000);
    // A step of the last moment before the change may be repeated, because Redis replicates later.
    for (const id of accepted) {
      const answers = finals(world, SUPPORT).filter(({ text }) => text.includes(`Snapshot ${id} · `));
      expect(answers.length, id).toBeOneOf([1, 2]);
    }
  });
});

test.runIf(has('redis-server'))(
  'What is written to one Redis alone waits for no replica',
  async ({ onTestFinished }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const storage = await open(redis.url);
    onTestFinished(() => close(storage));
    for (const { write } of Object.values(KINDS)) await write(storage, 'one');
    expect(String(await redis.command('INFO', 'commandstats'))).not.toContain('cmdstat_wait');
  },
);
