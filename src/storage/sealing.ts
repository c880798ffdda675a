import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import type { TextSealer } from '../core/store.ts';

/** 32 random bytes, and a short name that tells which key sealed a value. */
type SealingKey = { readonly id: string; readonly bytes: Uint8Array };

/** A kept value that none of the present keys opens: STATE_KEY was changed without keeping the old key. */
export class SealBroken extends Error {}

/** Seals text with authenticated encryption (JWE, A256GCM): the first key seals, all of them open. */
export class Sealer implements TextSealer {
  readonly #first: SealingKey;
  readonly #byId: ReadonlyMap<string, SealingKey>;

  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    const named = keys.map((bytes) => ({ id: nameOf(bytes), bytes }));
    this.#first = { id: nameOf(keys[0]), bytes: keys[0] };
    this.#byId = new Map(named.map((key) => [key.id, key]));
  }

  /** The sealed form of a text. */
  async seal(text: string): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: this.#first.id })
      .encrypt(this.#first.bytes);
  }

  /** The text that was sealed. Throws `SealBroken` when it was altered or its key is not here. */
  async open(sealed: string): Promise<string> {
    try {
      const { kid } = decodeProtectedHeader(sealed);
      const key = this.#byId.get(kid ?? '');
      if (key === undefined) throw new Error(`no key named ${kid ?? 'nothing'}`);
      const { plaintext } = await compactDecrypt(sealed, key.bytes, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return new TextDecoder().decode(plaintext);
    } catch (error) {
      throw new SealBroken('a kept value could not be opened with the present STATE_KEY', { cause: error });
    }
  }
}

function nameOf(bytes: Uint8Array): string {
  return createHash('sha256').update('snapshot-bot key name').update(bytes).digest('hex').slice(0, 8);
}
