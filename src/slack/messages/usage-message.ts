import { type Message, type RichElement, richText, words } from '../blocks.ts';
import { inert } from '../inert-text.ts';

/** Each form of the command, and what it gives. */
const FORMS = [
  { form: '26808463', gives: 'the hits, and how many checks passed' },
  { form: '26808463 hit', gives: 'only the hits' },
  { form: '26808463 miss', gives: 'what was checked and is fine' },
];
const ALSO = 'Instead of the id you can paste a link to the snapshot. This help: ';

/** How the command is used, for the eyes of who typed it. `command` is its name in this workspace. */
export function usageMessage(command: string, problem?: string): Message {
  const lines = FORMS.map(({ form, gives }): RichElement[] => [
    words(`${command} ${form}`, { code: true }),
    words(`  ${gives}`),
  ]);
  const opening: RichElement[] =
    problem === undefined
      ? [words('What the analysis of a diagnostic snapshot found:', { bold: true })]
      : [words(problem, { bold: true }), words(' It goes like this:')];
  const example = FORMS.map(({ form, gives }) => `${command} ${form}: ${gives}`).join('; ');
  return {
    text: `${inert(problem ?? 'What the analysis of a diagnostic snapshot found.')} Usage: ${example}.`,
    blocks: [richText(opening, ...lines, [words(ALSO), words(`${command} help`, { code: true })])],
  };
}
