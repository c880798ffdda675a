import type { App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Question } from '../../core/lookup.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { usageMessage } from '../messages/usage-message.ts';
import { parseCommand } from '../parse-command.ts';
import { responseUrl } from '../place.ts';
import { isFirst, type ListenerContext } from './context.ts';

/** Any command of the app: a workspace may give it another name in its manifest. */
const EVERY_COMMAND = /^\//;

/** Slash commands: the request is written down, then acknowledged; what can't be understood or kept is said at once. */
export function listenToCommands(app: App, context: ListenerContext): void {
  app.command(EVERY_COMMAND, async (args) => {
    const parsed = parseCommand(args.command.text);
    if (parsed.kind === 'usage') {
      await args.ack({ response_type: 'ephemeral', ...usageMessage(args.command.command, parsed.problem) });
      return;
    }
    await accept(args, parsed.question, context);
  });
}

async function accept(
  { command, ack }: SlackCommandMiddlewareArgs,
  question: Question,
  context: ListenerContext,
): Promise<void> {
  try {
    if (await isFirst(context, command.trigger_id)) {
      const place = {
        channel: command.channel_id,
        user: command.user_id,
        response: responseUrl(command.response_url, false, context.now()),
      };
      await context.lookups.accept({ question, askedBy: command.user_id, place });
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.error({ err: error }, 'a command could not be written down');
    await ack({ response_type: 'ephemeral', ...faultNotice(error, context.loginUrl) });
    return;
  }
  await ack();
}
