import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { openJwe } from './jwe.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `2.<name of the key>.<initialization vector, ciphertext and tag in base64url>`. */
const FORMAT = '2';

/** A stored value cannot be decrypted: none of the keys fits, it was altered, or it was moved from another place. */
export class SealBroken extends Error {}

/**
 * Encrypts text with AES-256-GCM: the first key encrypts, each of the keys can decrypt. The text is bound to its place,
 * the name that it is stored under: moved to another place, it cannot be decrypted.
 */
export class Sealer {
  readonly #first: { readonly name: string; readonly key: KeyObject };
  readonly #byName: ReadonlyMap<string, KeyObject>;

  /** Keys of 32 bytes. */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    const named = keys.map((bytes) => [nameOf(bytes), createSecretKey(bytes)] as const);
    this.#byName = new Map(named);
    this.#first = { name: nameOf(keys[0]), key: createSecretKey(keys[0]) };
  }

  /** Short names of the keys, which reveal nothing of them; the encrypting key's comes first. */
  get keyNames(): readonly string[] {
    return [...new Set([this.#first.name, ...this.#byName.keys()])];
  }

  /** Encrypts a text. */
  seal(text: string, place: string): string {
    const { name, key } = this.#first;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
    const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${FORMAT}.${name}.${Buffer.concat(parts).toString('base64url')}`;
  }

  /** Decrypts a text that was encrypted for this place. Throws `SealBroken`. */
  open(sealed: string, place: string): string {
    return unsealed(() => {
      const [format, name = '', content = ''] = sealed.split('.');
      if (format !== FORMAT) throw new Error('the text is not sealed in the present format');
      return decrypt(this.#keyNamed(name), Buffer.from(content, 'base64url'), place);
    });
  }

  /**
   * Decrypts a text of version 0.1, which is bound to no place: only for names under which that version stored values.
   */
  openEarlier(sealed: string): string {
    return unsealed(() => openJwe(sealed, (name) => this.#keyNamed(name)));
  }

  #keyNamed(name: string): KeyObject {
    const key = this.#byName.get(name);
    if (key === undefined) throw new Error(`there is no key named ${name}`);
    return key;
  }
}

function decrypt(key: KeyObject, content: Buffer, place: string): string {
  if (content.length < IV_BYTES + TAG_BYTES) throw new Error('the sealed text is too short');
  const end = content.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, content.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(content.subarray(end));
  return decipher.update(content.subarray(IV_BYTES, end), undefined, 'utf8') + decipher.final('utf8');
}

function unsealed(open: () => string): string {
  try {
    return open();
  } catch (error) {
    throw new SealBroken('a stored value could not be opened with the present STATE_KEY', { cause: error });
  }
}

function nameOf(bytes: Uint8Array): string {
  return createHash('sha256').update('snapshot-bot key name').update(bytes).digest('hex').slice(0, 8);
}
