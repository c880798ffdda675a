import type { Question } from '../core/lookup.ts';
import type { Precedence } from '../core/precedence.ts';
import type { Polls, Processing, Ready } from './polls.ts';

type BackgroundOptions = {
  readonly polls: Pick<Polls, 'look'>;
  readonly precedence: Precedence;
  /** The most requests of a process to the service at once, for people and all else. */
  readonly concurrency: number;
  /** How many requests of people wait for their turn. */
  readonly waiting: () => number;
};

/** Which part of the requests may be for nobody who waits. */
const SHARE = 10;

/** Reads for which nobody waits: a tenth of the requests at most, and none while a person's request waits for its turn. */
export class BackgroundReads {
  readonly #options: BackgroundOptions;
  #running = 0;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** The answer, read at `notBefore` or later; undefined while there is no room for it. Throws every `Fault`. */
  async look(question: Question, notBefore: number): Promise<Ready | Processing | undefined> {
    const { polls, precedence, concurrency, waiting } = this.#options;
    const most = Math.max(1, Math.floor(concurrency / SHARE));
    if (this.#running >= most || waiting() > 0) return undefined;
    this.#running += 1;
    try {
      await precedence.turn();
      return await polls.look(question, notBefore);
    } finally {
      this.#running -= 1;
    }
  }
}
