import { Refusal } from './refusal.ts';

/** The key of a refusal that applies to every call. */
export const EVERYWHERE = '*';

/** The error codes with which Slack refuses all calls, or those for one conversation, until a test ends that. */
export class Refusals {
  readonly #codes = new Map<string, string>();

  /** Refuses with this error from now on; `undefined` ends it. */
  set(where: string, code: string | undefined): void {
    if (code === undefined) this.#codes.delete(where);
    else this.#codes.set(where, code);
  }

  /** Throws the refusal that applies, if any. */
  check(where: string): void {
    const code = this.#codes.get(where);
    if (code !== undefined) throw Refusal.ofTheWorld(code);
  }
}
