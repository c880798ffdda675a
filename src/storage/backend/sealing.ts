import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `2.<name of the key>.<initialization vector, ciphertext and tag in base64url>`. */
const FORMAT = '2';

/** A stored value cannot be decrypted: none of the keys fits, it was altered, or it was stored under another name. */
export class SealBroken extends Error {}

/**
 * Encrypts text with AES-256-GCM: the first key encrypts, each of the keys can decrypt. Texts are bound to the name that
 * they are stored under: copied to another name, they cannot be decrypted.
 */
export class Sealer {
  readonly #first: readonly [name: string, key: KeyObject];
  readonly #keys: ReadonlyMap<string, KeyObject>;

  /** Keys of 32 bytes. */
  constructor([first, ...others]: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#first = named(first);
    this.#keys = new Map([this.#first, ...others.map(named)]);
  }

  /** Encrypts what is stored under this name. */
  seal(text: string, storedName: string): string {
    const [name, key] = this.#first;
    const iv = nextIv();
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(storedName));
    const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${FORMAT}.${name}.${Buffer.concat(parts).toString('base64url')}`;
  }

  /** Decrypts a text that was encrypted for this name. Throws `SealBroken`. */
  open(sealed: string, storedName: string): string {
    const [format, name = '', content = ''] = sealed.split('.');
    try {
      const key = this.#keys.get(name);
      if (format !== FORMAT || key === undefined) throw new Error(`there is no key named ${name}`);
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(storedName))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const parts = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(parts).toString('utf8');
    } catch (error) {
      throw new SealBroken('a stored value could not be opened with the present STATE_KEY', { cause: error });
    }
  }
}

/** Random bytes for many initialization vectors: to ask for each alone takes a tenth of a seal. Each is used once. */
let ivs = Buffer.alloc(0);

function nextIv(): Buffer {
  if (ivs.length < IV_BYTES) ivs = randomBytes(IV_BYTES * 500);
  const iv = ivs.subarray(0, IV_BYTES);
  ivs = ivs.subarray(IV_BYTES);
  return iv;
}

function named(bytes: Uint8Array): readonly [name: string, key: KeyObject] {
  const digest = createHash('sha256').update('snapshot-bot key name').update(bytes).digest('hex');
  return [digest.slice(0, 8), createSecretKey(bytes)];
}
