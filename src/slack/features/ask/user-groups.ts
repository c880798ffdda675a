import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';

/** Slack reports new members of a user group: it is read again for the next request. */
export function listenToUserGroups(on: Listeners, { access }: ListenerContext): void {
  on.event('subteam_members_changed', async ({ event }) => access.groupChanged(event.subteam_id));
}
