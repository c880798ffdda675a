import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { inTime, LATE } from '../../core/deadline.ts';
import type { FindPrimary } from './primary.ts';
import type { Endpoint, GroupAddress } from './redis-address.ts';
import type { RedisConnection } from './redis-client.ts';

const LOOK_EVERY_MS = 1_000;
/** A primary that has not answered for this long may have been replaced. */
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

/** What the server at the other end says about its role. */
type Role = { readonly isPrimary: boolean; readonly replicas: number };

type FollowerOptions = {
  readonly group: GroupAddress;
  /** A key of the bot: all of them lie in one hash slot. */
  readonly key: string;
  readonly find: FindPrimary;
  readonly connections: Connections;
  /** The connection that is asked for its role; the following ends when it is closed. */
  readonly main: RedisConnection;
  /** The connection for writes that must not be lost. */
  readonly confirmed: RedisConnection;
};

/**
 * Checks every second whether the connections lead to the primary, and replaces those that do not, until the main one
 * is closed: a former primary that is still up keeps its connections and refuses every write.
 */
export class PrimaryFollower {
  readonly #options: FollowerOptions;
  #isAlone = false;
  #isLooking = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Whether no replica could take over from the primary at the last check. */
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
    if (this.#options.confirmed.isOpen) this.#options.confirmed.destroy();
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
    // A primary without replicas may have been replaced without knowing it.
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

/**
 * Reconnects the connections that do not lead to the primary. Their unanswered commands fail, as when a connection is
 * lost.
 */
function renewOthers(connections: Connections, primary: Endpoint | undefined): void {
  for (const [client, { endpoint }] of [...connections]) {
    if (!client.isReady || isSame(endpoint, primary)) continue;
    client.destroy();
    // The client retries by itself, and reports failures as events.
    client.connect().catch(() => {});
  }
}
