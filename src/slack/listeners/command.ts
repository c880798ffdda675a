import type { AllMiddlewareArgs, App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Question } from '../../core/lookup.ts';
import { alreadyWaitingMessage } from '../messages/already-waiting-message.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { usageMessage } from '../messages/usage-message.ts';
import { parseCommand } from '../parse-command.ts';
import { type Place, type ResponseUrl, responseUrl } from '../place.ts';
import type { StandingMessage } from '../standing.ts';
import { isFirst, type ListenerContext } from './context.ts';

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
    await take(args, parsed.question, context);
  });
}

async function take(args: CommandArgs, question: Question, context: ListenerContext): Promise<void> {
  const { command, ack } = args;
  const response = responseUrl(command.response_url, false, context.now());
  const place = { channel: command.channel_id, user: command.user_id, response };
  try {
    const standing = await acceptOnce(command.trigger_id, question, place, context);
    await ack();
    if (standing !== undefined) await point(args, question, standing, response, context);
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.error({ err: error }, 'a command could not be written down');
    await ack({ response_type: 'ephemeral', ...faultNotice(error, context.loginUrl) });
  }
}

/** Accepts what is new. The message that waits for the same here already, if there is one, is given instead. */
async function acceptOnce(
  triggerId: string,
  question: Question,
  place: Place,
  context: ListenerContext,
): Promise<StandingMessage | undefined> {
  if (!(await isFirst(context, triggerId))) return undefined;
  const standing = await context.standing.find(place, question);
  if (standing === undefined) await context.lookups.accept({ question, askedBy: place.user, place });
  return standing;
}

async function point(
  { client }: CommandArgs,
  question: Question,
  { channel, ts }: StandingMessage,
  response: ResponseUrl,
  { responses }: ListenerContext,
): Promise<void> {
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  await responses.post(response, alreadyWaitingMessage(question, found?.permalink));
}
