import type { AllMiddlewareArgs, App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Asked } from '../../core/lookup.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { usageMessage } from '../messages/usage-message.ts';
import { parseCommand } from '../parse-command.ts';
import { responseUrl } from '../place.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, pointerTo } from './request.ts';

/** Any command of the app: a workspace may give it another name in its manifest. */
const EVERY_COMMAND = /^\//;

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/** Slash commands: the request is written down, then acknowledged; what can't be understood or kept is said at once. */
export function listenToCommands(app: App, context: ListenerContext): void {
  app.command(EVERY_COMMAND, async (args) => {
    const parsed = parseCommand(args.command.text);
    if (parsed.kind === 'usage') {
      await args.ack({ response_type: 'ephemeral', ...usageMessage(args.command.command, parsed.problem) });
      return;
    }
    const { kind: _lookup, ...asked } = parsed;
    await take(args, asked, context);
  });
}

async function take(args: CommandArgs, asked: Asked, context: ListenerContext): Promise<void> {
  const { command, ack } = args;
  const response = responseUrl(command.response_url, false, context.now());
  const place = { channel: command.channel_id, user: command.user_id, response };
  try {
    const request = { ...asked, place };
    const waiting = await once(context, command.trigger_id, () => acceptOrJoin(request, context));
    await ack();
    if (waiting !== undefined) {
      await context.responses.post(response, await pointerTo(request, waiting, args.client));
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.error({ err: error }, 'a command could not be written down');
    await ack({ response_type: 'ephemeral', ...faultNotice(error, context.loginUrl) });
  }
}
