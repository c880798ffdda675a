import type { App } from '@slack/bolt';
import type { ListenerContext } from './context.ts';

/** Who is in a user group has changed: it is asked anew, for the next request. */
export function listenToUserGroups(app: App, { access }: ListenerContext): void {
  app.event('subteam_members_changed', async ({ event }) => access.groupChanged(event.subteam_id));
}
