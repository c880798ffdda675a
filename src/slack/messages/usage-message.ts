import { type Message, type RichElement, richText, words } from '../blocks.ts';
import { inert } from '../inert-text.ts';
import { SUBCOMMANDS } from '../subcommands/registry.ts';

const PURPOSE = 'Shows what the analysis of a diagnostic snapshot found.';
const ALSO = 'Instead of an id, a link to the snapshot works too.';

/** How the command is used, for the eyes of who typed it. `command` is its name in this workspace. */
export function usageMessage(command: string, problem?: string): Message {
  const forms = SUBCOMMANDS.flatMap((subcommand) => subcommand.forms);
  const lines = forms.map(({ form, gives }): RichElement[] => [
    words(`${command} ${form}`, { code: true }),
    words(` ${gives}`),
  ]);
  const opening: RichElement[] =
    problem === undefined
      ? [words(PURPOSE, { bold: true })]
      : [words(problem, { bold: true }), words(' Please type:')];
  const example = forms.map(({ form, gives }) => `${command} ${form}: ${gives}`).join('; ');
  return {
    text: `${inert(problem ?? PURPOSE)} Usage: ${example}.`,
    blocks: [richText(opening, ...lines, [words(ALSO)])],
  };
}
