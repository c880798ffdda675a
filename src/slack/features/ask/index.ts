import { responseUrl } from '../../../core/lookup.ts';
import { ACTION } from '../../blocks/action-values.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Command, Feature, Listeners } from '../../front/listeners.ts';
import { openAlone, windowAt } from '../../front/windows.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { listenToLookUps } from './look-up.ts';
import { listenToMessages } from './messages.ts';

/** Every way to ask for a snapshot, and the events of the app's installation. */
export const ask: Feature = {
  listen: (on, context) => {
    // A workspace can rename the command in its manifest, so every name is accepted.
    on.command(async (args) => {
      const parsed = parseCommand(args.command.text ?? '', context.serviceHosts);
      await dispatch(parsed, commandEntry(args, context), context);
    });
    listenToMessages(on, context);
    listenToLookUps(on, context);
    on.asking(new RegExp(`^${ACTION.didYouMean}`), 'ask', askAsMeant);
    listenToAppLife(on, context);
  },
};

function commandEntry({ command, ack }: Command, context: ListenerContext): TextEntryPoint {
  const { channel_id: channel, user_id: user, trigger_id: triggerId } = command;
  // Acknowledges at once, because a window stores no lookup.
  const inWindow = async (work: () => Promise<unknown>) => {
    await ack();
    await work();
  };
  return {
    deliveryId: triggerId,
    destination: { channel, user, response: responseUrl(command.response_url, false, context.now()) },
    acknowledge: ack,
    command: command.command,
    reply: (message) => ack({ response_type: 'ephemeral', ...message }),
    open: (view) => inWindow(() => windowAt({ context, triggerId })(view)),
    showAlone: (asked) => inWindow(() => openAlone({ triggerId, user, context }, channel, asked)),
  };
}

/** Runs the button's value like a typed command; the answer is posted in the thread of the button's message. */
async function askAsMeant(press: Interaction): Promise<void> {
  const { value, context, triggerId: deliveryId, beside: destination } = press;
  const entry: TextEntryPoint = {
    ...{ deliveryId, destination, command: '/snapshot' },
    reply: (message) => press.tell(message),
    showAlone: (asked) => openAlone(press, press.origin.channel, asked),
  };
  await dispatch(parseCommand(value, context.serviceHosts), entry, context);
}

/**
 * Deletes stored data when the app is uninstalled, its token is revoked or an account is deactivated. Forgets the
 * members of a user group when Slack reports a change, so that the next request reads them again.
 */
function listenToAppLife(on: Listeners, { erasure, logger, access }: ListenerContext): void {
  on.event('subteam_members_changed', async ({ event }) => access.groupChanged(event.subteam_id));
  on.event('app_uninstalled', async () => {
    logger.warn('the app was uninstalled: all stored data is deleted');
    await erasure.ofEverything();
  });
  on.event('tokens_revoked', async ({ event }) => {
    // Only the bot's token matters, because the bot uses no tokens of users.
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
