import { z } from 'zod';
import { readCarried } from '../block-kit/action-values.ts';
import { actions, button, type Message, type RichElement, richText, words } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/limits.ts';
import type { ParsedCommand } from '../commands/near-words.ts';
import { SUBCOMMANDS } from '../commands/parse-command.ts';

/** Opens the form that asks for a snapshot. */
export const LOOK_UP_ACTION = 'open-look-up';

/** Asks for what was most likely meant, or one of several. Followed by a number: an action id is unique in its block. */
export const CHOOSE_ACTION = 'choose-';

/** What such a button asks for: the text as it would be typed, behind which command, and in which thread. */
const choice = z.object({ form: z.string(), command: z.string(), thread: z.string().optional() });

/** The choice of a button. Throws `UnreadableValue`. */
export function readChoice(value: string | undefined): z.infer<typeof choice> {
  return readCarried(choice, value);
}

const PURPOSE = 'Shows what the analysis of a diagnostic snapshot found.';
const ALSO = 'You can also paste a link to the snapshot instead of its id.';
const MORE =
  'Below a result, ⋯ leads to what an upgrade fixes, a text for the case, the result for you alone, and a reminder to ' +
  'check again.';

/**
 * How the command is used, for the eyes of who typed it. `command` is its name in this workspace. Whoever made a slip
 * is told what was wrong, in one line: the whole help is for those who ask for it. Admins see what they can ask besides.
 */
export function usageMessage(command: string, problem?: string, isAdmin = false): Message {
  if (problem !== undefined) return slipMessage(command, problem);
  const forms = SUBCOMMANDS.flatMap((subcommand) => subcommand.forms).filter(
    ({ isForAdmins }) => isAdmin || !isForAdmins,
  );
  const lines = forms.map(({ form, gives }): RichElement[] => [
    words(`${command} ${form}`, { code: true }),
    words(` ${gives}`),
  ]);
  const example = forms.map(({ form, gives }) => `${command} ${form}: ${gives}`).join('; ');
  return {
    text: `${PURPOSE} Usage: ${example}.`,
    blocks: [richText([words(PURPOSE, { bold: true })], ...lines, [words(ALSO)], [words(MORE)])],
  };
}

function slipMessage(command: string, problem: string): Message {
  const help = `${command} help`;
  return {
    text: `${inert(problem)} To see what you can ask, type ${help}.`,
    blocks: [
      richText([words(`${problem} To see what you can ask, type `), words(help, { code: true }), words('.')]),
    ],
  };
}

type Usage = Extract<ParsedCommand, { kind: 'usage' }>;

/**
 * What to say to a text that is no request: a question in one line where it is nearly one, with buttons for what may be
 * meant; else how to ask. `threadTs` is where an answer belongs.
 */
export function answerTo(usage: Usage, command: string, threadTs?: string, isAdmin = false): Message {
  const { problem, offers = [] } = usage;
  if (offers.length === 0) return usageMessage(command, problem, isAdmin);
  const text = questionIn(usage, command);
  const buttons = offers.map(({ label, spoken, form }, index) => {
    const value = JSON.stringify({ form, command, thread: threadTs } satisfies z.input<typeof choice>);
    return button(label, `${CHOOSE_ACTION}${index}`, value, spoken);
  });
  return { text: inert(text), blocks: [richText([words(text)]), actions(buttons)] };
}

function questionIn({ problem = '', meant }: Usage, command: string): string {
  if (meant === undefined) return problem;
  const question = `Did you mean “${command} ${meant.form}”?`;
  return meant.typed === undefined
    ? `${problem} ${question}`
    : `${question} To search for “${meant.typed}”, put it in quotes.`;
}
