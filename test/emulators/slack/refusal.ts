import type { Json } from './json.ts';

/** Slack's refusal of a call, with its error code. */
export class Refusal extends Error {
  readonly code: string;
  /** What the bot did wrong; absent if a correct bot can get this refusal, too. */
  readonly breach: string | undefined;
  readonly details: Json;

  constructor(code: string, breach?: string, details: Json = {}) {
    super(breach ?? code);
    this.name = 'Refusal';
    this.code = code;
    this.breach = breach;
    this.details = details;
  }

  /** Makes a refusal that a correct bot can get, too, so it is no breach. */
  static ofTheWorld(code: string, details: Json = {}): Refusal {
    return new Refusal(code, undefined, details);
  }
}
