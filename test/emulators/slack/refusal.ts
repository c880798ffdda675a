import type { Json } from './json.ts';

/** Slack's refusal of a call, with its error code. */
export class Refusal extends Error {
  readonly code: string;
  /** What the bot did wrong; absent for a refusal that a well-behaved bot can get too. */
  readonly breach: string | undefined;
  readonly details: Json;

  constructor(code: string, breach?: string, details: Json = {}) {
    super(breach ?? code);
    this.name = 'Refusal';
    this.code = code;
    this.breach = breach;
    this.details = details;
  }

  /** Makes a refusal that a well-behaved bot can get too, so that it is no breach. */
  static ofTheWorld(code: string, details: Json = {}): Refusal {
    return new Refusal(code, undefined, details);
  }
}
