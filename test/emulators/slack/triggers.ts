import { randomUUID } from 'node:crypto';
import { standstill } from '../standstill.ts';
import { Refusal } from './refusal.ts';

const LIFE_MS = 3000;

interface Trigger {
  readonly user: string;
  readonly at: number;
  /** How many milliseconds since then the machine did not run the bot. */
  readonly lost: () => number;
  readonly viewId: string | undefined;
  used: boolean;
}

/** Trigger ids, each of which can open one modal within three seconds. */
export class Triggers {
  readonly #now: () => number;
  readonly #running: () => Iterable<number>;
  readonly #known = new Map<string, Trigger>();

  /** `running` returns the ids of the bot's processes besides this one. */
  constructor(now: () => number, running: () => Iterable<number>) {
    this.#now = now;
    this.#running = running;
  }

  /** Issues a trigger id for an action of a person; `viewId`: the modal of the action, if any. */
  issue(user: string, viewId?: string): string {
    const id = newId(this.#now());
    this.#known.set(id, { user, at: this.#now(), lost: standstill(this.#running()), viewId, used: false });
    return id;
  }

  /** Uses up a trigger id; returns the person and the modal. */
  exchange(id: string): { readonly user: string; readonly viewId: string | undefined } {
    const trigger = this.#known.get(id);
    if (!trigger) throw new Refusal('invalid_trigger_id', `unknown trigger_id ${JSON.stringify(id)}`);
    if (trigger.used) throw new Refusal('exchanged_trigger_id', `trigger_id ${id} was used before`);
    if (this.#now() - trigger.at - trigger.lost() > LIFE_MS) throw Refusal.ofTheWorld('expired_trigger_id');
    trigger.used = true;
    return trigger;
  }
}

let issued = 0;

function newId(now: number): string {
  issued += 1;
  return `${Math.floor(now)}.${issued}.${randomUUID().replaceAll('-', '')}`;
}
