import { createHash } from 'node:crypto';
import type { DiagnosticsResult } from '../core/diagnostics.ts';

const MOST = 50;

/**
 * The results that documents were read to, by the hashes of the documents, for as long as somebody uses them: the same
 * document again is not read again. Nothing is kept that would not be kept anyway.
 */
export class SameDocuments {
  readonly #results = new Map<string, WeakRef<DiagnosticsResult>>();

  /** What a document was read to; `what` is everything else that the result depends on. Throws what `read` throws. */
  read(body: Uint8Array, what: string, read: () => DiagnosticsResult): DiagnosticsResult {
    const hash = createHash('sha256').update(what).update('\0').update(body).digest('base64');
    const known = this.#results.get(hash)?.deref();
    if (known !== undefined) return known;
    const result = read();
    this.#results.set(hash, new WeakRef(result));
    const [oldest] = this.#results.keys();
    if (this.#results.size > MOST && oldest !== undefined) this.#results.delete(oldest);
    return result;
  }
}
