import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import type { Feature } from '../../front/result-use.ts';
import { listenToChoices, listenToCommands } from './dispatch.ts';
import { listenToLookUps } from './look-up.ts';
import { listenToMessages } from './messages.ts';

/** Every way to ask for a snapshot, and the life of the app itself. */
export const ask: Feature = {
  listen: (on, context) => {
    listenToCommands(on, context);
    listenToMessages(on, context);
    listenToLookUps(on, context);
    listenToChoices(on, context);
    listenToAppLife(on, context);
  },
};

/**
 * Deletes stored data when the app is uninstalled, its token is revoked or an account is deactivated. The members of a
 * user group are read again for the next request once Slack reports new ones.
 */
function listenToAppLife(on: Listeners, { erasure, logger, access }: ListenerContext): void {
  on.event('subteam_members_changed', async ({ event }) => access.groupChanged(event.subteam_id));
  on.event('app_uninstalled', async () => {
    logger.warn('the app was uninstalled: all stored data is deleted');
    await erasure.ofEverything();
  });
  on.event('tokens_revoked', async ({ event }) => {
    // The bot uses no user tokens.
    if ((event.tokens.bot ?? []).length === 0) return;
    logger.warn("the bot's token was revoked: all stored data is deleted");
    await erasure.ofEverything();
  });
  on.event('user_change', async ({ event }) => {
    if (event.user.deleted !== true) return;
    logger.info({ user: event.user.id }, 'an account was deactivated: its stored data is deleted');
    await erasure.ofUser(event.user.id);
  });
}
