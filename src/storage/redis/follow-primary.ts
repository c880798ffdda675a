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
/** A part of the three seconds that Slack gives for an acknowledgement. */
const REPLICATED_WITHIN_MS = 1_200;
const ALONE_AFTER_LOOKS = 5;

/** Where one connection leads; known once it was looked up. */
export type Place = { endpoint: Endpoint | undefined };

/** The open connections of one process, each with where it leads. */
export type Connections = Map<RedisConnection, Place>;

/**
 * Options of a socket that is led to the primary each time that it connects, also after a failover. The name of the
 * host is only a name: `find` says where to. Over TLS the certificate must be good for the host that was found.
 */
export function socketToPrimary(group: GroupAddress, find: FindPrimary, place: Place) {
  const lookup: LookupFunction = (_name, options, callback) => {
    find().then(
      (found) => {
        place.endpoint = found;
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
      checkServerIdentity(place.endpoint?.host ?? '', certificate),
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
  /** One for questions that take their time. */
  readonly waiting: RedisConnection;
};

/**
 * Looks every second whether the connections lead to the primary, until the main one is closed, and makes those anew
 * that do not: a former primary that lives on keeps its connections and refuses every write.
 */
export class PrimaryFollower {
  readonly #options: FollowerOptions;
  /** How often in a row the primary was seen without a replica, and was the primary all the same. */
  #seenAlone = 0;
  #isLooking = false;
  #asked: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  start(): void {
    const timer = setInterval(() => {
      if (!this.#options.main.isOpen) return this.#stop(timer);
      if (this.#isLooking) return;
      this.#isLooking = true;
      this.#look()
        .catch(() => {})
        .finally(() => {
          this.#isLooking = false;
        });
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  #stop(timer: NodeJS.Timeout): void {
    clearInterval(timer);
    if (this.#options.waiting.isOpen) this.#options.waiting.destroy();
  }

  /**
   * Settles when a replica has what was written so far, so that a failover does not lose it. Where the primary has had no
   * replica for seconds there is none to wait for. Throws when none has it in time.
   */
  async replicated(): Promise<void> {
    if (this.#seenAlone >= ALONE_AFTER_LOOKS) return;
    // Who comes while one question is on its way shares the next one, which is asked after what they wrote.
    this.#next ??= this.#asked
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#asked = this.#askReplicas();
        return this.#asked;
      });
    await this.#next;
  }

  /** On a connection of its own: the question holds up what comes after it there. */
  async #askReplicas(): Promise<void> {
    const { waiting, key } = this.#options;
    if (!waiting.isOpen) await waiting.connect();
    const [, count] = await Promise.all([
      waiting.set(`${key}:replicated`, '1', { expiration: { type: 'PX', value: 1_000 } }),
      waiting.sendCommand(['WAIT', '1', String(REPLICATED_WITHIN_MS)]),
    ]);
    if (Number(count) < 1) throw new Error('no replica of Redis has taken over what was written');
  }

  async #look(): Promise<void> {
    const { main, connections, find } = this.#options;
    const place = connections.get(main);
    if (place === undefined || !main.isReady) return;
    const found = await inTime(SILENT_MS, this.#roleOf(main)).catch(() => LATE);
    const role = typeof found === 'symbol' ? undefined : found;
    if (role?.isPrimary && role.replicas > 0) {
      this.#seenAlone = 0;
      return renewOthers(connections, place.endpoint);
    }
    // One without replicas may have been replaced without its knowledge.
    const primary = await find();
    const isStill = role?.isPrimary && isSame(primary, place.endpoint);
    this.#seenAlone = isStill ? this.#seenAlone + 1 : 0;
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
