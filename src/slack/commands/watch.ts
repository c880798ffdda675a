import type { ParsedCommand, Subcommand } from './subcommand.ts';
import { isCourtesy, type Token } from './tokens.ts';

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

/** With anything but one id it is a request that the lookup explains. */
function read(kind: 'watch' | 'unwatch', tokens: readonly Token[]): ParsedCommand | undefined {
  const [only, ...more] = tokens.filter((token) => !isCourtesy(token));
  if (only?.snapshotId === undefined || more.length > 0) return undefined;
  return { kind, snapshotId: only.snapshotId };
}
