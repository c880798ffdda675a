import { expect, test } from 'vitest';
import { keyPrefix, redisAddress } from '../../../src/storage/redis/redis-address.ts';
import { SOCKET } from '../../../src/storage/redis/redis-client.ts';

test('A connection that was lost is tried again after a tenth of a second, then rarer, and at least each two seconds', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 8, 1_000].map(SOCKET.reconnectStrategy);
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});

test('An address of one Redis stays as it is', () => {
  expect(redisAddress('rediss://:word@redis.example.com/2')).toEqual({
    kind: 'single',
    url: 'rediss://:word@redis.example.com/2',
  });
});

test('An address of Sentinel has its servers, the name of the primary and the port of every Redis', () => {
  expect(redisAddress('redis+sentinel://me:p%40ss@one:1,two,[::1]:3/main?port=6380')).toEqual({
    kind: 'sentinel',
    isTls: false,
    username: 'me',
    password: 'p@ss',
    seeds: [
      { host: 'one', port: 1 },
      { host: 'two', port: 26_379 },
      { host: '::1', port: 3 },
    ],
    name: 'main',
    port: 6_380,
  });
  expect(redisAddress('redis+sentinel://one/main')).toMatchObject({ port: 6_379, password: undefined });
  expect(redisAddress('redis+sentinel://me@one/main')).toMatchObject({ username: 'me', password: undefined });
  expect(redisAddress('redis+sentinel://:100%@one/main')).toMatchObject({ password: '100%' });
});

test('An address of a Cluster has nodes, which share a port; its keys share a slot', () => {
  const address = redisAddress('rediss+cluster://:word@10.0.0.1:7000,10.0.0.2:7000');
  expect(address).toMatchObject({
    ...{ kind: 'cluster', isTls: true, port: 7_000, username: undefined, password: 'word', name: '' },
    seeds: [
      { host: '10.0.0.1', port: 7_000 },
      { host: '10.0.0.2', port: 7_000 },
    ],
  });
  expect(redisAddress('redis+cluster://one')).toMatchObject({ port: 6_379, seeds: [{ port: 6_379 }] });
  expect(address && keyPrefix(address)).toBe('{snapshot-bot}');
  expect(keyPrefix({ kind: 'single', url: '' })).toBe('snapshot-bot');
});

test.for([
  'redis+sentinel://one:26379',
  'redis+sentinel:///main',
  'redis+sentinel://one,/main',
  'redis+sentinel://one/main/2',
  'redis+sentinel://one/main?port=',
  'redis+sentinel://one/main?port=1?port=2',
  'redis+cluster://one/main',
  'redis+cluster://one two',
  'redis+other://one/main',
  'redis-sentinel://one/main',
  'to redis://one',
  'one:6379',
  'redis+sentinel://one/main?port=1\n2',
])('%s is none', (text) => {
  expect(redisAddress(text)).toBeUndefined();
});
