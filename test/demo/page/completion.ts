import type { AppShown, Person, ShelfBook } from '../wire.ts';

/** Something that can be put into the message box. */
export interface Suggestion {
  /** What the box says afterwards. */
  readonly line: string;
  readonly label: string;
  readonly hint: string;
}

interface Known {
  readonly app: AppShown;
  readonly shelf: readonly ShelfBook[];
  readonly people: readonly Person[];
  /** Slash commands do not exist in threads. */
  readonly inThread: boolean;
}

const COMMAND_BEGUN = /^\/\S*$/;
const ID_BEGUN = /^(\/\S+\s+)(\d*)$/;
const NAME_BEGUN = /(^|\s)@([\w-]*)$/;
const MOST = 14;

/** What could follow what is in the message box. */
export function suggestions(line: string, { app, shelf, people, inThread }: Known): Suggestion[] {
  if (COMMAND_BEGUN.test(line) && !inThread) {
    return app.commands
      .filter(({ command }) => command.startsWith(line))
      .map(({ command, description, hint }) => ({
        line: `${command} `,
        label: `${command} ${hint}`,
        hint: description,
      }));
  }
  const [, before = '', begun = ''] = ID_BEGUN.exec(line) ?? [];
  if (before !== '' && !inThread) {
    return shelf
      .filter(({ id }) => id.startsWith(begun))
      .slice(0, MOST)
      .map(({ id, title, purpose }) => ({ line: `${before}${id} `, label: `${id} ${title}`, hint: purpose }));
  }
  const name = NAME_BEGUN.exec(line);
  if (name === null) return [];
  const start = line.slice(0, name.index) + name[1];
  return people
    .filter((person) => person.name.startsWith(name[2] ?? ''))
    .map((person) => ({ line: `${start}@${person.name} `, label: `@${person.name}`, hint: person.realName }));
}

/** The usage hint of the command that is being typed. */
export function commandHint(line: string, app: AppShown): string {
  const command = app.commands.find(
    (known) => line.startsWith(`${known.command} `) || line === known.command,
  );
  return command === undefined ? '' : `${command.command} ${command.hint}`;
}
