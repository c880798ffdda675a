import type { SnapshotId } from '../../core/diagnostics.ts';
import { isSnapshotId } from '../../core/diagnostics.ts';
import type { Asked } from '../../core/lookup.ts';
import { echoOf, type Token } from './tokens.ts';

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

export function asTyped(token: Token): string {
  return token.snapshotId ?? (token.isPhrase ? `“${token.text}”` : echoOf(token));
}

/** No id and no phrase is near a word: the one has digits alone, and the other stands for no word. */
export function nearTo({ word }: Token, grammar: ReadonlySet<string>): string | undefined {
  return nearestWord(word, [...grammar]);
}

const LONGEST_LABEL = 30;

/** A button that asks for what a form says. A phone has no room for many ids: then it says `short`, if that is given. */
export function offerOf(form: string, short?: string): Offer {
  const ids = form.split(' ').filter(isSnapshotId);
  const isComparison = form.startsWith('compare ');
  if (form.length <= LONGEST_LABEL && !(isComparison && ids.length > 1)) return { label: form, form };
  const which = ids.length === 1 ? ids.join() : `these ${ids.length}`;
  const label = short ?? (isComparison ? 'Compare them' : `Look up ${which}`);
  return { label, spoken: `${label}: ${form}`, form };
}

/** The right form, as it is shown and as a button. */
export function offering(form: string): { meant: { form: string }; offers: [Offer] } {
  return { meant: { form }, offers: [offerOf(form)] };
}

/** A part of a word counts as the word from here on: `crit`, not `cr`. */
const SHORTEST_PART = 3;
/** In shorter words one other letter makes another word: “log” is no slip of “low”. */
const SHORTEST_FOR_SLIPS = 4;

/**
 * The word of the grammar that a typed word most likely means: it is the beginning of it, or one slip away (two
 * letters exchanged, one too many, one missing or another one). Undefined for every word that stands for itself.
 */
export function nearestWord(typed: string, grammar: readonly string[]): string | undefined {
  return grammar.find(
    (word) =>
      (typed.length >= SHORTEST_PART && word.startsWith(typed)) ||
      isExchanged(typed, word) ||
      isOneLetterOff(typed, word),
  );
}

/** `hgih` for `high`. */
function isExchanged(typed: string, word: string): boolean {
  const at = firstDifference(typed, word);
  return typed === `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
}

/** `mis`, `misss` and `niss` for `miss`. */
function isOneLetterOff(typed: string, word: string): boolean {
  if (Math.max(typed.length, word.length) < SHORTEST_FOR_SLIPS) return false;
  const at = firstDifference(typed, word);
  const [typedRest, rest] = [typed.slice(at), word.slice(at)];
  const pairs = [
    [typedRest.slice(1), rest.slice(1)],
    [typedRest.slice(1), rest],
    [typedRest, rest.slice(1)],
  ];
  return pairs.some(([one, other]) => one === other);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charAt(at) === other.charAt(at)) at += 1;
  return at;
}
