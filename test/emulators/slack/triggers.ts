import { randomUUID } from 'node:crypto';
import { standstill } from '../standstill.ts';
import { Refusal } from './refusal.ts';

const LIFE_MS = 3000;

interface Trigger {
  readonly user: string;
  readonly at: number;
  /** The milliseconds since then in which the machine did not let the bot run. */
  readonly lost: () => number;
  readonly viewId: string | undefined;
  used: boolean;
}

/** The trigger ids that may open a modal: each one once, within three seconds. */
export class Triggers {
  readonly #now: () => number;
  readonly #running: () => Iterable<number>;
  readonly #known = new Map<string, Trigger>();

  /** `running` gives the ids of the bot's processes besides this one. */
  constructor(now: () => number, running: () => Iterable<number>) {
    this.#now = now;
    this.#running = running;
  }

  /** Makes a trigger id for what a person just did; `viewId` names the modal, if it was done in one. */
  issue(user: string, viewId?: string): string {
    const id = newId(this.#now());
    this.#known.set(id, { user, at: this.#now(), lost: standstill(this.#running()), viewId, used: false });
    return id;
  }

  /** Uses a trigger id up; returns the person and the modal that it belongs to. */
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
