import type { App } from '@slack/bolt';
import type { ListenerContext } from './context.ts';

/** Slack reports new members of a user group: it is read again for the next request. */
export function listenToUserGroups(app: App, { access }: ListenerContext): void {
  app.event('subteam_members_changed', async ({ event }) => access.groupChanged(event.subteam_id));
}
