import type { Subcommand } from './subcommand.ts';

/** How the command is used. A phone makes one long dash of two. */
export const help: Subcommand = {
  words: ['help', '--help', '—help', '-h', '?'],
  forms: [{ form: 'help', gives: 'this list' }],
  read: () => ({ kind: 'usage' }),
};
