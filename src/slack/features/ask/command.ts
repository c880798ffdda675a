import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { answerTo } from '../../answer/usage-message.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { responseUrl } from '../../delivery/response-url.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { isFirstAsFarAsKnown } from '../../front/once.ts';
import { openAlone } from '../../front/reader-window.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { statusFor } from './status.ts';

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/**
 * Slash commands, by whatever name a workspace gives them in its manifest: the request is stored, then acknowledged; what
 * can't be understood or stored is said at once. Most deliveries are commands: no other listener is asked about them.
 */
export function listenToCommands(on: Listeners, context: ListenerContext): void {
  on.command((args) => dispatch(parseCommand(args.command.text), entryPointOf(args, context), context));
}

function entryPointOf({ command, ack, client }: CommandArgs, context: ListenerContext): TextEntryPoint {
  const { channel_id: channel, user_id: user, trigger_id: triggerId } = command;
  const response = responseUrl(command.response_url, false, context.now());
  return {
    deliveryId: triggerId,
    destination: { channel, user, response },
    acknowledge: ack,
    tell: async (message) => void (await context.responses.post(response, message)),
    fail: (notice) => ack({ response_type: 'ephemeral', ...notice }),
    explain: (usage) => {
      const isAdmin = context.admins.includes(user);
      return ack({ response_type: 'ephemeral', ...answerTo(usage, command.command, undefined, isAdmin) });
    },
    showStatus: async () => ack({ response_type: 'ephemeral', ...(await statusFor(user, context)) }),
    // Nothing is posted, so there is nothing to store.
    showAlone: async (asked) => {
      await ack();
      if (!(await isFirstAsFarAsKnown(context, triggerId))) return;
      await openAlone(client, triggerId, asked, { user, opened: { channel } }, context);
    },
  };
}
