import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { Stopping } from '../core/faults.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A stored value can't be decrypted: no key fits, or the value was altered or copied from another name. */
export class SealBroken extends Error {}

/** Keys of 32 bytes each: the first one encrypts, every key can decrypt. */
export type Keys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * Encrypts text with AES-256-GCM. The output is initialization vector, ciphertext and tag in base64url. The tag also
 * covers the name under which a text is stored: a copy under another name can't be decrypted.
 */
export class Sealer {
  readonly #keys: readonly [KeyObject, ...KeyObject[]];

  constructor([first, ...others]: Keys) {
    this.#keys = [createSecretKey(first), ...others.map((key) => createSecretKey(key))];
  }

  /** Encrypts a text for the name under which it will be stored. */
  seal(text: string, storedName: string): string {
    const iv = nextIv();
    const cipher = createCipheriv(CIPHER, this.#keys[0], iv).setAAD(Buffer.from(storedName));
    const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  /** Decrypts a text that was encrypted for this name. Throws `SealBroken`. */
  open(sealed: string, storedName: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    for (const key of this.#keys) {
      const text = opened(bytes, storedName, key);
      if (text !== undefined) return text;
    }
    throw new SealBroken('a stored value could not be opened with the present STATE_KEY');
  }
}

function opened(bytes: Buffer, storedName: string, key: KeyObject): string | undefined {
  try {
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(storedName))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const parts = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Random bytes for many initialization vectors, each used once: one request is faster than many. */
let ivs = Buffer.alloc(0);

function nextIv(): Buffer {
  if (ivs.length < IV_BYTES) ivs = randomBytes(IV_BYTES * 500);
  const iv = ivs.subarray(0, IV_BYTES);
  ivs = ivs.subarray(IV_BYTES);
  return iv;
}

export type ReportsContext = {
  readonly logger: Logger;
  /** Called when a step failed and will be retried. */
  readonly onRetry?: () => void;
  /** Called for each stored value that no current key decrypts. */
  readonly onUnreadable?: () => void;
};

const UNOPENED = 'no present key opens some stored values; the bot ignores them and keeps them';
const UNOPENED_VALUE = 'a stored value could not be opened: the bot ignores it and keeps it';
const UNOPENED_JOB = 'an open lookup or follow could not be opened: the bot keeps it and tries again';
const KEY_REPAIR =
  'add the key that sealed them to STATE_KEY (its former value, or the content of a former state.key), keep the present state.key, and restart';

/** Reports problems of a backend to its operator, in the log and by `unopened`. */
export function storageReports({ logger, onRetry, onUnreadable }: ReportsContext) {
  const log = logger.child({ part: 'queue' });
  const told = new Set<string>();
  let unopened: string | undefined;
  return {
    /**
     * Called for each value or job that can't be read. Logs it once for each job, and once for each kind of values,
     * because there may be thousands.
     */
    unreadable: (what: { readonly namespace: string } | { readonly lookup: string }, err: unknown) => {
      const isFirst = told.size < told.add(JSON.stringify(what)).size;
      if (!(err instanceof SealBroken)) {
        if (isFirst) log.warn({ ...what, err }, 'a lookup is left to another release');
        return;
      }
      onUnreadable?.();
      unopened = UNOPENED;
      const message = 'namespace' in what ? UNOPENED_VALUE : UNOPENED_JOB;
      if (isFirst) logger.error({ ...what, err, setting: 'STATE_KEY', repair: KEY_REPAIR }, message);
    },
    /** Called for errors. `lookup`: whose step failed; absent for an error of the queue itself. */
    queueError: (err: unknown, lookup?: string) => {
      if (err instanceof Stopping) return;
      if (lookup !== undefined) onRetry?.();
      log.warn({ err, lookup }, lookup === undefined ? 'the queue reports an error' : 'retrying lookup');
    },
    unopened: () => unopened,
  };
}
export type StorageReports = ReturnType<typeof storageReports>;
