import type { SnapshotId } from '../../core/diagnostics.ts';
import { type Asked, MOST_TOGETHER } from '../../core/lookup.ts';
import type { Token } from './tokens.ts';
import { isCourtesy } from './tokens.ts';

/** Word of what becomes new in a snapshot. */
export const watch: Subcommand = {
  words: ['watch'],
  forms: [
    {
      form: 'watch 26808463',
      gives: 'the hits, and a mention in the thread when critical or high ones change',
    },
  ],
  read: (tokens) => read('watch', tokens),
};

export const unwatch: Subcommand = {
  words: ['unwatch'],
  forms: [{ form: 'unwatch 26808463', gives: 'no more of these mentions' }],
  read: (tokens) => read('unwatch', tokens),
};

/** With anything but one id it is asked which one is meant. */
function read(kind: 'watch' | 'unwatch', tokens: readonly Token[]): ParsedCommand {
  const [only, ...more] = tokens.filter((token) => !isCourtesy(token));
  if (only?.snapshotId !== undefined && more.length === 0) return { kind, snapshotId: only.snapshotId };
  const ids = [...new Set(tokens.flatMap(({ snapshotId }) => snapshotId ?? []))].slice(0, MOST_TOGETHER);
  const offers = ids.map((id) => ({ label: `${kind} ${id}`, form: `${kind} ${id}` }));
  const problem = `To ${kind} a snapshot, type one id and nothing else: “${kind} ${ids[0] ?? '26808463'}”.`;
  return { kind: 'usage', problem, ...(ids.length > 0 && { offers }) };
}

/** A button for a command: what it says, what is read aloud where that differs, and the text that it stands for. */
export type Offer = { readonly label: string; readonly spoken?: string; readonly form: string };

/**
 * What a text asks for: one variant for each kind. A lookup with `isForMe` is shown to the asker alone. `usage` asks
 * for help, or has a `problem` that says what could not be understood.
 */
export type ParsedCommand =
  | ({ readonly kind: 'lookup'; readonly isForMe?: true } & Asked)
  | { readonly kind: 'status' }
  | { readonly kind: 'watch' | 'unwatch'; readonly snapshotId: SnapshotId }
  | {
      readonly kind: 'usage';
      /** What could not be understood; without one, help was asked for. */
      readonly problem?: string;
      /** The corrected text, and the word that was typed instead. */
      readonly meant?: { readonly form: string; readonly typed?: string };
      /** What was most likely meant, or what the snapshots that were named can be asked. */
      readonly offers?: readonly Offer[];
    };

/** One way to write a command, for the usage message: what follows the command's name, and what it gives. */
type Form = {
  readonly form: string;
  readonly gives: string;
  /** Taught to the admins of the bot alone. */
  readonly isForAdmins?: true;
};

/** One thing that the command can do: how it is recognised, taught and read. */
export type Subcommand = {
  /** The words that begin it; the one without words is for everything else. */
  readonly words: readonly string[];
  readonly forms: readonly Form[];
  /** Reads what follows the word. Undefined if the word does not begin this subcommand with what follows. */
  readonly read: (tokens: readonly Token[]) => ParsedCommand | undefined;
};
