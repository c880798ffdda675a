import { type Destination, isPrivately, type Unconfirmed } from '../../core/destination.ts';
import type { Mutex } from '../../core/mutex.ts';
import type { Namespace } from '../../core/store.ts';
import { composing } from '../../lookups/lookup-status.ts';
import { overMessage } from '../messages/over-message.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';
import type { Poster } from './poster.ts';
import { isRefused } from './slack-errors.ts';

/** Who wants to be told of the end of a wait, beside the one who asked; and how far the telling is. */
type Subscribers = {
  readonly users: readonly string[];
  readonly stage: 'open' | 'closed' | 'told';
  /** The post of the reply, while nobody knows whether it arrived. */
  readonly unconfirmed?: Unconfirmed;
};

type NotifierOptions = {
  readonly poster: Poster;
  readonly subscriptions: Namespace<Subscribers>;
  readonly mutex: Mutex;
  /** After how long a wait is too long to expect that anybody still looks. Milliseconds. */
  readonly notifyAfterMs: number;
  readonly now: () => number;
  /** Hears of replies that Slack will never take. */
  readonly onUndelivered: (error: unknown, lookupId: string) => void;
};

/** What came of wanting to be told. */
export type Subscribed = 'joined' | 'over' | 'full';

/** Longer than any wait may be. */
const KEPT_MS = 2 * 24 * 3_600_000;
/** As many mentions as one reply holds. */
const MOST_USERS = 100;

/**
 * Tells those who waited that it is over. An edit notifies nobody: a long wait ends with a reply in the thread of its
 * message that mentions each of them, once.
 */
export class Notifier implements DeliveryHook {
  readonly #options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Has somebody mentioned at the end of a lookup. Throws `StorageFailed`. */
  join(lookupId: string, user: string): Promise<Subscribed> {
    return this.#change(lookupId, async (subscribers) => {
      if (subscribers.stage !== 'open') return [subscribers, 'over'];
      if (subscribers.users.includes(user)) return [subscribers, 'joined'];
      if (subscribers.users.length >= MOST_USERS) return [subscribers, 'full'];
      return [{ ...subscribers, users: [...subscribers.users, user] }, 'joined'];
    });
  }

  /** Throws when the reply may not have arrived and it is worth another try. */
  async after(told: DeliveryEvent): Promise<void> {
    const { lookup, status, shown } = told;
    const { now, notifyAfterMs } = this.#options;
    const isLong = now() - lookup.acceptedAt >= notifyAfterMs;
    const couldBeJoined = lookup.destination.messageTs !== undefined;
    if (status.kind === 'waiting' || !(isLong || couldBeJoined)) return;
    const subscribers = await this.#change(lookup.id, async (known) => {
      const closed: Subscribers = known.stage === 'told' ? known : { ...known, stage: 'closed' };
      return [closed, closed];
    });
    const threadTs = threadOf(lookup.destination, shown.destination);
    const users = whom(told, subscribers, isLong);
    if (subscribers.stage === 'told' || threadTs === undefined || users.length === 0) return;
    await this.#reply({ channel: shown.destination.channel, threadTs }, told, users, subscribers);
  }

  async #reply(
    where: { readonly channel: string; readonly threadTs: string },
    { lookup, status }: DeliveryEvent,
    users: readonly string[],
    subscribers: Subscribers,
  ): Promise<void> {
    const { poster, subscriptions, now, onUndelivered } = this.#options;
    const marker = `${lookup.id}:over`;
    const { unconfirmed } = subscribers;
    const isThere =
      unconfirmed !== undefined && (await poster.find(where, marker, unconfirmed, 'final')) !== undefined;
    if (!isThere) {
      await subscriptions.set(lookup.id, { ...subscribers, unconfirmed: { at: now() } }, KEPT_MS);
      try {
        await poster.post(
          where,
          composing(() => overMessage(users, lookup, status)),
          'final',
          marker,
        );
      } catch (error) {
        if (!isRefused(error)) throw error;
        onUndelivered(error, lookup.id);
      }
    }
    await subscriptions.set(lookup.id, { ...subscribers, stage: 'told' }, KEPT_MS);
  }

  #change<T>(lookupId: string, change: (subscribers: Subscribers) => Promise<[Subscribers, T]>): Promise<T> {
    const { subscriptions, mutex } = this.#options;
    return mutex.run(`circle:${lookupId}`, async () => {
      const before = (await subscriptions.get(lookupId)) ?? { users: [], stage: 'open' as const };
      const [after, outcome] = await change(before);
      if (after !== before) await subscriptions.set(lookupId, after, KEPT_MS);
      return outcome;
    });
  }
}

/** The thread of the message, where everybody sees it; a private answer and a direct message have none, and need none. */
function threadOf(before: Destination, now: Destination): string | undefined {
  const isElsewhere = before.channel !== now.channel;
  return isPrivately(now) || isElsewhere ? undefined : (now.threadTs ?? now.messageTs);
}

/** Whoever joined was promised it; the one who asked is told of a long wait, unless it was that one who ended it. */
function whom({ lookup, status }: DeliveryEvent, { users }: Subscribers, isLong: boolean): string[] {
  const isAskersMatter = isLong && status.kind !== 'cancelled';
  const others = users.filter((user) => user !== lookup.askedBy);
  return isAskersMatter ? [lookup.askedBy, ...others] : others;
}
