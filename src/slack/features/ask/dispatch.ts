import type { Asked } from '../../../core/lookup.ts';
import { answerTo, NO_STATUS_HERE, statusFor } from '../../answer/usage-message.ts';
import { type Message, notice } from '../../blocks/blocks.ts';
import type { ParsedCommand } from '../../commands/near-words.ts';
import { accept, type EntryPoint, payFor } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';

/** A delivery whose text says what is asked for. */
export type TextEntryPoint = EntryPoint & {
  /** What the text is typed behind: the command, or a mention of the bot. */
  readonly command: string;
  /** Answers with this alone, and acknowledges the delivery. */
  readonly reply: (message: Message) => Promise<unknown>;
  /** Whether it is a command: an admin is told the status, and how to ask for it, in answer to nothing else. */
  readonly isCommand?: true;
  /** Shows the result to the asker alone. Left out where nobody else sees the answer anyway. */
  readonly showAlone?: (asked: Asked) => Promise<void>;
};

/**
 * Does what a parsed text asks for: the one place that knows every kind of command. Commands, mentions, direct messages
 * and forms differ only in their entry point. Throws as `accept`.
 */
export async function dispatch(
  parsed: ParsedCommand,
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<unknown> {
  const { user, threadTs } = entry.destination;
  switch (parsed.kind) {
    case 'usage': {
      const isAdmin = entry.isCommand && entry.command.startsWith('/') && context.admins.includes(user);
      return entry.reply(answerTo(parsed, entry.command, threadTs, isAdmin));
    }
    case 'lookup': {
      const { kind: _kind, isForMe, ...asked } = parsed;
      if (!isForMe || entry.showAlone === undefined) return accept(asked, entry, context);
      payFor(asked, context);
      return entry.showAlone(asked);
    }
    case 'status':
      return entry.isCommand
        ? entry.reply(await statusFor(user, context))
        : dispatch({ kind: 'usage', problem: NO_STATUS_HERE }, entry, context);
    case 'watch': {
      // It is looked up, and followed from then on.
      const { snapshotId } = parsed;
      const why = await context.following.refusal(user, snapshotId);
      if (why !== undefined) return entry.reply(notice(why));
      return accept({ question: { snapshotId, set: 'all' }, watch: true }, entry, context);
    }
    case 'unwatch':
      return entry.reply(notice(await context.following.stop(user, parsed.snapshotId)));
    default:
      return parsed satisfies never;
  }
}
