import { errorCode } from '../core/errors.ts';
import { Sealer } from '../storage/sealing/sealer.ts';
import { KEY_REPAIR, unopenedSentence } from '../storage/sealing/state-key.ts';
import { type Finding, found, ok } from './finding.ts';

const AREA = 'REDIS_URL';
/** The oldest version that BullMQ recommends, 6.2; older ones lack commands that it uses. */
const [LEAST_MAJOR, LEAST_MINOR] = [6, 2];
const SLOW_MS = 50;
const PINGS = 5;
const KEY = 'snapshot-bot:doctor';
/** What the bot does to Redis, in small. The key goes by itself. */
const TRIED = [
  ['SET', KEY, '1', 'PX', '1000'],
  ['EVAL', "return redis.call('DEL', KEYS[1])", '1', KEY],
  ['BZPOPMIN', KEY, '0.01'],
  ['ROLE'],
  ['WAIT', '0', '1'],
];

/**
 * Checks the Redis that replicas share: reachable, recent, without eviction, fast, and it lets the bot work. With keys,
 * also whether they open what is stored.
 */
export async function checkRedis(
  url: string,
  timeoutMs: number,
  keys?: readonly [Uint8Array, ...Uint8Array[]],
): Promise<Finding[]> {
  // Loaded only where there is a Redis: it takes time and memory.
  const { createClient } = await import('@keyv/redis');
  const socket = { connectTimeout: timeoutMs, reconnectStrategy: false } as const;
  const client = createClient({ url, disableOfflineQueue: true, socket });
  // Each failed command throws to its caller; without a listener the error event would end the process.
  client.on('error', () => {});
  const findings: Finding[] = [];
  try {
    await client.connect();
    const times: number[] = [];
    for (let ping = 0; ping < PINGS; ping += 1) {
      const began = performance.now();
      await client.ping();
      times.push(performance.now() - began);
    }
    findings.push(judgeLatency(times), ...judgeInfo(await client.info()));
    for (const words of TRIED) await client.sendCommand(words);
    findings.push(ok(AREA, 'it takes writes'));
    if (keys === undefined) return findings;
    const { countUnopened } = await import('../storage/redis/unopened.ts');
    const unopened = await countUnopened(client, new Sealer(keys));
    if (unopened > 0)
      findings.push(found('state-key-lacking', 'STATE_KEY', unopenedSentence(unopened), KEY_REPAIR));
  } catch (error) {
    findings.push(judgeRefusal(error));
  } finally {
    if (client.isOpen) client.destroy();
  }
  return findings;
}

/** What Redis answers instead begins with a word in capitals (https://redis.io/docs/latest/develop/reference/protocol-spec/). */
function judgeRefusal(error: unknown): Finding {
  const said = error instanceof Error ? error.message : '';
  if (/WRONGPASS|NOAUTH|AUTH /.test(said))
    return found('redis-password', AREA, 'Redis rejects the password or the user');
  if (said.startsWith('READONLY'))
    return found('redis-replica', AREA, 'this is a replica, which takes no writes');
  if (said.startsWith('NOPERM')) return found('redis-forbidden', AREA, `Redis says ${said}`);
  if (/^[A-Z]+ /.test(said)) return found('redis-refuses', AREA, `Redis says ${said}`);
  return found('redis-unreachable', AREA, `Redis cannot be reached (${errorCode(error)})`);
}

function judgeLatency(times: readonly number[]): Finding {
  const median = times.toSorted((one, other) => one - other)[Math.floor(PINGS / 2)] ?? 0;
  const what = `Redis answers in ${median.toFixed(1)} ms`;
  return median < SLOW_MS ? ok(AREA, what) : found('redis-slow', AREA, what);
}

/** Judges what Redis says of itself, a field a line (https://redis.io/docs/latest/commands/info/). */
function judgeInfo(info: string): Finding[] {
  const lines = info.split('\r\n').map((line) => [line.split(':', 1)[0] ?? '', line] as const);
  const fields = new Map(lines.map(([name, line]) => [name, line.slice(name.length + 1)]));
  const stated = fields.get('redis_version') ?? '';
  const [major = 0, minor = 0] = stated.split('.').map(Number);
  const isOld = major < LEAST_MAJOR || (major === LEAST_MAJOR && minor < LEAST_MINOR);
  const version = `version ${fields.get('valkey_version') ?? (stated || 'unknown')}`;
  const policy = fields.get('maxmemory_policy') ?? 'unknown';
  return [
    isOld ? found('redis-old', AREA, version) : ok(AREA, version),
    policy === 'noeviction'
      ? ok(AREA, 'it evicts nothing')
      : found('redis-evicts', AREA, `its eviction policy is ${policy}`),
    fields.get('aof_enabled') === '1'
      ? ok(AREA, 'it is append-only: a restart keeps open lookups')
      : found('redis-not-append-only', AREA, 'it is not append-only'),
  ];
}
