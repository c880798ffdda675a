import { errorCode } from '../core/error-code.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const AREA = 'REDIS_URL';
/** The oldest version that BullMQ recommends; older ones lack commands that it uses. */
const LEAST_VERSION = [6, 2];
const SLOW_MS = 50;
const PINGS = 5;

/** Checks the Redis that replicas share: reachable, recent, writable, without eviction, fast. Writes nothing. */
export async function checkRedis(url: string, timeoutMs: number): Promise<Finding[]> {
  // Loaded only where there is a Redis: it takes time and memory.
  const { createClient } = await import('@keyv/redis');
  const socket = { connectTimeout: timeoutMs, reconnectStrategy: false } as const;
  const client = createClient({ url, disableOfflineQueue: true, socket });
  // Each failed command throws to its caller; without a listener the error event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const times: number[] = [];
    for (let ping = 0; ping < PINGS; ping += 1) {
      const began = performance.now();
      await client.ping();
      times.push(performance.now() - began);
    }
    return [latencyFinding(times), ...infoFindings(fieldsOf(await client.info()))];
  } catch (error) {
    return [connectionFailure(error)];
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function connectionFailure(error: unknown): Finding {
  const message = error instanceof Error ? error.message : '';
  const isRefused = /WRONGPASS|NOAUTH|NOPERM|AUTH /.test(message);
  return isRefused
    ? failure(
        'redis-password',
        AREA,
        'Redis rejects the password or the user',
        'check user and password in the address',
      )
    : failure(
        'redis-unreachable',
        AREA,
        `Redis cannot be reached (${errorCode(error)})`,
        'check the address, redis:// or rediss:// and the firewall',
      );
}

function latencyFinding(times: readonly number[]): Finding {
  const median = [...times].sort((one, other) => one - other)[Math.floor(PINGS / 2)] ?? 0;
  const what = `Redis answers in ${median.toFixed(1)} ms`;
  return median < SLOW_MS ? ok(AREA, what) : warning('redis-slow', AREA, what, 'put it nearer to the bot');
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split('\r\n').map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
  );
}

function infoFindings(fields: ReadonlyMap<string, string>): Finding[] {
  return [versionFinding(fields), roleFinding(fields), evictionFinding(fields), persistenceFinding(fields)];
}

function versionFinding(fields: ReadonlyMap<string, string>): Finding {
  const stated = fields.get('valkey_version') ?? fields.get('redis_version') ?? 'unknown';
  const [major = 0, minor = 0] = (fields.get('redis_version') ?? '').split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_VERSION;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  const what = `version ${stated}`;
  return isOld ? failure('redis-old', AREA, what, `use ${LEAST_VERSION.join('.')} or later`) : ok(AREA, what);
}

function roleFinding(fields: ReadonlyMap<string, string>): Finding {
  if (fields.get('role') !== 'slave') return ok(AREA, 'it takes writes');
  return failure(
    'redis-replica',
    AREA,
    'this is a replica, which takes no writes',
    'use the address of the primary, or of a proxy that leads to the present one',
  );
}

function evictionFinding(fields: ReadonlyMap<string, string>): Finding {
  const policy = fields.get('maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') return ok(AREA, 'it evicts nothing');
  const repair = 'set maxmemory-policy to noeviction: an evicted key can be an open lookup';
  return failure('redis-evicts', AREA, `its eviction policy is ${policy}`, repair);
}

function persistenceFinding(fields: ReadonlyMap<string, string>): Finding {
  if (fields.get('aof_enabled') === '1') return ok(AREA, 'it is append-only: a restart keeps open lookups');
  const repair =
    'set appendonly yes: otherwise lookups accepted since the last save are lost when Redis dies';
  return warning('redis-not-append-only', AREA, 'it is not append-only', repair);
}
