import type { Subcommand } from './subcommand.ts';

/** The bot's status, for its admins. */
export const status: Subcommand = {
  words: ['status'],
  forms: [{ form: 'status', gives: 'how the bot is; for its admins only', isForAdmins: true }],
  // With more words it is a request that the lookup explains.
  read: (tokens) => (tokens.length === 0 ? { kind: 'status' } : undefined),
};
