import type { Delivery } from '../model.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { deliverEvent, userNamed } from './base.ts';

/** Sets the members of a user group. An app with the scope `usergroups:read` is notified who joined and who left. */
export async function setUserGroup(
  context: Context,
  id: string,
  users: readonly string[],
): Promise<Delivery | undefined> {
  const before = context.userGroups.get(id) ?? [];
  const after = users.map((user) => userNamed(context, user).id);
  context.userGroups.set(id, after);
  if (!context.scopes.has('usergroups:read')) return undefined;
  const added = after.filter((user) => !before.includes(user));
  const removed = before.filter((user) => !after.includes(user));
  const ts = context.workspace.nextTs();
  const event = {
    type: 'subteam_members_changed',
    subteam_id: id,
    team_id: TEAM.id,
    date_update: Math.floor(context.now() / 1000),
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
    event_ts: ts,
  };
  return deliverEvent(context, undefined, event);
}
