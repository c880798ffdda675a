import { type Message, type RichElement, richText, words } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import { SUBCOMMANDS } from '../commands/subcommands/registry.ts';

const PURPOSE = 'Shows what the analysis of a diagnostic snapshot found.';
const ALSO = 'You can also paste a link to the snapshot instead of its id.';

/**
 * How the command is used, for the eyes of who typed it. `command` is its name in this workspace. Whoever made a slip
 * is told what was wrong, in one line: the whole help is for those who ask for it.
 */
export function usageMessage(command: string, problem?: string): Message {
  if (problem !== undefined) return slipMessage(command, problem);
  const forms = SUBCOMMANDS.flatMap((subcommand) => subcommand.forms);
  const lines = forms.map(({ form, gives }): RichElement[] => [
    words(`${command} ${form}`, { code: true }),
    words(` ${gives}`),
  ]);
  const example = forms.map(({ form, gives }) => `${command} ${form}: ${gives}`).join('; ');
  return {
    text: `${PURPOSE} Usage: ${example}.`,
    blocks: [richText([words(PURPOSE, { bold: true })], ...lines, [words(ALSO)])],
  };
}

function slipMessage(command: string, problem: string): Message {
  const help = `${command} help`;
  return {
    text: `${inert(problem)} For a list of what a snapshot can be asked, type ${help}.`,
    blocks: [
      richText([words(`${problem} `), words(help, { code: true }), words(' lists what you can ask.')]),
    ],
  };
}

type NoRequest = {
  readonly problem?: string;
  readonly meant?: { readonly form: string; readonly typed: string };
};

/** What to say to a text that is no request: a question in one line where it is nearly one, else how to ask. */
export function answerTo({ problem, meant }: NoRequest, command: string): Message {
  if (meant === undefined) return usageMessage(command, problem);
  const { form, typed } = meant;
  const text = `Did you mean “${command} ${form}”? To search for “${typed}”, put it in quotes.`;
  return { text: inert(text), blocks: [richText([words(text)])] };
}
