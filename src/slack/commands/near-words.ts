import type { SnapshotId } from '../../core/diagnostics.ts';
import { isSnapshotId } from '../../core/diagnostics.ts';
import type { Asked } from '../../core/lookup.ts';
import { isIssueId } from '../../core/texts.ts';
import { echoOf, isWrapped, type Token, tokensOf } from './tokens.ts';

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

/** Reads tokens as a command. */
type Read = (tokens: readonly Token[]) => ParsedCommand;

/** Letters that are typed or read in place of digits. */
const LETTERS: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };
const LETTER = /[oil]/g;
const MOSTLY_DIGITS = /^(?=.*\d)[\doil]{4,20}$/;

/**
 * What to ask about the one word after the id that is nearly one of the grammar; quotes say that it is meant as it
 * stands. Several such words are what somebody searches for: reading the form without one of them, and so on, would
 * take time quadratic in the text.
 */
export function slipIn(
  tokens: readonly Token[],
  grammar: ReadonlySet<string>,
  read: Read,
): ParsedCommand | undefined {
  const slips = tokens.filter((token) => !grammar.has(token.word) && nearTo(token, grammar) !== undefined);
  const [slip, another] = slips;
  if (slip === undefined || another !== undefined) return undefined;
  const form = formOf(tokens, (token) => (token === slip ? nearTo(token, grammar) : asTyped(token)));
  const offers = offersOf(form, read);
  if (offers === undefined) return undefined;
  const typed = echoOf(slip);
  const problem = `Did you mean “${form}”? To search for “${typed}”, put it in quotes.`;
  return { kind: 'usage', problem, meant: { form, typed }, offers };
}

/** What is no id, and the nearest right form: with the id that was typed, or with the digits that were meant. */
export function notAnId(
  misplaced: Token,
  tokens: readonly Token[],
  grammar: ReadonlySet<string>,
  read: Read,
): ParsedCommand {
  const problem = `“${echoOf(misplaced)}” is not a snapshot id.`;
  const hasId = tokens.some(({ snapshotId }) => snapshotId !== undefined);
  const form = formOf(tokens, (token) => {
    if (grammar.has(token.word) || token.snapshotId !== undefined) return asTyped(token);
    if (!hasId) return digitsIn(token);
    return isIssueId(token.text) ? token.text : nearTo(token, grammar);
  });
  const ids = [...new Set(tokens.flatMap(({ snapshotId }) => snapshotId ?? []))];
  const meant = ids.length === 1 ? watchMeant(tokens.map(({ word }) => word).join(' ')) : undefined;
  if (meant !== undefined) return { kind: 'usage', problem, ...offering(`${meant} ${ids[0]}`) };
  const offers = isWrapped(misplaced) || form === '' ? undefined : offersOf(form, read);
  return { kind: 'usage', problem, ...(offers && { meant: { form }, offers }) };
}

/** The id first, and then the words, as they are taught. */
function formOf(tokens: readonly Token[], write: (token: Token) => string | undefined): string {
  const written = tokens.flatMap((token) => write(token) ?? []);
  const ids = written.filter(isSnapshotId);
  return [...new Set(ids), ...written.filter((text) => !isSnapshotId(text))].join(' ');
}

export function asTyped(token: Token): string {
  return token.snapshotId ?? (token.isPhrase ? `“${token.text}”` : echoOf(token));
}

export function nearTo(
  { word, isPhrase, snapshotId }: Token,
  grammar: ReadonlySet<string>,
): string | undefined {
  return isPhrase || snapshotId !== undefined ? undefined : nearestWord(word, [...grammar]);
}

/** `26808463` for `268O8463`. */
function digitsIn({ word }: Token): string | undefined {
  return MOSTLY_DIGITS.test(word) ? word.replace(LETTER, (letter) => LETTERS[letter] ?? letter) : undefined;
}

const LONGEST_LABEL = 30;

/** A button that asks for what a form says. A phone has no room for many ids. */
export function offerOf(form: string): Offer {
  const ids = form.split(' ').filter(isSnapshotId).length;
  const isComparison = form.startsWith('compare ') && ids > 1;
  if (form.length <= LONGEST_LABEL && !isComparison) return { label: form, form };
  const label = isComparison ? 'Compare them' : `Look up these ${ids}`;
  return { label, spoken: `${label}: ${form}`, form };
}

/** The right form, as it is shown and as a button. */
export function offering(form: string): { meant: { form: string }; offers: [Offer] } {
  return { meant: { form }, offers: [offerOf(form)] };
}

const STOPS = /\b(?:unwatch|unwatching|stop|end|quit|cancel|no|not|don.?t)\b/i;
const WATCHES = /\b(?:un)?watch(?:ing)?\b/i;

/** The word of the grammar for a sentence about watching a snapshot; undefined for any other. */
function watchMeant(text: string): 'watch' | 'unwatch' | undefined {
  if (!WATCHES.test(text)) return undefined;
  return STOPS.test(text) ? 'unwatch' : 'watch';
}

/** What a text can't ask for, and the nearest form that it can be asked in. */
export function nearest(problem: string, form: string, read: Read): ParsedCommand {
  const offers = offersOf(form, read);
  return { kind: 'usage', problem, ...(offers && { meant: { form }, offers }) };
}

/** A button that asks for it. Undefined if it is no lookup. */
function offersOf(form: string, read: Read): Offer[] | undefined {
  return read(tokensOf(form, [])).kind === 'lookup' ? [offerOf(form)] : undefined;
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
