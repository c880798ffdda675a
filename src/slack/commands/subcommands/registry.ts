import { compare } from './compare.ts';
import { help } from './help.ts';
import { lookup } from './lookup.ts';
import { status } from './status.ts';
import type { Subcommand } from './subcommand.ts';

/** Everything that the command can do: read by the parser, by the usage message and by the tests. */
export const SUBCOMMANDS: readonly Subcommand[] = [lookup, compare, help, status];
