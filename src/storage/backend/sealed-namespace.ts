import type { KeyvStoreAdapter } from 'keyv';
import { NAMESPACES, type NamespaceName, type NamespaceSpec } from '../../core/namespaces.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import type { Namespace } from '../../core/store.ts';
import { type Packed, packed, unpacked } from '../sealing/packed-text.ts';
import { SealBroken, type Sealer } from '../sealing/sealer.ts';
import type { StoredNames } from '../sealing/stored-names.ts';
import { EARLIER_VERSION } from './earlier-release.ts';
import { OpenedValues } from './opened-values.ts';

/** What encrypts, names and reports the values of a store. */
export type SealedContext = {
  readonly sealer: Sealer;
  readonly names: () => Promise<StoredNames>;
  /** Called with a value that cannot be decrypted: it counts as absent and is not deleted. */
  readonly onUnreadable: (namespace: string, why: Error) => void;
};

/** The values that version 0.1 stored, by their plain keys, as the text that was stored. */
type EarlierValues = Pick<KeyvStoreAdapter, 'get' | 'delete'>;

/** A value with the version of its shape, and with its key, because it is stored under a hash of that key. */
type Envelope = { readonly key: string; readonly version: number; readonly value: unknown };

/**
 * A namespace on a store of Keyv's interface. Values are encrypted, bound to their key and versioned; they are stored
 * under hashes of their keys.
 */
export class SealedNamespace<Value> implements Namespace<Value> {
  readonly #name: NamespaceName;
  readonly #spec: NamespaceSpec;
  readonly #adapter: KeyvStoreAdapter;
  readonly #earlier: EarlierValues | undefined;
  readonly #context: SealedContext;
  readonly #opened = new OpenedValues<Envelope>();

  constructor(
    name: NamespaceName,
    adapter: KeyvStoreAdapter,
    context: SealedContext,
    earlier?: EarlierValues,
  ) {
    this.#name = name;
    this.#spec = NAMESPACES[name];
    this.#adapter = adapter;
    this.#context = context;
    this.#earlier = earlier;
  }

  get(key: string): Promise<Value | undefined> {
    return orStorageFailed(async () => {
      const name = await this.#nameOf(key);
      const [text, earlier] = await Promise.all([this.#adapter.get(name), this.#earlier?.get(key)]);
      const stored = await this.#open(name, text);
      const found = (stored && this.#ofThisVersion(stored)) ?? (await this.#readEarlier(key, earlier));
      return found?.value as Value | undefined;
    });
  }

  async set(key: string, value: Value, ttlMs?: number): Promise<void> {
    await orStorageFailed(async () => {
      const name = await this.#nameOf(key);
      const envelope: Envelope = { key, version: this.#spec.version, value };
      const { content, length } = this.#spec.isLarge ? await packed(envelope) : asText(envelope);
      const sealed = this.#context.sealer.seal(content, this.#storedNameOf(name));
      this.#opened.remember(name, sealed, { value: envelope, length });
      await this.#adapter.set(name, sealed, ttlMs);
    });
  }

  async delete(key: string): Promise<void> {
    await orStorageFailed(async () => {
      const name = await this.#nameOf(key);
      this.#opened.forget(name);
      await Promise.all([this.#adapter.delete(name), this.#earlier?.delete(key)]);
    });
  }

  async *entries(): AsyncGenerator<readonly [string, Value]> {
    for (const name of await orStorageFailed(() => this.#names())) {
      const text = await orStorageFailed(() => this.#adapter.get(name));
      const stored = await this.#open(name, text);
      if (stored === undefined) continue;
      const found = this.#ofThisVersion(stored);
      if (found === undefined) this.#context.onUnreadable(this.#name, new OtherVersion(stored.version));
      else yield [found.key, found.value as Value];
    }
  }

  async #names(): Promise<string[]> {
    const names: string[] = [];
    const all = this.#adapter.iterator?.(this.#adapter.namespace) ?? [];
    for await (const [name] of all) names.push(String(name));
    return names;
  }

  async #nameOf(key: string): Promise<string> {
    return (await this.#context.names()).of(this.#name, key);
  }

  #storedNameOf(name: string): string {
    return `${this.#name}\0${name}`;
  }

  /** What is stored under that name, of whatever version. */
  async #open(name: string, sealed: unknown): Promise<Envelope | undefined> {
    if (typeof sealed !== 'string') return undefined;
    const known = this.#opened.find(name, sealed);
    if (known !== undefined) return known;
    const open = () => unpacked(this.#context.sealer.openBytes(sealed, this.#storedNameOf(name)));
    const text = await this.#readable(open);
    if (text === undefined) return undefined;
    const envelope: Envelope = JSON.parse(text);
    this.#opened.remember(name, sealed, { value: envelope, length: text.length });
    return envelope;
  }

  async #readEarlier(key: string, sealed: unknown): Promise<{ key: string; value: unknown } | undefined> {
    if (typeof sealed !== 'string') return undefined;
    const text = await this.#readable(async () => this.#context.sealer.openEarlier(sealed));
    if (text === undefined) return undefined;
    return this.#ofThisVersion({ key, version: EARLIER_VERSION, value: JSON.parse(text).value });
  }

  async #readable(open: () => Promise<string>): Promise<string | undefined> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#context.onUnreadable(this.#name, error);
      return undefined;
    }
  }

  #ofThisVersion({ key, version, value }: Envelope): { key: string; value: unknown } | undefined {
    if (version === this.#spec.version) return { key, value };
    const upgrade = this.#spec.upgrades[version];
    return upgrade === undefined ? undefined : { key, value: upgrade(value) };
  }
}

/** A value was stored by a release whose values of this kind can't be read here. */
class OtherVersion extends Error {
  constructor(version: number) {
    super(`the value has version ${version}, which this release can't read`);
  }
}

function asText(value: unknown): Packed {
  const content = JSON.stringify(value);
  return { content, length: content.length };
}
