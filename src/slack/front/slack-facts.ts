import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { inTime, LATE } from '../../core/time.ts';
import { RateLimitedQueue } from '../delivery/rate-limited-queue.ts';
import { codeOf } from '../delivery/slack-errors.ts';

/** What the bot asks Slack about a person, because a delivery does not contain it. */
export type Person = {
  /** The workspaces of the person; in an Enterprise Grid organisation there can be several. */
  readonly teams: readonly string[];
  /** Whether the person is a guest, who sees only some channels. */
  readonly isGuest: boolean;
  /** Whether the user belongs to an app. */
  readonly isApp: boolean;
};

type Asking = {
  readonly client: webApi.WebClient;
  readonly logger: Logger;
  readonly now: () => number;
};

/**
 * How long a caller waits for Slack, because a command must be acknowledged within three seconds. Shorter than
 * `LATEST_MS` in slack-app.ts, so that the acknowledgement of a form can still show a refusal. Milliseconds.
 */
const TIMEOUT_MS = 1_800;
const MOST_ANSWERS = 1_000;
const TTL_MS = 5 * 60_000;
/** How long a former member of a group keeps access if Slack does not report the change. Milliseconds. */
const GROUP_TTL_MS = 60_000;
/** Slack's errors for questions that the bot is not allowed to ask. Asking again soon would not help. */
const NOT_TOLD = /^(?:missing_scope|user_not_found|user_not_visible|channel_not_found|no_permission)$/;
const NO_ANSWER =
  'Slack tells nothing of a person, a conversation or a user group: access is refused. Check the ids in ALLOWED_USERGROUPS';

export type SlackFacts = ReturnType<typeof slackFacts>;

/** What Slack knows about people, conversations and user groups; undefined if Slack does not answer now. */
export function slackFacts(asking: Asking) {
  const { client } = asking;
  const personOf = async (user: string) => personIn(await client.users.info({ user }));
  const isShared = async (channel: string) =>
    (await client.conversations.info({ channel })).channel?.is_ext_shared === true;
  const membersOf = async (usergroup: string) =>
    new Set((await client.usergroups.users.list({ usergroup })).users);
  return {
    people: cached(orElse(personOf, 'hidden'), TTL_MS, asking),
    /** Whether a conversation is shared with another company; false if Slack does not let the bot ask. */
    sharedChannels: cached(orElse(isShared, false), TTL_MS, asking),
    /** The ids of the members of a user group. */
    groups: cached(membersOf, GROUP_TTL_MS, asking),
  };
}

function personIn({ user }: webApi.UsersInfoResponse): Person {
  const { team_id = '', is_restricted, is_ultra_restricted, is_bot, enterprise_user } = user ?? {};
  return {
    teams: [team_id, ...(enterprise_user?.teams ?? [])],
    isGuest: is_restricted === true || is_ultra_restricted === true,
    isApp: is_bot === true,
  };
}

type Ask<T> = (key: string) => Promise<T>;

/** Returns `instead` if Slack does not let the bot ask, because the scopes for it are optional. */
function orElse<T, const I>(ask: Ask<T>, instead: I): Ask<T | I> {
  return async (key) => {
    try {
      return await ask(key);
    } catch (error) {
      if (NOT_TOLD.test(codeOf(error) ?? '')) return instead;
      throw error;
    }
  };
}

/**
 * Caches Slack's answers. Simultaneous callers share one request, and no request is sent during a pause that Slack
 * asked for. An answer from an event replaces that of a running request, because it is newer.
 */
function cached<T>(ask: Ask<T>, ttlMs: number, { logger, now }: Asking) {
  const queue = new RateLimitedQueue();
  const requests = new LRUCache<string, { answer: Promise<T>; until: number }>({ max: MOST_ANSWERS });
  const put = (key: string, answer: Promise<T>) => {
    const request = { answer, until: now() + ttlMs };
    requests.set(key, request);
    answer.catch(() => {
      if (requests.get(key) === request) requests.delete(key);
    });
    return request;
  };
  const askAnew = (key: string) => {
    const answer = queue.send('', 'final', () => ask(key));
    return put(key, answer);
  };
  return {
    /** Caches an answer that came with an event. */
    set: (key: string, value: T) => void put(key, Promise.resolve(value)),
    /** Makes the next `get` ask Slack again. */
    forget: (key: string) => requests.delete(key),
    /** The answer; undefined if Slack gives none in time. */
    get: async (key: string): Promise<T | undefined> => {
      const known = requests.get(key);
      const isKnown = known !== undefined && known.until > now();
      const { answer } = isKnown ? known : askAnew(key);
      try {
        const found = await inTime(TIMEOUT_MS, answer);
        return found === LATE ? undefined : found;
      } catch (err) {
        logger.warn({ err, about: key }, NO_ANSWER);
        return undefined;
      }
    },
  };
}
