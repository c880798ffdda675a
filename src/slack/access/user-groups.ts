import type { webApi } from '@slack/bolt';
import { Remembered } from './remembered.ts';

type UserGroupOptions = {
  readonly client: webApi.WebClient;
  readonly now: () => number;
  /** Hears why the members of a group can't be read: an id that is wrong, or a scope that is missing. */
  readonly onError: (error: unknown, group: string) => void;
};

/** Who was taken out of a group is refused this long after at the latest, also when Slack does not tell of it. */
const KEPT_MS = 60_000;

/** Who is in which user group, remembered for a minute. */
export class UserGroups {
  readonly #members: Remembered<ReadonlySet<string>>;

  constructor({ client, now, onError }: UserGroupOptions) {
    const ask = async (usergroup: string) => {
      const { users } = await client.usergroups.users.list({ usergroup });
      return new Set(users);
    };
    this.#members = new Remembered({ ask, keptMs: KEPT_MS, now, onError });
  }

  /** Whether the person is in one of the groups; undefined when that can't be found out now. */
  async includes(groups: readonly string[], user: string): Promise<boolean | undefined> {
    const found = await Promise.all(groups.map(async (group) => (await this.#members.get(group))?.has(user)));
    return found.includes(true) || (found.includes(undefined) ? undefined : false);
  }

  /** Slack told that other people are in a group now. */
  changed(group: string): void {
    this.#members.forget(group);
  }
}
