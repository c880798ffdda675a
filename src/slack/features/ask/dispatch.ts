import type { AllMiddlewareArgs, ButtonAction, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { type Asked, responseUrl } from '../../../core/lookup.ts';
import { answerTo, CHOOSE_ACTION, readChoice, statusFor } from '../../answer/usage-message.ts';
import type { ParsedCommand } from '../../commands/near-words.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { accept, type EntryPoint, orFail, payFor } from '../../front/accept.ts';
import { type ButtonClick, destinationOf, originOf, replaceClicked, tellClicker } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { openAlone } from '../../front/show-result.ts';
import { isFirstAsFarAsKnown } from '../../front/turns.ts';

/** A delivery whose text says what is asked for. */
export type TextEntryPoint = EntryPoint & {
  /** Answers a request for help, or a text that could not be understood, and acknowledges the delivery. */
  readonly explain: (usage: Extract<ParsedCommand, { kind: 'usage' }>) => Promise<void>;
  /** Shows an admin the status, and acknowledges the delivery. Left out where no answer is private. */
  readonly showStatus?: () => Promise<void>;
  /** Shows the result to the asker alone. Left out where nobody else sees the answer anyway. */
  readonly showAlone?: (asked: Asked) => Promise<void>;
};

/** For whoever asks for the status in another way than as a command. */
export const NO_STATUS_HERE = 'The status is for the admins of this bot, who type it as a command.';

/**
 * Does what a parsed text asks for: the one place that knows every kind of command. Commands, mentions, direct messages
 * and forms differ only in their entry point. A fault is told to the asker; throws everything else.
 */
export function dispatch(
  parsed: ParsedCommand,
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<void> {
  return orFail(entry, context, () => serve(parsed, entry, context));
}

async function serve(parsed: ParsedCommand, entry: TextEntryPoint, context: ListenerContext): Promise<void> {
  switch (parsed.kind) {
    case 'usage':
      return entry.explain(parsed);
    case 'lookup': {
      const { kind: _kind, isForMe, ...asked } = parsed;
      if (isForMe && entry.showAlone !== undefined) {
        payFor(asked, context);
        return entry.showAlone(asked);
      }
      return accept(asked, entry, context);
    }
    case 'status':
      return entry.showStatus === undefined
        ? entry.explain({ kind: 'usage', problem: NO_STATUS_HERE })
        : entry.showStatus();
    case 'watch':
    case 'unwatch':
      return changeWatch(parsed, entry, context);
    default:
      return parsed satisfies never;
  }
}

/** Looks a snapshot up, and watches it from then on; or ends that. */
async function changeWatch(
  { kind, snapshotId }: Extract<ParsedCommand, { kind: 'watch' | 'unwatch' }>,
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<void> {
  const { watching } = context;
  const { user } = entry.destination;
  if (kind === 'unwatch') return entry.fail({ text: await watching.stop(user, snapshotId) });
  const why = await watching.refusal(user, snapshotId);
  if (why !== undefined) return entry.fail({ text: why });
  await accept({ question: { snapshotId, set: 'all' }, watch: true }, entry, context);
}

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/**
 * Slash commands, by whatever name a workspace gives them in its manifest: the request is stored, then acknowledged; what
 * can't be understood or stored is said at once. Most deliveries are commands: no other listener is asked about them.
 */
export function listenToCommands(on: Listeners, context: ListenerContext): void {
  on.command((args) => dispatch(parseCommand(args.command.text), commandEntry(args, context), context));
}

function commandEntry({ command, ack, client }: CommandArgs, context: ListenerContext): TextEntryPoint {
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

const CHOICES = new RegExp(`^${CHOOSE_ACTION}`);

/** A choice of what was meant: asked for as if it had been typed so. */
export function listenToChoices(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(CHOICES, { message: 'ask' }, async (click) => {
    const { form } = readChoice(click.action.value);
    await dispatch(parseCommand(form), choiceEntry(click, context), context);
  });
}

type ChoiceClick = ButtonClick & Pick<AllMiddlewareArgs, 'client'>;

/**
 * The answer goes where the text was typed. The choice, which only its author sees, is removed; in a direct message the
 * answer replaces it.
 */
function choiceEntry(click: ChoiceClick, context: ListenerContext): TextEntryPoint {
  const { responses, now } = context;
  const { user, response_url: url, container } = click.body;
  const { channel, threadTs: shownIn, messageTs } = originOf(click);
  const { command, thread: threadTs = shownIn } = readChoice(click.action.value);
  const thread = { ...(threadTs && { threadTs }), ...(shownIn && { hasThread: true }) };
  const typedThere = { channel, user: user.id, ...thread, response: responseUrl(url, false, now()) };
  const isSeenByAll = messageTs !== undefined;
  const acknowledge = async () => {
    if (!isSeenByAll) await responses.remove(url);
  };
  return {
    // The same id for every press, so that one text starts one lookup.
    deliveryId: `choose:${container.channel_id}:${container.message_ts}`,
    destination: isSeenByAll ? destinationOf(click, now()) : typedThere,
    acknowledge,
    tell: (message) => responses.tell({ responseUrl: url, threadTs: shownIn }, message),
    fail: ({ text }) => tellClicker(click, context, text),
    explain: (usage) => {
      const isAdmin = command.startsWith('/') && context.admins.includes(user.id);
      return replaceClicked(click, context, answerTo(usage, command, threadTs, isAdmin));
    },
    showStatus: async () => replaceClicked(click, context, await statusFor(user.id, context)),
    showAlone: async (asked) => {
      const opened = { user: user.id, opened: { channel } };
      await openAlone(click.client, click.body.trigger_id, asked, opened, context);
      await acknowledge();
    },
  };
}
