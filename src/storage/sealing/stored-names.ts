import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Sealer } from './sealer.ts';

const SECRET_BYTES = 32;
/** 144 bits of the hash: short, and long enough that no two names are the same. */
const NAME_LENGTH = 24;
/** How many names are cached: the steps of a lookup need the same few again. */
const MOST_REMEMBERED = 2_000;

/**
 * The names that values are stored under: keyed hashes, because keys hold the ids of people and snapshots. A name does
 * not change when STATE_KEY does.
 */
export class StoredNames {
  readonly #secret: KeyObject;
  readonly #remembered = new Map<string, string>();

  constructor(secret: Uint8Array) {
    this.#secret = createSecretKey(secret);
  }

  of(namespace: string, key: string): string {
    const plainName = `${namespace}\0${key}`;
    const known = this.#remembered.get(plainName);
    if (known !== undefined) return known;
    const hash = createHmac('sha256', this.#secret).update(plainName).digest('base64url');
    const name = hash.slice(0, NAME_LENGTH);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(plainName, name);
    return name;
  }
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
  if (own !== undefined) return new StoredNames(Buffer.from(own, 'base64'));
  let secret: string | undefined;
  for (const keyName of others) secret ??= await find(keyName);
  secret ??= randomBytes(SECRET_BYTES).toString('base64');
  await shelf.add(first, sealer.seal(secret, storedNameOf(first)));
  // Another replica may have stored its secret first.
  return new StoredNames(Buffer.from((await find(first)) ?? secret, 'base64'));
}

function storedNameOf(keyName: string): string {
  return `secret\0${keyName}`;
}
