import { setTimeout as delay } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { SingleFlight } from '../core/single-flight.ts';

export type UserGroupOptions = {
  readonly client: webApi.WebClient;
  readonly now: () => number;
  /** Hears why the members of a group can't be read: an id that is wrong, or a scope that is missing. */
  readonly onError: (error: unknown, group: string) => void;
};

type Members = { readonly users: ReadonlySet<string>; readonly until: number };

/** Who was taken out of a group is refused this long after at the latest. */
const KEPT_MS = 3 * 60_000;
/** Slack wants a command acknowledged within three seconds. */
const PATIENCE_MS = 2_000;

/** Who is in which user group, remembered for a few minutes. */
export class UserGroups {
  readonly #options: UserGroupOptions;
  readonly #members = new Map<string, Members>();
  readonly #flights = new SingleFlight<ReadonlySet<string>>();

  constructor(options: UserGroupOptions) {
    this.#options = options;
  }

  /** Whether the person is in one of the groups; undefined when that can't be found out now. */
  async includes(groups: readonly string[], user: string): Promise<boolean | undefined> {
    const waiting = new AbortController();
    const late = delay(PATIENCE_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
    const found = await Promise.all(groups.map((group) => Promise.race([this.#includes(group, user), late])));
    waiting.abort();
    return found.includes(true) || (found.includes(undefined) ? undefined : false);
  }

  async #includes(group: string, user: string): Promise<boolean | undefined> {
    try {
      const known = this.#members.get(group);
      const isFresh = known !== undefined && known.until > this.#options.now();
      const users = isFresh ? known.users : await this.#flights.do(group, () => this.#read(group));
      return users.has(user);
    } catch (error) {
      this.#options.onError(error, group);
      return undefined;
    }
  }

  async #read(usergroup: string): Promise<ReadonlySet<string>> {
    const { client, now } = this.#options;
    const answer = await client.usergroups.users.list({ usergroup });
    const users = new Set(answer.users);
    this.#members.set(usergroup, { users, until: now() + KEPT_MS });
    return users;
  }
}
