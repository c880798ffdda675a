import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { responseUrl } from '../../../core/lookup.ts';
import { CHOOSE_ACTION, readChoice } from '../../answer/usage-message.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import type { Listeners } from '../../front/listeners.ts';
import { openAlone } from '../../front/show-result.ts';
import { isFirstAsFarAsKnown } from '../../front/turns.ts';
import { destinationOf, type Use } from '../../front/use.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { listenToLookUps } from './look-up.ts';
import { listenToMessages } from './messages.ts';

/** Every way to ask for a snapshot, and the life of the app itself. */
export const ask: Feature = {
  listen: (on, context) => {
    listenToCommands(on, context);
    listenToMessages(on, context);
    listenToLookUps(on, context);
    listenToChoices(on);
    listenToAppLife(on, context);
  },
};

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/**
 * Slash commands, by whatever name a workspace gives them in its manifest: the request is stored, then acknowledged; what
 * can't be understood or stored is said at once. Most deliveries are commands: no other listener is asked about them.
 */
function listenToCommands(on: Listeners, context: ListenerContext): void {
  on.command(async (args) => {
    await dispatch(parseCommand(args.command.text), commandEntry(args, context), context);
  });
}

function commandEntry({ command, ack, client }: CommandArgs, context: ListenerContext): TextEntryPoint {
  const { channel_id: channel, user_id: user, trigger_id: triggerId } = command;
  const response = responseUrl(command.response_url, false, context.now());
  return {
    deliveryId: triggerId,
    destination: { channel, user, response },
    acknowledge: ack,
    command: command.command,
    reply: (message) => ack({ response_type: 'ephemeral', ...message }),
    isCommand: true,
    // Nothing is posted, so there is nothing to store.
    showAlone: async (asked) => {
      await ack();
      if (!(await isFirstAsFarAsKnown(context, triggerId))) return;
      await openAlone({ client, triggerId, user, context }, channel, asked);
    },
  };
}

const CHOICES = new RegExp(`^${CHOOSE_ACTION}`);

/** A choice of what was meant: asked for as if it had been typed so. */
function listenToChoices(on: Listeners): void {
  on.asking(CHOICES, { message: 'ask' }, (use, ack) =>
    dispatch(parseCommand(readChoice(use.value).form), choiceEntry(use, ack), use.context),
  );
}

/**
 * The answer goes where the text was typed. The choice, which only its author sees, is removed; in a direct message the
 * answer replaces it.
 */
function choiceEntry(use: Use, ack: () => Promise<void>): TextEntryPoint {
  const { user, response, body, context } = use;
  const { channel, threadTs: shownIn, messageTs } = use.origin;
  const { command, thread: threadTs = shownIn } = readChoice(use.value);
  const thread = { ...(threadTs && { threadTs }), ...(shownIn && { hasThread: true }) };
  const typedThere = { channel, user, ...thread, response: { ...response, replaces: false } };
  const isSeenByAll = messageTs !== undefined;
  const acknowledge = async () => {
    await ack();
    if (!isSeenByAll) await context.responses.remove(response.url);
  };
  return {
    // The same id for every press, so that one text starts one lookup.
    deliveryId: `choose:${body.container?.channel_id}:${body.container?.message_ts}`,
    destination: isSeenByAll ? destinationOf(use) : typedThere,
    acknowledge,
    command,
    reply: (message) => use.replace(message),
    isCommand: true,
    showAlone: async (asked) => {
      await ack();
      await openAlone(use, channel, asked);
      await acknowledge();
    },
  };
}

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
