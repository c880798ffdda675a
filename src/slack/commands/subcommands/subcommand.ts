import type { Asked } from '../../../core/lookup.ts';
import type { Token } from './tokens.ts';

/** What a command's text asks for. `isForMe`: for their eyes alone. `problem` says what could not be understood; without one, help was asked for. */
export type ParsedCommand =
  | ({ readonly kind: 'lookup'; readonly isForMe?: true } & Asked)
  | {
      readonly kind: 'usage';
      readonly problem?: string;
      /** The right form of what was most likely meant, and the word that was typed instead. */
      readonly meant?: { readonly form: string; readonly typed: string };
    };

/** One way to write a command, for the usage message: what follows the command's name, and what it gives. */
type Form = { readonly form: string; readonly gives: string };

/** One thing that the command can do: how it is recognised, taught and read. */
export type Subcommand = {
  /** The words that begin it; the one without words is for everything else. */
  readonly words: readonly string[];
  readonly forms: readonly Form[];
  /** Reads what follows the word. */
  readonly read: (tokens: readonly Token[]) => ParsedCommand;
};
