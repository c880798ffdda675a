import { describe, expect, onTestFinished, test } from 'vitest';
import { checkRedis } from '../../../src/doctor/redis.ts';
import { type RedisAnswer, startScriptedRedis } from '../../support/scripted-redis.ts';

const FINE = { redis_version: '7.2.4', role: 'master', maxmemory_policy: 'noeviction', aof_enabled: '1' };

/** A Redis that says this of itself; what it refuses is answered with an error. */
async function redisSaying(info: object, refused?: string): Promise<string> {
  const lines = Object.entries({ ...FINE, ...info }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:${value}`],
  );
  const answer = (command: string): RedisAnswer => {
    if (refused !== undefined) return new Error(refused);
    if (command.startsWith('HELLO')) return ['server', 'redis', 'proto', 2];
    return command === 'PING' ? 'PONG' : command === 'INFO' ? ['# Server', ...lines].join('\r\n') : 'OK';
  };
  const redis = await startScriptedRedis(answer);
  onTestFinished(() => redis.close());
  return `redis://127.0.0.1:${redis.port}`;
}

async function found(info: object): Promise<string[]> {
  const findings = await checkRedis(await redisSaying(info), 2_000);
  // How fast it answers is a matter of the machine.
  return findings.slice(1).map(({ problem, level, what }) => problem ?? `${level}: ${what}`);
}

test('A Redis that is as it should be is fine in every respect', async () => {
  expect(await found({})).toEqual([
    'ok: version 7.2.4',
    'ok: it takes writes',
    'ok: it evicts nothing',
    'ok: it is append-only: a restart keeps open lookups',
  ]);
});

test.each([
  ['6.2.0', 'ok: version 6.2.0'],
  ['6.1.9', 'redis-old'],
  ['5.9.1', 'redis-old'],
  ['7.0.0', 'ok: version 7.0.0'],
  ['10.0.0', 'ok: version 10.0.0'],
])('The version %s is judged so: %s', async (redis_version, expected) => {
  expect((await found({ redis_version }))[0]).toBe(expected);
});

test('Of Valkey its own version is named, and judged by the Redis that it stands for', async () => {
  expect((await found({ valkey_version: '8.0.1', redis_version: '7.2.4' }))[0]).toBe('ok: version 8.0.1');
});

test.each([
  [{ role: 'slave' }, 1, 'redis-replica'],
  [{ maxmemory_policy: 'allkeys-lru' }, 2, 'redis-evicts'],
  [{ maxmemory_policy: undefined }, 2, 'redis-evicts'],
  [{ aof_enabled: '0' }, 3, 'redis-not-append-only'],
])('What it says of itself is judged: %j', async (info, index, problem) => {
  expect((await found(info))[index]).toBe(problem);
});

describe('A Redis that refuses', () => {
  test.each([
    ['WRONGPASS invalid username-password pair', 'redis-password'],
    ['NOAUTH Authentication required.', 'redis-password'],
    ['NOPERM this user has no permissions', 'redis-password'],
    ['ERR AUTH called without any password configured', 'redis-password'],
    ['ERR max number of clients reached', 'redis-unreachable'],
  ])('with “%s” is told as that, once', async (refused, problem) => {
    const address = (await redisSaying({}, refused)).replace('//', '//:wrong@');
    const findings = await checkRedis(address, 2_000);
    expect(findings.map((finding) => finding.problem)).toEqual([problem]);
    expect(JSON.stringify(findings)).not.toContain('wrong@');
  });
});
