/** A part of the two seconds that the store has to answer. */
const REPLICATED_WITHIN_MS = 800;
/** How long it is believed that a server has no replicas. */
const ROLE_LASTS_MS = 1_000;
/** A server that lost its replicas a moment ago may have been replaced by one of them without knowing it. */
const REPLACED_WITHIN_MS = 60_000;

/** What writes need of a connection to be confirmed on it. */
type Confirming = {
  /** A number that is different for each socket of the connection. */
  readonly epoch: () => number;
  readonly send: (...words: string[]) => Promise<unknown>;
};

/** Does a write, and resolves once it survives the death of the server; throws if it would not. */
export type Durably = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * Waits until a replica has the write too, where there are replicas: Redis acknowledges before it replicates, and what
 * only a dead or a former primary had is lost. All writes must go through the one connection, because WAIT is about the
 * writes of its own. https://redis.io/docs/latest/commands/wait/
 */
export function durablyOn({ epoch, send }: Confirming): Durably {
  let aloneUntil = 0;
  let lastReplicated = Number.NEGATIVE_INFINITY;
  const confirm = shared(async () => {
    if (performance.now() < aloneUntil) return;
    const [, , replicas] = asList(await send('ROLE'));
    const now = performance.now();
    if (asList(replicas).length === 0 && now - lastReplicated > REPLACED_WITHIN_MS) {
      aloneUntil = now + ROLE_LASTS_MS;
      return;
    }
    lastReplicated = asList(replicas).length === 0 ? lastReplicated : now;
    const count = await send('WAIT', '1', String(REPLICATED_WITHIN_MS));
    if (!(Number(count) >= 1)) throw new Error('no replica of Redis confirmed the write');
  });
  return async (write) => {
    const before = epoch();
    const written = await write();
    await confirm();
    // On a new socket, perhaps to another server, nothing was written: WAIT would succeed without the write.
    if (epoch() !== before) throw new Error('the connection to Redis was lost during the write');
    return written;
  };
}

function asList(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [];
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
