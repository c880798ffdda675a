import { help } from './subcommands/help.ts';
import { readLookup } from './subcommands/lookup.ts';
import { SUBCOMMANDS } from './subcommands/registry.ts';
import type { ParsedCommand } from './subcommands/subcommand.ts';
import { tokensOf } from './subcommands/tokens.ts';

/** The most characters of a text that is read; a command is one line, and Slack cuts a message at 40,000. */
export const LONGEST_TEXT = 4_000;
const TOO_LONG = 'This text is too long. Type one snapshot id, or paste one link.';

/** Reads the text of a command, with whatever spaces, quotes and case; whoever asks for help anywhere in it gets help. */
export function parseCommand(text: string): ParsedCommand {
  if (text.length > LONGEST_TEXT) return { kind: 'usage', problem: TOO_LONG };
  const tokens = tokensOf(text, help.words);
  const [first, ...rest] = tokens;
  if (first === undefined || tokens.some(({ word }) => help.words.includes(word))) return { kind: 'usage' };
  const named = SUBCOMMANDS.find(({ words }) => words.includes(first.word));
  return named?.read(rest) ?? readLookup(tokens);
}
