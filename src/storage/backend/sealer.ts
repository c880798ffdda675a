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
 * Encrypts text with AES-256-GCM: the first key encrypts, each of the keys can decrypt. They are bound to the
 * name that they are stored under: copied to another name, they cannot be decrypted.
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

  /** Encrypts what is stored under this name. */
  seal(text: string, storedName: string): string {
    const { name, key } = this.#first;
    const iv = nextIv();
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(storedName));
    const encrypted = cipher.update(text, 'utf8');
    const parts = [iv, encrypted, cipher.final(), cipher.getAuthTag()];
    return `${FORMAT}.${name}.${Buffer.concat(parts).toString('base64url')}`;
  }

  /** Decrypts a text that was encrypted for this name. Throws `SealBroken`. */
  open(sealed: string, storedName: string): string {
    try {
      const [format, name = '', content = ''] = sealed.split('.');
      if (format !== FORMAT) throw new Error('the text is not sealed in the present format');
      const key = this.#byName.get(name);
      if (key === undefined) throw new Error(`there is no key named ${name}`);
      return decrypt(key, Buffer.from(content, 'base64url'), storedName);
    } catch (error) {
      throw new SealBroken('a stored value could not be opened with the present STATE_KEY', { cause: error });
    }
  }
}

/** Random bytes for many initialization vectors: to ask for each alone takes longer than to encrypt a value. */
let ivs = Buffer.alloc(0);

/** Each is used once. */
function nextIv(): Buffer {
  if (ivs.length < IV_BYTES) ivs = randomBytes(IV_BYTES * 500);
  const iv = ivs.subarray(0, IV_BYTES);
  ivs = ivs.subarray(IV_BYTES);
  return iv;
}

function decrypt(key: KeyObject, content: Buffer, storedName: string): string {
  if (content.length < IV_BYTES + TAG_BYTES) throw new Error('the sealed text is too short');
  const end = content.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, content.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(storedName))
    .setAuthTag(content.subarray(end));
  return Buffer.concat([decipher.update(content.subarray(IV_BYTES, end)), decipher.final()]).toString('utf8');
}

function nameOf(bytes: Uint8Array): string {
  return createHash('sha256').update('snapshot-bot key name').update(bytes).digest('hex').slice(0, 8);
}
