import type { Context } from './setup.ts';

const LATEST = 10;

/** The state of the emulator, for the error of a wait that timed out. */
export function dump({ workspace, journal, views }: Context): string {
  const { breaches, calls } = journal;
  const messages = workspace.messages
    .filter(({ deleted }) => !deleted)
    .map(({ channel, ts, threadTs, onlyFor, text }) => ({ channel, ts, threadTs, onlyFor, text }));
  return JSON.stringify({ messages, modals: views.all(), calls: calls.slice(-LATEST), breaches }, null, 1);
}
