/** Where something listens. */
export type Endpoint = { readonly host: string; readonly port: number };

/** One Redis, or one address that always leads to the present one. */
type SingleAddress = { readonly kind: 'single'; readonly url: string };

/** Redis servers of which one takes the bot's writes at a time; `seeds` say which one. */
export type GroupAddress = {
  readonly kind: 'sentinel' | 'cluster';
  readonly isTls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The Sentinels, or some nodes of the Cluster. */
  readonly seeds: readonly Endpoint[];
  /** The name by which Sentinel knows the primary; empty for a Cluster. */
  readonly name: string;
  /** Every Redis of the group listens on this port. */
  readonly port: number;
};

export type RedisAddress = SingleAddress | GroupAddress;

/** None of the servers that were asked names a primary. */
export class NoPrimary extends Error {}

const PREFIX = 'snapshot-bot';
/** The brackets keep all keys in one hash slot. */
const CLUSTER_PREFIX = `{${PREFIX}}`;
const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;
const NAME = /^[\w.-]{1,200}$/;
const GROUP = /^redis(s?)\+(sentinel|cluster):\/\//;
const ENDPOINT = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

/**
 * Reads `redis://…`, `rediss://…`, `redis+sentinel://user:password@one:26379,two:26379/name?port=6379` and
 * `redis+cluster://user:password@one:6379,two:6379`; `rediss+…` speaks TLS to all of them. Undefined when it is none.
 */
export function redisAddress(text: string): RedisAddress | undefined {
  if (/^rediss?:\/\//.test(text)) return { kind: 'single', url: text };
  const [scheme = '', tls, kind] = GROUP.exec(text) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') return undefined;
  const { credentials, hosts, name, port } = partsOf(text.slice(scheme.length));
  const seeds = hosts
    .split(',')
    .flatMap((host) => endpoint(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT));
  const isNameRight = kind === 'sentinel' ? NAME.test(name) : name === '';
  if (seeds.length !== hosts.split(',').length || !isNameRight || Number.isNaN(port)) return undefined;
  const nodePort = kind === 'cluster' ? seeds[0]?.port : REDIS_PORT;
  return {
    ...{ kind, seeds, name, isTls: tls === 's', ...loginOf(credentials) },
    port: port ?? nodePort ?? REDIS_PORT,
  };
}

/** The parts of an address after its scheme: `user:password@host,host/name?port=6379`. An invalid port is NaN. */
function partsOf(text: string) {
  const [, address = '', query] = /^([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
  const [server = '', ...names] = address.split('/');
  const at = server.lastIndexOf('@');
  const [, port = 'none'] = /^port=(\d{1,5})$/.exec(query ?? '') ?? [];
  return {
    credentials: server.slice(0, Math.max(at, 0)),
    hosts: server.slice(at + 1),
    name: names.join('/'),
    port: query === undefined ? undefined : Number(port),
  };
}

/** The prefix of every key of the bot in that Redis. */
export function keyPrefix({ kind }: RedisAddress): string {
  return kind === 'cluster' ? CLUSTER_PREFIX : PREFIX;
}

function endpoint(text: string, defaultPort: number): Endpoint[] {
  const [, host, port] = ENDPOINT.exec(text) ?? [];
  if (host === undefined) return [];
  return [{ host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) }];
}

function loginOf(credentials: string): Pick<GroupAddress, 'username' | 'password'> {
  const at = credentials.indexOf(':');
  const [username, password] =
    at === -1 ? [credentials, ''] : [credentials.slice(0, at), credentials.slice(at + 1)];
  return { username: decoded(username), password: decoded(password) };
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
