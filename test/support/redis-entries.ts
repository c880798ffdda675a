import { createClient } from '@keyv/redis';

/** One key of a Redis with its value as its type has it; `ttl` is in milliseconds, -1 for ever. */
type RedisEntry = { readonly key: string; readonly ttl: number } & (
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'hash'; readonly value: Readonly<Record<string, string>> }
  | { readonly type: 'zset'; readonly value: readonly { readonly value: string; readonly score: number }[] }
  | { readonly type: 'list' | 'set'; readonly value: string[] }
  | {
      readonly type: 'stream';
      readonly value: readonly { readonly id: string; readonly message: Readonly<Record<string, string>> }[];
    }
);

/** Writes entries into an empty Redis as they are `lateMs` milliseconds later: what ran out in between is not there. */
export async function fillRedis(url: string, entries: readonly RedisEntry[], lateMs: number): Promise<void> {
  const client = newClient(url);
  await client.connect();
  for (const entry of entries) {
    if (entry.ttl > 0 && entry.ttl <= lateMs) continue;
    await write(client, entry);
    if (entry.ttl > 0) await client.pExpire(entry.key, entry.ttl - lateMs);
  }
  client.destroy();
}

function newClient(url: string) {
  return createClient({ url });
}

async function write(client: ReturnType<typeof newClient>, entry: RedisEntry): Promise<void> {
  const { key } = entry;
  if (entry.type === 'string') await client.set(key, entry.value);
  if (entry.type === 'hash') await client.hSet(key, { ...entry.value });
  if (entry.type === 'zset') await client.zAdd(key, [...entry.value]);
  if (entry.type === 'list') await client.rPush(key, entry.value);
  if (entry.type === 'set') await client.sAdd(key, entry.value);
  if (entry.type !== 'stream') return;
  for (const { id, message } of entry.value) await client.xAdd(key, id, { ...message });
}
