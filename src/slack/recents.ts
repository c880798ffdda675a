import type { Lookup, Question } from '../core/lookup.ts';
import type { Kept } from '../core/store.ts';
import type { Turns } from '../core/turns.ts';
import type { News } from '../lookups/news.ts';
import type { Follower, Told } from './followed-delivery.ts';
import { findings } from './messages/over-message.ts';

/** One lookup of a person, as the Home tab lists it. */
export type Recent = {
  readonly lookupId: string;
  readonly question: Question;
  readonly before?: Question;
  readonly channel: string;
  /** The message, where there is one that can be linked to: a private answer has none. */
  readonly ts?: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly state: News['kind'];
  /** Of a result: `12 hits, 2 critical`; or ''. */
  readonly findings: string;
};

export type RecentsOptions = {
  readonly kept: Kept<readonly Recent[]>;
  readonly turns: Turns;
  /** Hears of what could not be kept: the list is a convenience, and no reason to hold an answer up. */
  readonly onError: (error: unknown) => void;
};

const MOST = 10;
const KEPT_MS = 7 * 24 * 3_600_000;

/** The last lookups of each person, for some days. */
export class Recents implements Follower {
  readonly #options: RecentsOptions;

  constructor(options: RecentsOptions) {
    this.#options = options;
  }

  /** The person's lookups, those that wait first, else the newest first. Throws `StorageFailed`. */
  async of(user: string): Promise<readonly Recent[]> {
    const list = (await this.#options.kept.get(user)) ?? [];
    const [waiting, over] = [list.filter(isWaiting), list.filter((recent) => !isWaiting(recent))];
    return [...waiting, ...over];
  }

  async after({ lookup, news, shown }: Told): Promise<void> {
    const { kept, turns, onError } = this.#options;
    const recent = recentOf(lookup, news, shown);
    try {
      await turns.take(`recent:${lookup.askedBy}`, async () => {
        const list = (await kept.get(lookup.askedBy)) ?? [];
        if (list.some((known) => isSame(known, recent))) return;
        const others = list.filter(({ lookupId }) => lookupId !== lookup.id);
        const newestFirst = [recent, ...others].toSorted((a, b) => b.askedAt - a.askedAt);
        await kept.set(lookup.askedBy, newestFirst.slice(0, MOST), KEPT_MS);
      });
    } catch (error) {
      onError(error);
    }
  }
}

function recentOf(
  { id, question, before, acceptedAt }: Lookup<unknown>,
  news: News,
  { place }: Told['shown'],
): Recent {
  const isPrivate = place.response?.isInUse === true || place.response?.replaces === true;
  const ts = isPrivate ? undefined : place.messageTs;
  return {
    lookupId: id,
    question,
    ...(before === undefined ? {} : { before }),
    channel: place.channel,
    ...(ts === undefined ? {} : { ts }),
    askedAt: acceptedAt,
    state: news.kind,
    findings: news.kind === 'ready' && question.set !== 'miss' ? findings(news.result) : '',
  };
}

function isWaiting({ state }: Recent): boolean {
  return state === 'waiting';
}

function isSame(one: Recent, other: Recent): boolean {
  return one.lookupId === other.lookupId && one.state === other.state && one.ts === other.ts;
}
