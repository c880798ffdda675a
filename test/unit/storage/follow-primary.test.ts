import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Connections,
  PrimaryFollower,
  socketToPrimary,
} from '../../../src/storage/redis/follow-primary.ts';
import type { Endpoint, GroupAddress } from '../../../src/storage/redis/redis-address.ts';
import type { RedisConnection } from '../../../src/storage/redis/redis-client.ts';

const OLD: Endpoint = { host: '127.0.0.1', port: 6_379 };
const NEW: Endpoint = { host: '127.0.0.2', port: 6_379 };
const GROUP: GroupAddress = {
  ...{ kind: 'sentinel', seeds: [OLD], name: 'main', isTls: false, port: 6_379 },
  ...{ username: undefined, password: undefined },
};

describe('A socket', () => {
  const look = (found: () => Promise<Endpoint & { successors: number }>) => {
    const current = { endpoint: undefined };
    const { lookup } = socketToPrimary(GROUP, found, current);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    lookup('redis-primary', { family: 4 }, (error, address) => resolve(error?.message ?? address));
    return promise.then((outcome) => [outcome, current.endpoint]);
  };

  test('leads to the primary that is found', async () => {
    expect(await look(async () => ({ ...NEW, successors: 0 }))).toEqual([
      '127.0.0.2',
      { ...NEW, successors: 0 },
    ]);
  });

  test('leads nowhere where the primary listens on another port, or nobody names it', async () => {
    const [other] = await look(async () => ({ ...NEW, port: 6_380, successors: 0 }));
    expect(other).toContain('the primary listens on port 6380, not 6379');
    const [unknown] = await look(() => Promise.reject(new Error('nobody knows')));
    expect(unknown).toBe('nobody knows');
  });

  test('over TLS takes only a certificate for the host that was found', () => {
    const current = { endpoint: NEW };
    const socket = socketToPrimary({ ...GROUP, isTls: true }, () => Promise.reject(new Error()), current);
    if (!('checkServerIdentity' in socket)) throw new Error('it speaks TLS');
    const problem = (host: string) =>
      socket.checkServerIdentity('redis-primary', { subjectaltname: `IP Address:${host}` } as never);
    expect([problem('127.0.0.2'), problem('127.0.0.1') instanceof Error]).toEqual([undefined, true]);
    expect(socketToPrimary(GROUP, () => Promise.reject(new Error()), current)).not.toHaveProperty('tls');
  });
});

describe('Connections', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
  );
  afterEach(() => void vi.useRealTimers());

  const primaryWith = (replicas: number) => async () => [
    'master',
    0,
    Array.from({ length: replicas }, () => []),
  ];

  function connection(role: () => Promise<unknown>) {
    const made = {
      ...{ isOpen: true, isReady: true, asked: [] as string[] },
      exists: async (key: string) => void made.asked.push(key),
      sendCommand: role,
      destroy: vi.fn(),
      connect: vi.fn(async () => {}),
    };
    return made;
  }
  const real = (made: ReturnType<typeof connection>) => made as unknown as RedisConnection;

  /** Follows with a main connection that says this of itself; Sentinel names a primary with so many successors. */
  async function following(
    role: () => Promise<unknown>,
    { named = NEW, successors = 1, kind = 'sentinel' as GroupAddress['kind'] } = {},
    alter: (other: ReturnType<typeof connection>) => void = () => {},
  ) {
    const [main, other, confirmed] = [connection(role), connection(role), connection(role)];
    alter(other);
    const connections: Connections = new Map([
      [real(main), { endpoint: OLD }],
      [real(other), { endpoint: NEW }],
    ]);
    const find = vi.fn(async () => ({ ...named, successors }));
    const follower = new PrimaryFollower({
      ...{ group: { ...GROUP, kind }, key: 'key', find, connections },
      ...{ main: real(main), confirmed: real(confirmed) },
    });
    follower.start();
    await vi.advanceTimersByTimeAsync(0);
    const renewed = () =>
      [main, other].map(({ connect, destroy }) => connect.mock.calls.length + destroy.mock.calls.length);
    return { follower, find, main, other, confirmed, renewed };
  }

  test('that lead elsewhere than a primary with replicas are made anew, and nobody is asked', async () => {
    const { follower, find, renewed } = await following(primaryWith(1));
    expect(renewed()).toEqual([0, 2]);
    expect([find.mock.calls.length, follower.isAlone]).toEqual([0, false]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a former primary', async () => ['slave', '127.0.0.2']],
    ['one that fails', () => Promise.reject(new Error('MOVED'))],
    ['one that answers oddly', async () => 'odd'],
    ['a primary without replicas that was replaced', primaryWith(0)],
  ])('that lead to %s are made anew', async (_what, role) => {
    const { follower, renewed } = await following(role, { successors: 0 });
    expect(renewed()).toEqual([2, 0]);
    expect(follower.isAlone).toBe(false);
  });

  test('to a primary that nobody could take over from stay, and it is alone', async () => {
    const alone = await following(primaryWith(0), { named: OLD, successors: 0 });
    expect([alone.renewed(), alone.follower.isAlone]).toEqual([[0, 2], true]);
    const another = await following(primaryWith(0), { named: OLD });
    expect([another.renewed(), another.follower.isAlone]).toEqual([[0, 2], false]);
  });

  test('to a primary that says nothing for three seconds are made anew', async () => {
    const { find, renewed } = await following(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(2_900);
    expect([find.mock.calls.length, renewed()]).toEqual([0, [0, 0]]);
    await vi.advanceTimersByTimeAsync(200);
    expect(renewed()).toEqual([2, 0]);
  });

  test('that connect already are left to that', async () => {
    const { other, renewed } = await following(primaryWith(1), {}, (made) => {
      made.isReady = false;
    });
    expect([other.isReady, renewed()]).toEqual([false, [0, 0]]);
  });

  test('are not looked at again before the last look is over, and somebody who can take over is seen', async () => {
    const answers = [Promise.withResolvers<unknown>()];
    const role = vi.fn(() => answers[0]?.promise ?? primaryWith(1)());
    const { follower } = await following(role, { named: OLD, successors: 0 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(role).toHaveBeenCalledTimes(1);
    answers.shift()?.resolve(await primaryWith(0)());
    await vi.advanceTimersByTimeAsync(0);
    expect([role.mock.calls.length, follower.isAlone]).toEqual([1, true]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([role.mock.calls.length, follower.isAlone]).toEqual([2, false]);
  });

  test('of a Cluster are asked whether they still have the slot', async () => {
    const { main } = await following(primaryWith(1), { kind: 'cluster' });
    expect(main.asked).toEqual(['key']);
    const sentinel = await following(primaryWith(1));
    expect(sentinel.main.asked).toEqual([]);
  });

  test('are looked at each second until the main one is closed, and then the one for promises is', async () => {
    const role = vi.fn(primaryWith(1));
    const { main, confirmed } = await following(role);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(role).toHaveBeenCalledTimes(4);
    expect(confirmed.destroy).not.toHaveBeenCalled();
    main.isOpen = false;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(role).toHaveBeenCalledTimes(4);
    expect(confirmed.destroy).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
