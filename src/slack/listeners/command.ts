import type { AllMiddlewareArgs, App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Asked } from '../../core/lookup.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { answerTo } from '../messages/usage-message.ts';
import { openBrowsing } from './browse.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, pointerTo } from './request.ts';
import { answerStatus, asksForStatus } from './status.ts';

/** Any command of the app: a workspace may give it another name in its manifest. */
const EVERY_COMMAND = /^\//;

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/** Slash commands: the request is written down, then acknowledged; what can't be understood or kept is said at once. */
export function listenToCommands(app: App, context: ListenerContext): void {
  app.command(EVERY_COMMAND, async (args) => {
    if (asksForStatus(args.command.text)) return answerStatus(args, context);
    const parsed = parseCommand(args.command.text);
    if (parsed.kind === 'usage') {
      await args.ack({ response_type: 'ephemeral', ...answerTo(parsed, args.command.command) });
      return;
    }
    const { kind: _lookup, isForMe, ...asked } = parsed;
    await (isForMe ? showAlone(args, asked, context) : take(args, asked, context));
  });
}

/** A result in a modal: nothing is posted, so there is nothing to write down. */
async function showAlone({ command, ack, client }: CommandArgs, asked: Asked, context: ListenerContext) {
  await ack();
  const reader = { user: command.user_id, opened: { channel: command.channel_id } };
  await openBrowsing(client, command.trigger_id, asked, reader, context);
}

async function take(args: CommandArgs, asked: Asked, context: ListenerContext): Promise<void> {
  const { command, ack } = args;
  const response = responseUrl(command.response_url, false, context.now());
  const destination = { channel: command.channel_id, user: command.user_id, response };
  try {
    const request = { ...asked, destination };
    const waiting = await once(context, command.trigger_id, () => acceptOrJoin(request, context));
    await ack();
    if (waiting !== undefined) {
      await context.responses.post(response, await pointerTo(request, waiting, args.client));
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.error({ err: error }, 'a command could not be written down');
    await ack({ response_type: 'ephemeral', ...faultNotice(error, context.operator) });
  }
}
