import type { Kept } from '../core/store.ts';
import type { Turns } from '../core/turns.ts';
import type { Follower, Told } from './followed-delivery.ts';
import { overMessage } from './messages/over-message.ts';
import type { Place } from './place.ts';
import type { Poster } from './poster.ts';
import type { Unconfirmed } from './receipts.ts';
import { meaningOf } from './slack-errors.ts';

/** Who wants to be told of the end of a wait, beside the one who asked; and how far the telling is. */
export type Circle = {
  readonly users: readonly string[];
  readonly stage: 'open' | 'closed' | 'told';
  /** The post of the reply, while nobody knows whether it arrived. */
  readonly unconfirmed?: Unconfirmed;
};

export type TellingOptions = {
  readonly poster: Poster;
  readonly circles: Kept<Circle>;
  readonly turns: Turns;
  /** After how long a wait is too long to expect that anybody still looks. Milliseconds. */
  readonly tellAfterMs: number;
  readonly now: () => number;
  /** Hears of replies that Slack will never take. */
  readonly onUntold: (error: unknown, lookupId: string) => void;
};

/** What came of wanting to be told. */
export type Joined = 'joined' | 'over' | 'full';

/** Longer than any wait may be. */
const KEPT_MS = 2 * 24 * 3_600_000;
/** As many mentions as one reply holds. */
const MOST_USERS = 100;

/**
 * Tells those who waited that it is over. An edit notifies nobody: a long wait ends with a reply in the thread of its
 * message that mentions each of them, once.
 */
export class Telling implements Follower {
  readonly #options: TellingOptions;

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  /** Has somebody mentioned at the end of a lookup. Throws `StorageFailed`. */
  join(lookupId: string, user: string): Promise<Joined> {
    return this.#change(lookupId, async (circle) => {
      if (circle.stage !== 'open') return [circle, 'over'];
      if (circle.users.includes(user)) return [circle, 'joined'];
      if (circle.users.length >= MOST_USERS) return [circle, 'full'];
      return [{ ...circle, users: [...circle.users, user] }, 'joined'];
    });
  }

  /** Throws when the reply may not have arrived and it is worth another try. */
  async after(told: Told): Promise<void> {
    const { lookup, news, shown } = told;
    const { now, tellAfterMs } = this.#options;
    const isLong = now() - lookup.acceptedAt >= tellAfterMs;
    const couldBeJoined = lookup.place.messageTs !== undefined;
    if (news.kind === 'waiting' || !(isLong || couldBeJoined)) return;
    const circle = await this.#change(lookup.id, async (known) => {
      const closed: Circle = known.stage === 'told' ? known : { ...known, stage: 'closed' };
      return [closed, closed];
    });
    const threadTs = threadOf(lookup.place, shown.place);
    const users = whom(told, circle, isLong);
    if (circle.stage === 'told' || threadTs === undefined || users.length === 0) return;
    await this.#reply({ channel: shown.place.channel, threadTs }, told, users, circle);
  }

  async #reply(
    where: { readonly channel: string; readonly threadTs: string },
    { lookup, news }: Told,
    users: readonly string[],
    circle: Circle,
  ): Promise<void> {
    const { poster, circles, now, onUntold } = this.#options;
    const receipt = `${lookup.id}:over`;
    const { unconfirmed } = circle;
    const isThere =
      unconfirmed !== undefined && (await poster.find(where, receipt, unconfirmed, 'final')) !== undefined;
    if (!isThere) {
      await circles.set(lookup.id, { ...circle, unconfirmed: { at: now() } }, KEPT_MS);
      try {
        await poster.post(where, overMessage(users, lookup, news), 'final', receipt);
      } catch (error) {
        if (!['refused', 'closed', 'uneditable'].includes(meaningOf(error))) throw error;
        onUntold(error, lookup.id);
      }
    }
    await circles.set(lookup.id, { ...circle, stage: 'told' }, KEPT_MS);
  }

  #change<T>(lookupId: string, change: (circle: Circle) => Promise<[Circle, T]>): Promise<T> {
    const { circles, turns } = this.#options;
    return turns.take(`circle:${lookupId}`, async () => {
      const before = (await circles.get(lookupId)) ?? { users: [], stage: 'open' as const };
      const [after, outcome] = await change(before);
      if (after !== before) await circles.set(lookupId, after, KEPT_MS);
      return outcome;
    });
  }
}

/** The thread of the message, where everybody sees it; a private answer and a direct message have none, and need none. */
function threadOf(before: Place, now: Place): string | undefined {
  const isPrivate = now.response?.isInUse === true || now.response?.replaces === true;
  const isElsewhere = before.channel !== now.channel;
  return isPrivate || isElsewhere ? undefined : (now.threadTs ?? now.messageTs);
}

/** Whoever joined was promised it; the one who asked is told of a long wait, unless it was that one who ended it. */
function whom({ lookup, news }: Told, { users }: Circle, isLong: boolean): string[] {
  const isAskersMatter = isLong && news.kind !== 'cancelled';
  const others = users.filter((user) => user !== lookup.askedBy);
  return isAskersMatter ? [lookup.askedBy, ...others] : others;
}
