import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Sealer } from './sealer.ts';

const SECRET_BYTES = 32;
/** 144 bits of the hash: short, and long enough that no two names are the same. */
const NAME_LENGTH = 24;

/**
 * The names that values are stored under: keyed hashes, because keys hold the ids of people and snapshots. A name does
 * not change when STATE_KEY does.
 */
type StoredNames = (namespace: string, key: string) => string;

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

/** What values are stored under, and what else they may lie under. */
export type AllNames = readonly [StoredNames, ...StoredNames[]];

/**
 * The names of one store. Their secret is made at random for a new store and stored there, encrypted with each key that
 * has been the first of STATE_KEY. A bot that had none of the earlier keys made another secret: once they are back, what
 * lies under its other names is found too. Throws `SealBroken` if a copy was altered.
 */
export async function loadStoredNames(shelf: SecretShelf, sealer: Sealer): Promise<AllNames> {
  const [first = ''] = sealer.keyNames;
  const find = async (keyName: string) => {
    const sealed = await shelf.get(keyName);
    return sealed === undefined ? undefined : sealer.open(sealed, storedNameOf(keyName));
  };
  const found = await Promise.all(sealer.keyNames.map(find));
  const [secret = randomBytes(SECRET_BYTES).toString('base64'), ...others] = new Set(
    found.filter((each) => each !== undefined),
  );
  if (found[0] === undefined) await shelf.add(first, sealer.seal(secret, storedNameOf(first)));
  // Another replica may have stored its secret first.
  const own = found[0] ?? (await find(first)) ?? secret;
  const namesOf = (each: string) => storedNames(Buffer.from(each, 'base64'));
  return [namesOf(own), ...others.map(namesOf)];
}

function storedNameOf(keyName: string): string {
  return `secret\0${keyName}`;
}
