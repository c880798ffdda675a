import type { Asked } from '../../../core/lookup.ts';
import { NO_STATUS_HERE } from '../../answer/usage-message.ts';
import type { ParsedCommand } from '../../commands/near-words.ts';
import { accept, type EntryPoint, orFail, payFor } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';

/** A delivery whose text says what is asked for. */
export type TextEntryPoint = EntryPoint & {
  /** Answers a request for help, or a text that could not be understood, and acknowledges the delivery. */
  readonly explain: (usage: Extract<ParsedCommand, { kind: 'usage' }>) => Promise<void>;
  /** Shows an admin the status, and acknowledges the delivery. Left out where no answer is private. */
  readonly showStatus?: () => Promise<void>;
  /** Shows the result to the asker alone. Left out where nobody else sees the answer anyway. */
  readonly showAlone?: (asked: Asked) => Promise<void>;
};

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
