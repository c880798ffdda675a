import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import { errorCode } from '../core/errors.ts';
import { DataDirUnusable, FILE_NAME } from '../storage/data-directory.ts';
import type { StorageSettings } from '../storage/storage.ts';
import { openStorage } from '../storage/storage.ts';
import { type Finding, failure, findingsOf, ok, warning } from './finding.ts';

/**
 * Checks the configured store: for SQLite the folder, and one write if the file exists; for Redis one write, and
 * whether it keeps all keys. Creates no database.
 */
export async function checkStorage({ storage }: Pick<Config, 'storage'>): Promise<Finding[]> {
  if (storage.kind === 'redis')
    return [...(await checkRedis(storage.url)), ...(await tryStorage('REDIS_URL', storage))];
  const isUsed = existsSync(join(storage.dataDir, FILE_NAME));
  return isUsed ? tryStorage('DATA_DIR', storage) : [checkFolder(storage.dataDir)];
}

function checkFolder(dataDir: string): Finding {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    rmdirSync(mkdtempSync(join(folder, '.doctor-')));
    return ok('DATA_DIR', `${folder} is writable`);
  } catch (error) {
    const what = `${folder} cannot be written to (${errorCode(error)})`;
    return failure('DATA_DIR', what, 'choose a folder that the user that runs the bot may write to');
  }
}

/** Opens the store like the bot, and writes to it once. */
function tryStorage(area: string, settings: StorageSettings): Promise<Finding[]> {
  return findingsOf(area, async () => {
    try {
      const context = { logger: pino({ level: 'silent' }), now: Date.now };
      const { store, jobs } = await openStorage(settings, context);
      await store.check().finally(async () => {
        await jobs.stop(0);
        await store.close();
      });
      return [ok(area, 'the store takes writes')];
    } catch (error) {
      if (!(error instanceof DataDirUnusable) || error.why !== 'is in use by another process') throw error;
      return [ok(area, 'the bot that runs here uses it')];
    }
  });
}

const EVICTS = 'set maxmemory-policy to noeviction: an evicted key can be an open lookup';
const NOT_DURABLE =
  'set appendonly yes: otherwise lookups accepted since the last save are lost when Redis dies';

/** Problems in the settings that INFO reports (https://redis.io/docs/latest/commands/info/); empty if INFO fails. */
export async function checkRedis(url: string): Promise<Finding[]> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, commandTimeout: 3_000 });
  // An error event without a listener would end the process; `tryStorage` reports the problem.
  client.on('error', () => {});
  const info = await client.info().catch(() => '');
  client.disconnect();
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim();
  const [version = '7', policy = 'noeviction'] = [field('redis_version'), field('maxmemory_policy')];
  const area = 'REDIS_URL';
  return [
    Number.parseFloat(version) < 6.2 && failure(area, `version ${version}`, 'use 6.2 or later'),
    policy !== 'noeviction' && failure(area, `its eviction policy is ${policy}`, EVICTS),
    field('aof_enabled') === '0' && warning(area, 'it is not append-only', NOT_DURABLE),
  ].filter((finding) => finding !== false);
}
