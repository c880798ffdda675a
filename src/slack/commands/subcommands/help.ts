import type { Subcommand } from './subcommand.ts';

/** The help. Phones turn two dashes into one long dash. */
export const help: Subcommand = {
  words: ['help', '--help', '—help', '-h', '?'],
  forms: [{ form: 'help', gives: 'this list' }],
  read: () => ({ kind: 'usage' }),
};
