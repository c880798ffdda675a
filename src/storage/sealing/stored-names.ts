import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Sealer } from './sealer.ts';

const SECRET_BYTES = 32;
/** 144 bits of the hash: short, and long enough that no two names are the same. */
const NAME_LENGTH = 24;

/**
 * The names that values are stored under: keyed hashes, because keys hold the ids of people and snapshots. A name does
 * not change when STATE_KEY does.
 */
export type StoredNames = (namespace: string, key: string) => string;

export function storedNames(secret: Uint8Array): StoredNames {
  const hashKey = createSecretKey(secret);
  return (namespace, key) =>
    createHmac('sha256', hashKey).update(`${namespace}\0${key}`).digest('base64url').slice(0, NAME_LENGTH);
}

/** Where the encrypted copies of the secret are stored, each under the name of the key that encrypted it. */
export interface SecretShelf {
  get(keyName: string): Promise<string | undefined>;
  /** Does not overwrite. */
  add(keyName: string, sealed: string): Promise<void>;
}

/**
 * The names of one store. Their secret is made at random for a new store and stored there, encrypted with each key that
 * has been the first of STATE_KEY. Throws `SealBroken` if a copy was altered.
 */
export async function loadStoredNames(shelf: SecretShelf, sealer: Sealer): Promise<StoredNames> {
  const [first = '', ...others] = sealer.keyNames;
  const find = async (keyName: string) => {
    const sealed = await shelf.get(keyName);
    return sealed === undefined ? undefined : sealer.open(sealed, storedNameOf(keyName));
  };
  const own = await find(first);
  if (own !== undefined) return storedNames(Buffer.from(own, 'base64'));
  let secret: string | undefined;
  for (const keyName of others) secret ??= await find(keyName);
  secret ??= randomBytes(SECRET_BYTES).toString('base64');
  await shelf.add(first, sealer.seal(secret, storedNameOf(first)));
  // Another replica may have stored its secret first.
  return storedNames(Buffer.from((await find(first)) ?? secret, 'base64'));
}

function storedNameOf(keyName: string): string {
  return `secret\0${keyName}`;
}
