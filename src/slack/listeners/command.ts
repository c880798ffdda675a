import type { AllMiddlewareArgs, App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { parseCommand } from '../commands/parse-command.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { answerTo } from '../messages/usage-message.ts';
import { openBrowsing } from './browse.ts';
import type { ListenerContext } from './context.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { answerStatus, asksForStatus } from './status.ts';

/** Any command of the app: a workspace may give it another name in its manifest. */
const EVERY_COMMAND = /^\//;

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/** Slash commands: the request is stored, then acknowledged; what can't be understood or stored is said at once. */
export function listenToCommands(app: App, context: ListenerContext): void {
  app.command(EVERY_COMMAND, async (args) => {
    if (asksForStatus(args.command.text)) return answerStatus(args, context);
    await dispatch(parseCommand(args.command.text), entryPointOf(args, context), context);
  });
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
    // Nothing is posted, so there is nothing to store.
    showAlone: async (asked) => {
      await ack();
      await openBrowsing(client, triggerId, asked, { user, opened: { channel } }, context);
    },
  };
}
