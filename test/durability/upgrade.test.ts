import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { type OpenRedis, SUPPORT, test } from '../support/conversation.ts';
import { startEarlierReplica } from '../support/earlier-replica.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { fillRedis } from '../support/redis-entries.ts';
import { READY, SLOW } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'state-1');
/** A response URL is of no use half an hour later, and that of the fixtures leads to an emulator that is gone. */
const LATE_MS = 31 * 60_000;
const SOON_MS = 60_000;
const OPEN = ['7001', '7002', '7003', '7004', '7005', '7006'];

type Left = {
  readonly madeAt: number;
  readonly stateKey: string;
  readonly messages: readonly VisibleMessage[];
};
type Backend = {
  readonly name: string;
  /** Gives the variables of a bot that finds the state of the release before, so many milliseconds later. */
  readonly prepare: (redis: OpenRedis, lateMs: number) => Promise<Readonly<Record<string, string>>>;
  readonly world: Left;
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function left(backend: string): Left {
  return JSON.parse(readFileSync(join(FIXTURES, `${backend}-world.json`), 'utf8'));
}

const EMBEDDED: Backend = {
  name: 'the embedded store',
  prepare: async () => {
    copyFileSync(join(FIXTURES, 'embedded.sqlite'), join(folder, 'snapshot-bot.sqlite'));
    return { DATA_DIR: folder };
  },
  world: left('embedded'),
};
const REDIS: Backend = {
  name: 'Redis',
  prepare: async (redis, lateMs) => {
    const { url } = await redis();
    await fillRedis(url, JSON.parse(readFileSync(join(FIXTURES, 'redis.json'), 'utf8')), lateMs);
    return { REDIS_URL: url };
  },
  world: left('redis'),
};
const BACKENDS = has('redis-server') ? [EMBEDDED, REDIS] : [EMBEDDED];

/** A clock that goes on `lateMs` after the release before was ended. */
function clockFrom({ madeAt }: Left, lateMs: number): () => number {
  const began = Date.now();
  return () => madeAt + lateMs + Date.now() - began;
}

/** Starts this release on what the release before left, with every open snapshot as `entry`. */
async function startOn(
  { prepare, world: before }: Backend,
  { world, redis }: { readonly world: World; readonly redis: OpenRedis },
  entry: ShelfEntry,
  lateMs = LATE_MS,
): Promise<void> {
  world.slack.restore(before.messages);
  for (const id of OPEN) world.service.shelve(id, entry);
  await world.restart({ ...(await prepare(redis, lateMs)), STATE_KEY: before.stateKey });
}

const textsIn = ({ slack }: World, channel: string) =>
  slack.messages(channel).filter(({ user }) => user === 'U0SNAPSHOT');

describe.each(BACKENDS)('On $name, this release goes on with what the one before left:', (backend) => {
  const { world: before } = backend;
  const now = clockFrom(before, LATE_MS);

  test('every open lookup is answered once, in its own message', async ({ open, redis }) => {
    const world = await open({ now });
    await startOn(backend, { world, redis }, READY);
    const results = await world.slack.waitFor(() => {
      const found = textsIn(world, SUPPORT).filter(({ text }) => /^(?:Snapshot|Compar)\S* 700/.test(text));
      return found.filter(({ text }) => !text.includes('is still')).length >= 4 ? found : undefined;
    }, 'four answers');
    await world.slack.waitFor(() => textsIn(world, 'D0ANABOT')[0], 'the one that came privately');
    await atRest(world.address());
    const waiting = before.messages.filter(({ text }) => /700[124].* is still/.test(text));
    expect(waiting.filter(({ channel }) => channel === SUPPORT)).toHaveLength(3);
    for (const { ts } of waiting.filter(({ channel }) => channel === SUPPORT)) {
      expect(textsIn(world, SUPPORT).find((message) => message.ts === ts)?.history).not.toHaveLength(0);
    }
    const texts = textsIn(world, SUPPORT).map(({ text }) => text);
    for (const id of ['7001', '7004', '7006']) {
      expect(
        texts.filter((text) => text.startsWith(`Snapshot ${id} · `)),
        id,
      ).toHaveLength(1);
    }
    expect(texts.filter((text) => text.includes('is still'))).toEqual([]);
    expect(texts.filter((text) => text.startsWith('<@U0ANA> <@U0BEN> Snapshot 7001 is ready'))).toHaveLength(
      1,
    );
    expect(textsIn(world, 'D0ANABOT').map(({ text }) => text.slice(0, 15))).toEqual(['Snapshot 7005 ·']);
    expect(results.length).toBeGreaterThan(0);
  });

  test('what waits goes on waiting, can be found by asking again, and nothing is posted anew', async ({
    open,
    redis,
  }) => {
    const world = await open({ now: clockFrom(before, SOON_MS) });
    await startOn(backend, { world, redis }, SLOW, SOON_MS);
    await world.slack.waitFor(
      () => textsIn(world, SUPPORT).find(({ text }) => text.includes('7006')),
      'the last',
    );
    await world.slack.command({ text: '7001' });
    const pointed = await world.slack.waitFor(
      () => textsIn(world, SUPPORT).find(({ ephemeral }) => ephemeral),
      'where it waits',
    );
    expect(pointed.text).toContain('7001');
    expect(
      textsIn(world, SUPPORT).filter(({ text, ephemeral }) => !ephemeral && text.includes('7001')),
    ).toHaveLength(1);
    await world.slack.openHome();
    const home = await world.slack.waitFor(() => world.slack.home(), 'the home tab');
    for (const id of ['1012', '7001', '7004', '7007']) expect(JSON.stringify(home.view)).toContain(id);
  });

  test('a lookup that was cancelled before the upgrade stays cancelled', async ({ open, redis }) => {
    const world = await open({ now });
    await startOn(backend, { world, redis }, READY);
    await world.slack.waitFor(
      () => textsIn(world, SUPPORT).find(({ text }) => text.startsWith('Snapshot 7006 · ')),
      'the last answer',
    );
    await atRest(world.address());
    expect(
      textsIn(world, SUPPORT)
        .filter(({ text }) => text.includes('7007'))
        .map(({ text }) => text),
    ).toEqual(['Stopped waiting for snapshot 7007.']);
  });
});

test.runIf(has('redis-server'))(
  'An old replica beside a new one: whatever either accepted is answered once, and each leaves what it can not read',
  async ({ open, redis }) => {
    const { url } = await redis();
    const key = new Uint8Array(32).fill(7);
    const STATE_KEY = Buffer.from(key).toString('base64');
    const world = await open({ variables: { REDIS_URL: url, STATE_KEY } });
    const ids = Array.from({ length: 12 }, (_, index) => String(7_001 + index));
    for (const id of ids) world.service.shelve(id, { ...READY, processing: { forMs: 'forever' } });
    // Each replica meets a lookup of the other's version: the earlier one first has its own to itself.
    await world.stopBot();
    const earlier = await startEarlierReplica(url, key, 300);
    const acceptEarlier = (id: string) =>
      earlier.accept({
        ...placeOf(id),
        id: randomUUID(),
        acceptedAt: Date.now(),
        deadline: Date.now() + 600_000,
      });
    for (const id of ids.slice(0, 6)) await acceptEarlier(id);
    await eventually(() => expect(earlier.steps.taken).toBeGreaterThan(0));
    await world.restart();
    for (const id of ids.slice(6)) await world.slack.command({ text: id });
    await eventually(() => expect(earlier.steps.left).toBeGreaterThan(0));
    for (const id of ids) world.service.shelve(id, READY);
    const results = () => textsIn(world, SUPPORT).filter(({ text }) => text.includes('1 hit'));
    await world.slack.waitFor(() => results()[11], 'twelve results', 30_000);
    await atRest(world.address());
    for (const id of ids) {
      expect(
        results().filter(({ text }) => text.startsWith(`Snapshot ${id} · `)),
        id,
      ).toHaveLength(1);
    }
    expect(textsIn(world, SUPPORT)).toHaveLength(12);
    await earlier.close();
  },
);

/** A lookup as 0.1 wrote it, with that version's name for the destination. */
function placeOf(id: string) {
  return {
    question: { snapshotId: id, set: 'all' },
    askedBy: 'U0ANA',
    place: { channel: SUPPORT, user: 'U0ANA' },
  };
}
