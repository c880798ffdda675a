import type { Context } from '../context.ts';
import type { Json } from '../json.ts';
import type { Delivery } from '../model.ts';
import { EVERYWHERE } from '../refusals.ts';
import { TEAM } from '../seed.ts';
import { eventEnvelope, userNamed } from './base.ts';

/** Removes the app from the workspace: its token becomes invalid, and the bot is told. */
export function uninstall(context: Context): Promise<Delivery[]> {
  context.refusals.set(EVERYWHERE, 'account_inactive');
  return Promise.all([
    tell(context, { type: 'tokens_revoked', tokens: { oauth: [], bot: [TEAM.botUser] } }),
    tell(context, { type: 'app_uninstalled' }),
  ]);
}

/** Sets the members of a user group; an app with the scope `usergroups:read` is told who joined and who left. */
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
  return tell(context, {
    type: 'subteam_members_changed',
    subteam_id: id,
    team_id: TEAM.id,
    date_update: Math.floor(context.now() / 1000),
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  });
}

function tell(context: Context, event: Json): Promise<Delivery> {
  const ts = context.workspace.nextTs();
  const id = `Ev${ts.replace('.', '')}`;
  const envelope = eventEnvelope(context, id, undefined, { ...event, event_ts: ts });
  return context.sender.deliver('event', envelope);
}
