import { Refusal } from './refusal.ts';

/** The key of a refusal that applies to every call. */
export const EVERYWHERE = '*';

/** What Slack refuses until further notice: in a conversation, or altogether. */
export class Refusals {
  readonly #codes = new Map<string, string>();

  /** Refuses with this error from now on; `undefined` ends it. */
  set(where: string, code: string | undefined): void {
    if (code === undefined) this.#codes.delete(where);
    else this.#codes.set(where, code);
  }

  /** Throws the refusal that is in force. */
  check(where: string): void {
    const code = this.#codes.get(where);
    if (code !== undefined) throw Refusal.ofTheWorld(code);
  }
}
