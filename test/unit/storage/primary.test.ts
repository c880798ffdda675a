import { describe, expect, onTestFinished, test } from 'vitest';
import { primaryFinder } from '../../../src/storage/redis/primary.ts';
import { type GroupAddress, NoPrimary } from '../../../src/storage/redis/redis-address.ts';
import { freePort } from '../../support/free-port.ts';
import { type RedisAnswer, startScriptedRedis } from '../../support/scripted-redis.ts';

const HOST = '127.0.0.1';
const NOAUTH = new Error('NOAUTH Authentication required.');

async function scripted(answer: (command: string) => RedisAnswer) {
  const server = await startScriptedRedis(answer);
  onTestFinished(() => server.close());
  return server;
}

function group(kind: GroupAddress['kind'], ports: readonly number[], login: Partial<GroupAddress> = {}) {
  const seeds = ports.map((port) => ({ host: HOST, port }));
  const address: GroupAddress = {
    ...{ kind, seeds, name: kind === 'sentinel' ? 'main' : '', isTls: false, port: 6_379 },
    ...{ username: undefined, password: undefined, ...login },
  };
  return primaryFinder(address, '{snapshot-bot}');
}

describe('Sentinel', () => {
  const replica = (flags: string, lastPing: number) => [
    ...['name', 'one', 'flags', flags, 'last-ok-ping-reply', String(lastPing)],
  ];
  const naming =
    (replicas: RedisAnswer = []) =>
    (command: string): RedisAnswer => {
      if (command === 'SENTINEL GET-MASTER-ADDR-BY-NAME main') return ['10.0.0.1', '6380'];
      return command === 'SENTINEL REPLICAS main' ? replicas : new Error(`ERR ${command}`);
    };

  test('names the primary, and the replicas that could take over', async () => {
    const replicas = [
      replica('slave', 0),
      replica('slave', 5_000),
      replica('slave', 5_001),
      replica('s_down,slave', 0),
      replica('slave,o_down', 0),
      replica('slave,disconnected', 0),
    ];
    const { port, asked } = await scripted(naming(replicas));
    expect(await group('sentinel', [port])()).toEqual({ host: '10.0.0.1', port: 6_380, successors: 2 });
    expect(asked).toEqual(['SENTINEL GET-MASTER-ADDR-BY-NAME main', 'SENTINEL REPLICAS main']);
  });

  test('that says nothing of a replica’s health leaves it possible that it takes over', async () => {
    const { port } = await scripted(naming([[], 'odd', null, ['name', 's_down']]));
    expect(await group('sentinel', [port])()).toMatchObject({ successors: 4 });
    const silent = await scripted(naming(null));
    expect(await group('sentinel', [silent.port])()).toMatchObject({ successors: 0 });
  });

  test('that does not know the name is an error', async () => {
    const { port } = await scripted(() => null);
    const asking = group('sentinel', [port])();
    await expect(asking).rejects.toThrow(NoPrimary);
    await expect(asking).rejects.toThrow('named main');
  });

  test('is one of several: whoever answers first is believed, and others may be away', async () => {
    const { port } = await scripted(naming());
    const away = await freePort();
    expect(await group('sentinel', [away, port])()).toMatchObject({ host: '10.0.0.1' });
    await expect(group('sentinel', [away])()).rejects.toThrow('ECONNREFUSED');
  });

  test.each([
    ['AUTH me secret', { username: 'me', password: 'secret' }],
    ['AUTH secret', { password: 'secret' }],
  ])('that wants a password is told %s, and asked again', async (login, options) => {
    let isLoggedIn = false;
    const { port, asked } = await scripted((command) => {
      if (command === login) {
        isLoggedIn = true;
        return 'OK';
      }
      return isLoggedIn ? naming()(command) : NOAUTH;
    });
    expect(await group('sentinel', [port], options)()).toMatchObject({ port: 6_380 });
    expect(asked.slice(0, 3)).toEqual([
      ...['SENTINEL GET-MASTER-ADDR-BY-NAME main', login, 'SENTINEL GET-MASTER-ADDR-BY-NAME main'],
    ]);
  });

  test('hears no password that it does not want, and none where none is known', async () => {
    const refusing = await scripted(() => new Error('ERR busy'));
    await expect(group('sentinel', [refusing.port], { password: 'secret' })()).rejects.toThrow('ERR busy');
    const wanting = await scripted(() => NOAUTH);
    await expect(group('sentinel', [wanting.port])()).rejects.toThrow('NOAUTH');
    expect([...refusing.asked, ...wanting.asked].join()).not.toContain('AUTH');
  });
});

describe('A Cluster', () => {
  type Node = readonly [host: string | null, port: number];
  const knowing =
    (...ranges: readonly (readonly [first: number, last: number, ...nodes: Node[]])[]) =>
    (command: string): RedisAnswer => {
      if (command === 'CLUSTER KEYSLOT {snapshot-bot}') return 100;
      return command === 'CLUSTER SLOTS' ? ranges : new Error(`ERR ${command}`);
    };

  test.each([
    [100, 100],
    [0, 100],
    [100, 16_383],
  ])('has the primary of the slot of the bot: %i to %i', async (first, last) => {
    const others = [
      first === 100 ? ([0, 99, ['10.0.0.8', 1]] as const) : ([101, 200, ['10.0.0.8', 1]] as const),
    ];
    const { port } = await scripted(
      knowing(...others, [first, last, ['10.0.0.1', 6_380], ['10.0.0.2', 6_380], ['10.0.0.3', 6_380]]),
    );
    expect(await group('cluster', [port])()).toEqual({ host: '10.0.0.1', port: 6_380, successors: 2 });
  });

  test.each([null, ''])(
    'node that says no address of its own (%j) is the one that was asked',
    async (host) => {
      const { port } = await scripted(knowing([0, 16_383, [host, 6_380]]));
      expect(await group('cluster', [port])()).toEqual({ host: HOST, port: 6_380, successors: 0 });
    },
  );

  test('without that slot is an error', async () => {
    const { port } = await scripted(knowing([0, 99, ['10.0.0.1', 1]], [101, 200, ['10.0.0.1', 1]]));
    await expect(group('cluster', [port])()).rejects.toThrow('no node of the Cluster has slot 100');
    const odd = await scripted((command) => (command === 'CLUSTER SLOTS' ? 'odd' : 100));
    await expect(group('cluster', [odd.port])()).rejects.toThrow(NoPrimary);
  });

  test('is asked by every node that was ever heard of, when those of REDIS_URL are away', async () => {
    const other = await scripted(knowing([0, 16_383, [null, 6_380]]));
    const seed = await startScriptedRedis(knowing([0, 16_383, ['127.0.0.1', other.port]]));
    const find = group('cluster', [seed.port]);
    expect(await find()).toMatchObject({ port: other.port });
    expect(other.asked).toEqual([]);
    await seed.close();
    expect(await find()).toEqual({ host: HOST, port: 6_380, successors: 0 });
  });
});
