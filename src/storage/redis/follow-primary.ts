import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { inTime, LATE } from '../../core/deadline.ts';
import type { FindPrimary } from './primary.ts';
import type { Endpoint, GroupAddress } from './redis-address.ts';
import type { RedisConnection } from './redis-client.ts';

const LOOK_EVERY_MS = 1_000;
/** A primary that says nothing for so long may have been replaced. */
const SILENT_MS = 3_000;

/** Where one connection leads; known once it was looked up. */
export type CurrentEndpoint = { endpoint: Endpoint | undefined };

/** The open connections of one process, each with where it leads. */
export type Connections = Map<RedisConnection, CurrentEndpoint>;

/**
 * Options of a socket that is led to the primary each time that it connects, also after a failover. The name of the
 * host is only a name: `find` says where to. Over TLS the certificate must be good for the host that was found.
 */
export function socketToPrimary(group: GroupAddress, find: FindPrimary, current: CurrentEndpoint) {
  const lookup: LookupFunction = (_name, options, callback) => {
    find().then(
      (found) => {
        current.endpoint = found;
        if (found.port === group.port) return resolveName(found.host, options, callback);
        const problem = `the primary listens on port ${found.port}, not ${group.port}`;
        callback(new Error(`${problem}: all must listen on one port, which REDIS_URL names`), '');
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
  const common = { host: 'redis-primary', port: group.port, lookup };
  if (!group.isTls) return common;
  return {
    ...common,
    tls: true as const,
    checkServerIdentity: (_name: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(current.endpoint?.host ?? '', certificate),
  };
}

/** What the other end of a connection says of itself. */
type Role = { readonly isPrimary: boolean; readonly replicas: number };

type FollowerOptions = {
  readonly group: GroupAddress;
  /** A key of the bot: all of them lie in one hash slot. */
  readonly key: string;
  readonly find: FindPrimary;
  readonly connections: Connections;
  /** The connection that is asked, and by whose close the following ends. */
  readonly main: RedisConnection;
  /** The one that promises are written on. */
  readonly promising: RedisConnection;
};

/**
 * Looks every second whether the connections lead to the primary, until the main one is closed, and makes those anew
 * that do not: a former primary that lives on keeps its connections and refuses every write.
 */
export class PrimaryFollower {
  readonly #options: FollowerOptions;
  #isAlone = false;
  #isLooking = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Whether nobody could take over from the primary when it was seen last. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  start(): void {
    this.#begin();
    const timer = setInterval(() => {
      if (!this.#options.main.isOpen) return this.#stop(timer);
      this.#begin();
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  #stop(timer: NodeJS.Timeout): void {
    clearInterval(timer);
    if (this.#options.promising.isOpen) this.#options.promising.destroy();
  }

  #begin(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#look()
      .catch(() => {})
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #look(): Promise<void> {
    const { main, connections, find } = this.#options;
    const current = connections.get(main);
    if (current === undefined || !main.isReady) return;
    const found = await inTime(SILENT_MS, this.#roleOf(main)).catch(() => LATE);
    const role = typeof found === 'symbol' ? undefined : found;
    if (role?.isPrimary && role.replicas > 0) {
      this.#isAlone = false;
      return renewOthers(connections, current.endpoint);
    }
    // One without replicas may have been replaced without its knowledge.
    const primary = await find();
    const isStill = role?.isPrimary === true && isSame(primary, current.endpoint);
    this.#isAlone = isStill && primary.successors === 0;
    renewOthers(connections, primary);
  }

  /** Sentinel's former primary has another role; a node of a Cluster that has lost the slot names another one. */
  async #roleOf(client: RedisConnection): Promise<Role> {
    const { group, key } = this.#options;
    if (group.kind === 'cluster') await client.exists(key);
    const role = await client.sendCommand(['ROLE']);
    const [name, , replicas] = Array.isArray(role) ? role : [];
    return { isPrimary: String(name) === 'master', replicas: Array.isArray(replicas) ? replicas.length : 0 };
  }
}

function isSame(one: Endpoint | undefined, other: Endpoint | undefined): boolean {
  return one?.host === other?.host && one?.port === other?.port;
}

/** What they were asked and have not answered fails, as when a connection is lost. */
function renewOthers(connections: Connections, primary: Endpoint | undefined): void {
  for (const [client, { endpoint }] of [...connections]) {
    if (!client.isReady || isSame(endpoint, primary)) continue;
    client.destroy();
    // It goes on trying by itself; its failures are events.
    client.connect().catch(() => {});
  }
}
