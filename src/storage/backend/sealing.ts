import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../../core/errors.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
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
  readonly #first: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  /** Keys of 32 bytes. */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#keys = new Map(keys.map((bytes) => [nameOf(bytes), createSecretKey(bytes)]));
    this.#first = nameOf(keys[0]);
  }

  /** Encrypts what is stored under this name. */
  seal(text: string, storedName: string): string {
    const iv = nextIv();
    const cipher = createCipheriv(CIPHER, this.#key(this.#first), iv).setAAD(Buffer.from(storedName));
    const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${FORMAT}.${this.#first}.${Buffer.concat(parts).toString('base64url')}`;
  }

  /** Decrypts a text that was encrypted for this name. Throws `SealBroken`. */
  open(sealed: string, storedName: string): string {
    try {
      const [format, name = '', content = ''] = sealed.split('.');
      if (format !== FORMAT) throw new Error('the text is not sealed in the present format');
      return decrypt(this.#key(name), Buffer.from(content, 'base64url'), storedName);
    } catch (error) {
      throw new SealBroken('a stored value could not be opened with the present STATE_KEY', { cause: error });
    }
  }

  #key(name: string): KeyObject {
    const key = this.#keys.get(name);
    if (key === undefined) throw new Error(`there is no key named ${name}`);
    return key;
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

/** The sentence for operators about stored values that no present key opens. */
export function unopenedSentence(count: number): string {
  return `stored values that no present key opens: ${count}; they count as absent, and stay as they are`;
}
export const KEY_REPAIR =
  'add the key that sealed them to STATE_KEY (the one it had, or the text of an earlier state.key), leave a present state.key as it is, and start again';

/** The file of a data directory that holds its key. */
export const KEY_FILE = 'state.key';
/** 32 bytes in base64, as `openssl rand -base64 32` prints them. */
const KEY_TEXT = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

const NO_KEY = 'holds no key (32 bytes in base64)';
const UNUSABLE = {
  [NO_KEY]: 'restore it, or remove it together with the data that it sealed',
  'can be read by others':
    'run chmod 600 {file}; if somebody may have read it, set STATE_KEY to a new key as well: what the file sealed still opens',
  'is missing, and what is stored was sealed with a key':
    'restore it from the backup of DATA_DIR, or set STATE_KEY to the key that it had; if no copy is left, delete everything with npm run forget -- --all',
};

/** The key file of a data directory can be read by others, holds no key, or is missing where a key has sealed something. */
export class KeyFileUnusable extends CannotStart {
  constructor(file: string, why: keyof typeof UNUSABLE) {
    super('STATE_KEY', `${file} ${why}`, UNUSABLE[why].replace('{file}', file));
  }
}

/** Reads the key file of a data directory; undefined if there is none. Throws `KeyFileUnusable`. */
export function readKeyFile(dataDir: string): Uint8Array | undefined {
  const file = join(dataDir, KEY_FILE);
  // A link that leads nowhere is there, too.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new KeyFileUnusable(file, NO_KEY);
  if ((found.mode & OTHERS) !== 0) throw new KeyFileUnusable(file, 'can be read by others');
  const text = readFileSync(file, 'utf8').trim();
  if (!KEY_TEXT.test(text)) throw new KeyFileUnusable(file, NO_KEY);
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Makes a key in a file that only its owner may read; gives the key and the path of the file. */
export function makeKeyFile(dataDir: string): { key: Uint8Array; file: string } {
  const file = join(dataDir, KEY_FILE);
  const key = randomBytes(KEY_BYTES);
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  // Whatever the umask.
  chmodSync(file, OWNER_ONLY);
  return { key: new Uint8Array(key), file };
}
