import { type Message, type RichElement, richText, words } from '../blocks.ts';
import { inert } from '../inert-text.ts';

/** Each form of the command, and what it gives. */
const FORMS = [
  { form: '26808463', gives: 'all known issues found, and how many checks passed' },
  { form: '26808463 hit', gives: 'only the issues found' },
  { form: '26808463 miss', gives: 'only the checks that passed' },
];
const PURPOSE = 'Shows what the analysis of a diagnostic snapshot found.';
const ALSO = 'Instead of the id, a link to the snapshot works too.';

/** How the command is used, for the eyes of who typed it. `command` is its name in this workspace. */
export function usageMessage(command: string, problem?: string): Message {
  const lines = FORMS.map(({ form, gives }): RichElement[] => [
    words(`${command} ${form}`, { code: true }),
    words(` ${gives}`),
  ]);
  const opening: RichElement[] =
    problem === undefined
      ? [words(PURPOSE, { bold: true })]
      : [words(problem, { bold: true }), words(' Please type:')];
  const example = FORMS.map(({ form, gives }) => `${command} ${form}: ${gives}`).join('; ');
  return {
    text: `${inert(problem ?? PURPOSE)} Usage: ${example}.`,
    blocks: [richText(opening, ...lines, [words(ALSO)])],
  };
}
