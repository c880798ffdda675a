import { webApi } from '@slack/bolt';
import { z } from 'zod';
import { inTime, LATE } from '../../core/time.ts';

/** What Slack knows of a person beyond what a delivery holds. */
export type Person = {
  /** The workspaces that the person belongs to; in an Enterprise Grid organisation there may be several. */
  readonly teams: readonly string[];
  /** The Enterprise Grid organisation, if the person belongs to one. */
  readonly enterprise: string | undefined;
  /** Whether the person is a guest, invited from outside to some channels. */
  readonly isGuest: boolean;
  /** Whether it is an app's user. */
  readonly isApp: boolean;
};

type Asking = {
  readonly client: webApi.WebClient;
  readonly now: () => number;
  /** Called with the error if there is no answer about a person, a conversation or a group. */
  readonly onError: (error: unknown, key: string) => void;
};

/** How long a caller waits who has no other time: Slack wants a command acknowledged within three seconds. */
const TIMEOUT_MS = 2_000;
/** The most cached answers; the oldest are dropped first. */
const MAX_ENTRIES = 10_000;
const TTL_MS = 5 * 60_000;
/** How long after that the workspace of a person still counts where Slack takes longer to say it: few people move. */
const LATE_MS = 60 * 60_000;
/** The longest that a former member of a group is still let in if Slack does not report the change. */
const GROUP_TTL_MS = 60_000;
/** Errors that mean the bot may not ask about this; they will not change soon. */
const NOT_TOLD = [
  'missing_scope',
  'user_not_found',
  'user_not_visible',
  'channel_not_found',
  'no_permission',
];

const info = z.object({
  team_id: z.string(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  enterprise_user: z.object({ enterprise_id: z.string(), teams: z.array(z.string()).default([]) }).optional(),
});

export type SlackFacts = ReturnType<typeof slackFacts>;

/**
 * What Slack says about people, conversations and user groups, cached for minutes: 'hidden' if it does not let the bot
 * ask (the scopes are optional), undefined if there is no answer now.
 */
export function slackFacts({ client, now, onError }: Asking) {
  const cached = <T>(ttlMs: number, ask: (key: string) => Promise<T>, lateMs = 0) =>
    remembered(ask, { ttlMs, lateMs }, { now, onError });
  const person = (user: string) =>
    orHidden(async (): Promise<Person> => {
      const found = info.parse((await client.users.info({ user })).user);
      const { team_id, is_restricted, is_ultra_restricted, is_bot, enterprise_user } = found;
      return {
        teams: [team_id, ...(enterprise_user?.teams ?? [])],
        enterprise: enterprise_user?.enterprise_id,
        isGuest: is_restricted === true || is_ultra_restricted === true,
        isApp: is_bot === true,
      };
    });
  return {
    people: cached(TTL_MS, person, LATE_MS),
    /** Whether a conversation is shared with another company. */
    sharedChannels: cached(TTL_MS, (channel) =>
      orHidden(async () => (await client.conversations.info({ channel })).channel?.is_ext_shared === true),
    ),
    /** Who is in a conversation now. */
    members: (channel: string) => orHidden(() => membersOf(channel, client)),
    /** The members of a user group. */
    groups: cached(
      GROUP_TTL_MS,
      async (usergroup) => new Set((await client.usergroups.users.list({ usergroup })).users),
    ),
  };
}

const MEMBERS_AT_ONCE = 1_000;

async function membersOf(channel: string, client: webApi.WebClient): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await client.conversations.members({
      channel,
      limit: MEMBERS_AT_ONCE,
      ...(cursor && { cursor }),
    });
    for (const member of page.members ?? []) found.add(member);
    cursor = page.response_metadata?.next_cursor;
  } while (cursor);
  return found;
}

async function orHidden<T>(ask: () => Promise<T>): Promise<T | 'hidden'> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof webApi.WebAPIPlatformError && NOT_TOLD.includes(error.data.error)) return 'hidden';
    throw error;
  }
}

type Request<T> = { readonly answer: Promise<T>; readonly began: number };

/**
 * A cache of Slack's answers; simultaneous callers share one request. What an event changes is newer than the answer to
 * a request that is under way: that answer is not cached, and later callers don't wait for it. `ttlMs`: how long an answer
 * is cached; `lateMs`: how much longer it counts while the next one takes longer than two seconds.
 */
function remembered<T>(
  ask: (key: string) => Promise<T>,
  { ttlMs, lateMs }: { readonly ttlMs: number; readonly lateMs: number },
  { now, onError }: Pick<Asking, 'now' | 'onError'>,
) {
  const answers = new Map<string, { readonly value: T; readonly until: number }>();
  const requests = new Map<string, Request<T>>();
  /** Drops an answer, so that Slack is asked the next time. */
  const forget = (key: string) => {
    answers.delete(key);
    requests.delete(key);
  };
  /** Caches an answer that an event of Slack brought. */
  const set = (key: string, value: T) => {
    forget(key);
    answers.set(key, { value, until: now() + ttlMs });
    const [oldest] = answers.keys();
    if (answers.size > MAX_ENTRIES && oldest !== undefined) answers.delete(oldest);
  };
  const send = (key: string): Request<T> => {
    const request = { answer: ask(key), began: performance.now() };
    requests.set(key, request);
    const isCurrent = () => requests.get(key) === request;
    request.answer.then(
      (value) => isCurrent() && set(key, value),
      () => isCurrent() && requests.delete(key),
    );
    return request;
  };
  /** The answer; undefined if there is none now, or not within that time of the question. */
  const get = async (key: string, withinMs = TIMEOUT_MS): Promise<T | undefined> => {
    const known = answers.get(key);
    const leftMs = known === undefined ? Number.NEGATIVE_INFINITY : known.until - now();
    if (leftMs > 0) return known?.value;
    const instead = leftMs > -lateMs ? known : undefined;
    try {
      const { answer, began } = requests.get(key) ?? send(key);
      const ms = instead === undefined ? withinMs : TIMEOUT_MS;
      const found = await inTime(Math.max(0, ms - (performance.now() - began)), answer);
      return found === LATE ? instead?.value : found;
    } catch (error) {
      onError(error, key);
      return undefined;
    }
  };
  return { get, set, forget };
}
