/** A part of the two seconds that the store has to answer. */
const REPLICATED_WITHIN_MS = 800;

/** What a write needs of a connection to be confirmed on it. */
type Confirming = {
  /** A number that is different for each socket of the connection. */
  readonly socketEpoch: number;
  sendCommand(words: string[]): Promise<unknown>;
};

/** Does a write on a connection, and resolves once it survives the death of the server; throws if it would not. */
export type Durably = <T>(connection: Confirming, write: () => Promise<T>) => Promise<T>;

/** A single server has no replica that could take over, so its acknowledgement is enough. */
export const onOneServer: Durably = (_connection, write) => write();

/**
 * Waits until a replica has the write too: Redis acknowledges before it replicates, and what only a dead or a former
 * primary had is lost. `isAlone` says whether nobody could take over. https://redis.io/docs/latest/commands/wait/
 */
export function onReplicas(isAlone: () => boolean): Durably {
  const confirmations = new WeakMap<Confirming, () => Promise<void>>();
  return async (connection, write) => {
    const { socketEpoch } = connection;
    const written = await write();
    const confirm = confirmations.get(connection) ?? shared(() => askReplicas(connection, isAlone));
    confirmations.set(connection, confirm);
    await confirm();
    // On a new socket, perhaps to another server, nothing was written: WAIT would succeed without the write.
    if (connection.socketEpoch !== socketEpoch)
      throw new Error('the connection to Redis was lost during the write');
    return written;
  };
}

/** Must be called on the connection that wrote, because WAIT is about the writes of its own connection. */
async function askReplicas(connection: Confirming, isAlone: () => boolean): Promise<void> {
  if (isAlone() && (await countReplicas(connection)) === 0) return;
  const count = await connection.sendCommand(['WAIT', '1', String(REPLICATED_WITHIN_MS)]);
  if (!(Number(count) >= 1)) throw new Error('no replica of Redis confirmed the write');
}

async function countReplicas(connection: Confirming): Promise<number> {
  const role = await connection.sendCommand(['ROLE']);
  const [, , replicas] = Array.isArray(role) ? role : [];
  return Array.isArray(replicas) ? replicas.length : 0;
}

/** Shares the calls: those that come while one is under way share the next one, which then covers their writes. */
function shared(ask: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= asked
      .catch(() => {})
      .then(() => {
        next = undefined;
        asked = ask();
        return asked;
      });
    return next;
  };
}
