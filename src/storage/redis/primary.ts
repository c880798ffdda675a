import { createClient } from '@keyv/redis';
import { type Endpoint, type GroupAddress, NoPrimary } from './redis-address.ts';

const ASK_TIMEOUT_MS = 2_000;

/** After a silence of this length Sentinel does not promote a replica. Milliseconds. */
const UNREACHABLE_MS = 5_000;

/** The server that takes the bot's writes, and how many servers could take over from it. */
type Primary = Endpoint & { readonly successors: number };

/** Asks which server takes the bot's writes now. Throws if none of those that are asked knows. */
export type FindPrimary = () => Promise<Primary>;

/**
 * Asks all Sentinels, or all known nodes of the Cluster, at once, and takes the first answer. `key` is a key of the bot:
 * all of them lie in one hash slot.
 */
export function primaryFinder(group: GroupAddress, key: string): FindPrimary {
  const known = new Map(group.seeds.map((seed) => [`${seed.host} ${seed.port}`, seed]));
  const learn = (endpoints: readonly Endpoint[]) => {
    for (const found of endpoints) known.set(`${found.host} ${found.port}`, found);
  };
  return async () => {
    const asked = [...known.values()].map((server) =>
      group.kind === 'sentinel' ? askSentinel(group, server) : askNode(group, server, key, learn),
    );
    try {
      return await Promise.any(asked);
    } catch (error) {
      const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
      throw first instanceof Error ? first : new NoPrimary('no Redis answers', { cause: first });
    }
  };
}

type Ask = (...words: string[]) => Promise<unknown>;

/**
 * Opens a connection for one or two questions. Sentinels often have no password, so it is given only to a server that
 * asks for one.
 */
async function asking<T>(group: GroupAddress, { host, port }: Endpoint, work: (ask: Ask) => Promise<T>) {
  const { isTls, username, password } = group;
  const options = { host, port, connectTimeout: ASK_TIMEOUT_MS, reconnectStrategy: false } as const;
  const client = createClient({
    disableOfflineQueue: true,
    socket: isTls ? { ...options, tls: true } : options,
  });
  // The caller gets the error from its command.
  client.on('error', () => {});
  const timer = setTimeout(() => client.isOpen && client.destroy(), ASK_TIMEOUT_MS);
  try {
    await client.connect();
    return await work(async (...words) => {
      try {
        return await client.sendCommand(words);
      } catch (error) {
        if (password === undefined || !(error instanceof Error && error.message.startsWith('NOAUTH')))
          throw error;
        await client.auth(username === undefined ? { password } : { username, password });
        return client.sendCommand(words);
      }
    });
  } finally {
    clearTimeout(timer);
    if (client.isOpen) client.destroy();
  }
}

/** https://redis.io/docs/latest/develop/reference/sentinel-clients/ */
function askSentinel(group: GroupAddress, sentinel: Endpoint): Promise<Primary> {
  return asking(group, sentinel, async (ask) => {
    const found = await ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', group.name);
    if (!Array.isArray(found)) throw new NoPrimary(`Sentinel knows no primary named ${group.name}`);
    const [host, port] = found;
    const replicas = await ask('SENTINEL', 'REPLICAS', group.name);
    const successors = Array.isArray(replicas) ? replicas.filter(isReachable).length : 0;
    return { host: String(host), port: Number(port), successors };
  });
}

/** What Sentinel tells of a replica: names and values in turn. One of whose health it tells nothing may take over. */
function isReachable(told: unknown): boolean {
  const words = Array.isArray(told) ? told.map(String) : [];
  const field = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : '') ?? '';
  if (/s_down|o_down|disconnected/.test(field('flags'))) return false;
  return Number(field('last-ok-ping-reply')) <= UNREACHABLE_MS;
}

/** https://redis.io/docs/latest/commands/cluster-slots/ */
function askNode(
  group: GroupAddress,
  node: Endpoint,
  key: string,
  learn: (endpoints: readonly Endpoint[]) => void,
): Promise<Primary> {
  return asking(group, node, async (ask) => {
    const slot = Number(await ask('CLUSTER', 'KEYSLOT', key));
    const ranges = rangesOf(await ask('CLUSTER', 'SLOTS'), node);
    learn(ranges.flatMap(({ nodes }) => nodes));
    const found = ranges.find(({ first, last }) => first <= slot && slot <= last);
    // Replicas that have failed are not among them.
    const [primary, ...replicas] = found?.nodes ?? [];
    if (primary === undefined) throw new NoPrimary(`no node of the Cluster has slot ${slot}`);
    return { ...primary, successors: replicas.length };
  });
}

type SlotRange = { readonly first: number; readonly last: number; readonly nodes: readonly Endpoint[] };

/** Of each range the primary comes first. A node without an address is the one that was asked. */
function rangesOf(answer: unknown, asked: Endpoint): SlotRange[] {
  if (!Array.isArray(answer)) return [];
  return answer.map(([first, last, ...nodes]) => ({
    first: Number(first),
    last: Number(last),
    nodes: nodes.map(([host, port]: [unknown, unknown]) => ({
      host: host === null || host === '' ? asked.host : String(host),
      port: Number(port),
    })),
  }));
}
