import { compare } from './compare.ts';
import { help } from './help.ts';
import { lookup } from './lookup.ts';
import type { Form, Subcommand } from './subcommand.ts';

/** Everything that the command can do: read by the parser, by the usage message and by the tests. */
export const SUBCOMMANDS: readonly Subcommand[] = [lookup, compare, help];

/** What admins can ask besides. Only the slash command takes it, because its answer is private everywhere. */
export const ADMIN_FORMS: readonly Form[] = [
  { form: 'status', gives: 'how the bot is; for its admins only' },
];
