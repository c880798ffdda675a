import type { Destination } from '../../core/destination.ts';
import { isFault } from '../../core/faults.ts';
import type { Asked } from '../../core/lookup.ts';
import { faultNotice } from '../answer/fault-message.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { ParsedCommand } from '../commands/subcommands/subcommand.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, pointerTo } from './request.ts';
import { statusFor } from './status.ts';

/** One delivery of Slack in which a person asks for a lookup: where the answer goes, and how that person is told things. */
export type EntryPoint = {
  /** The same for every repetition of the delivery: a request is accepted once. */
  readonly deliveryId: string;
  readonly destination: Destination;
  /** Acknowledges the delivery once the request is stored. Left out where Bolt does it for the listener. */
  readonly acknowledge?: () => Promise<void>;
  /** Tells the person something that nobody else sees, after the acknowledgement. */
  readonly tell: (message: Message) => Promise<unknown>;
  /** Tells the person why the request was not accepted, and acknowledges the delivery. */
  readonly fail: (notice: { readonly text: string }) => Promise<void>;
};

/** A delivery whose text says what is asked for. */
export type TextEntryPoint = EntryPoint & {
  /** Answers a request for help, or a text that could not be understood, and acknowledges the delivery. */
  readonly explain: (usage: Extract<ParsedCommand, { kind: 'usage' }>) => Promise<void>;
  /** Answers what only the asker may see, and acknowledges the delivery. Left out where no answer is private. */
  readonly answerPrivately?: (message: Message) => Promise<void>;
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
      if (isForMe && entry.showAlone !== undefined) return entry.showAlone(asked);
      return accept(asked, entry, context);
    }
    case 'status': {
      const { answerPrivately, destination } = entry;
      if (answerPrivately === undefined) return entry.explain({ kind: 'usage', problem: NO_STATUS_HERE });
      return answerPrivately(await statusFor(destination.user, context));
    }
    default:
      return parsed satisfies never;
  }
}

/** Accepts a lookup that was asked for without any text, by a shortcut or a button. Faults as for `dispatch`. */
export function take(asked: Asked, entry: EntryPoint, context: ListenerContext): Promise<void> {
  return orFail(entry, context, () => accept(asked, entry, context));
}

/** Stores the request, then acknowledges it; where a message waits for the same answer already, points to that one. */
async function accept(asked: Asked, entry: EntryPoint, context: ListenerContext): Promise<void> {
  const request = { ...asked, destination: entry.destination };
  const waiting = await once(context, entry.deliveryId, () => acceptOrJoin(request, context));
  await entry.acknowledge?.();
  if (waiting !== undefined) await entry.tell(await pointerTo(request, waiting, context));
}

async function orFail(
  entry: EntryPoint,
  { logger, operator }: ListenerContext,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.error({ err: error }, 'a request could not be accepted');
    await entry.fail(faultNotice(error, operator));
  }
}
