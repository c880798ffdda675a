import { actAt, stopwatch } from '../standstill.ts';
import type { ApiCall, Delivery, SlackEvent } from './model.ts';
import { Refusal } from './refusal.ts';

type Listener = (event: SlackEvent) => void;

/** Records what the bot did and its breaches; tells listeners of every change. */
export class Journal {
  readonly calls: ApiCall[] = [];
  readonly breaches: string[] = [];
  readonly deliveries: Delivery[] = [];
  readonly #listeners = new Set<Listener>();
  #prefix = '';

  /** Calls the listener with every change from now on; returns a function that ends this. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners. */
  tell(event: SlackEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Records a breach: something that the bot must never do. */
  breach(what: string): void {
    const text = `${this.#prefix}${what}`;
    this.breaches.push(text);
    this.tell({ type: 'other' });
  }

  /** Does the work of a call, or returns the answer of its refusal. Breaches meanwhile are recorded with its name. */
  during<T>(name: string, work: () => T, refused: (refusal: Refusal) => T): T {
    this.#prefix = `${name}: `;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.breach !== undefined) this.breach(error.breach);
      return refused(error);
    } finally {
      this.#prefix = '';
    }
  }

  /**
   * Calls `look` now and after every change until it returns something. Rejects after `ms` milliseconds, with a
   * description of the state.
   */
  waitFor<T>(look: () => T | undefined, what: string, ms: number, dump: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          const found = look();
          if (found !== undefined) finish(() => resolve(found));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const finish = (settle: () => void) => {
        cancel();
        stop();
        settle();
      };
      const cancel = actAt(ms, stopwatch(), () => {
        finish(() => reject(new Error(`Waited ${ms} ms for ${what}. There is:\n${dump()}`)));
      });
      const stop = this.on(check);
      check();
    });
  }
}
