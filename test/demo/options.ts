import { parseArgs } from 'node:util';

/** What the demo does. */
export type DemoOptions = {
  readonly kind: 'page' | 'tour' | 'command' | 'help';
  /** The command line for Slack, if `kind` is `command`. */
  readonly command: string;
  readonly mode: 'http' | 'socket';
  readonly verbose: boolean;
};

/** Wrong arguments; the message says why. */
export class BadArguments extends Error {}

export const HELP = `Snapshot Bot in a small Slack on this machine: no account, nothing to install, nothing leaves this machine.

  npm run demo                            a page where the command works; a link on it plays a short tour
  npm run demo -- --tour                  the tour as text; ends with 0 when everything went as it should, else with 1
  npm run demo -- "/snapshot 1001 hit"    one command, its answer as text; 0 for a result, 1 for anything else

  --socket     Slack speaks with the bot through Socket Mode, not through HTTP
  --verbose    also shows the bot's log, on standard error
  --help       this text

For scripts, \`npm run --silent demo -- …\` leaves out what npm prints itself.`;

/** Reads the command line. Throws `BadArguments`. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values, positionals } = parsed(args);
  const command = positionals.join(' ').trim();
  if (command !== '' && !command.startsWith('/')) {
    throw new BadArguments(
      `“${command}” is not a slash command: put one in quotes, as in "/snapshot 1001 hit".`,
    );
  }
  if (command !== '' && values.tour === true) throw new BadArguments('Either --tour or a command, not both.');
  const common = {
    command,
    mode: values.socket ? 'socket' : 'http',
    verbose: values.verbose === true,
  } as const;
  if (values.help === true) return { ...common, kind: 'help' };
  if (command !== '') return { ...common, kind: 'command' };
  return { ...common, kind: values.tour === true ? 'tour' : 'page' };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        tour: { type: 'boolean' },
        socket: { type: 'boolean' },
        verbose: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new BadArguments(`${reason}. The demo knows --tour, --socket, --verbose and --help.`);
  }
}
