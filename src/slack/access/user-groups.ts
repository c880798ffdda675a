import type { webApi } from '@slack/bolt';
import { Remembered } from './remembered.ts';

type UserGroupOptions = {
  readonly client: webApi.WebClient;
  readonly now: () => number;
  /** Called if the members of a group cannot be read: its id is wrong, or a scope is missing. */
  readonly onError: (error: unknown, group: string) => void;
};

/** The longest that a former member of a group is still let in if Slack does not report the change. */
const TTL_MS = 60_000;

/** The members of user groups, cached for a minute. */
export class UserGroups {
  readonly #members: Remembered<ReadonlySet<string>>;

  constructor({ client, now, onError }: UserGroupOptions) {
    const ask = async (usergroup: string) => {
      const { users } = await client.usergroups.users.list({ usergroup });
      return new Set(users);
    };
    this.#members = new Remembered({ ask, ttlMs: TTL_MS, now, onError });
  }

  /** Whether the person is in one of the groups; undefined if that cannot be found out now. */
  async includes(groups: readonly string[], user: string): Promise<boolean | undefined> {
    const found = await Promise.all(groups.map(async (group) => (await this.#members.get(group))?.has(user)));
    return found.includes(true) || (found.includes(undefined) ? undefined : false);
  }

  /** To be called when Slack reports new members of a group. */
  changed(group: string): void {
    this.#members.forget(group);
  }
}
