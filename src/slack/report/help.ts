import type { types } from '@slack/bolt';
import { utcText } from '../../core/time.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { inert } from '../blocks/limits.ts';
import { modal } from '../blocks/modal.ts';
import { FORMS, STATUS_FORM } from '../commands/parse-command.ts';

const EXAMPLES = [
  ['Its critical and high hits, and what to do', '26808463'],
  ['Whether a CVE is a hit', '26808463 CVE-2026-10000'],
  ['What changed between two snapshots', 'compare 26808460 26808463'],
] as const;

/** The short help, visible only to the person who asks. `command`: the name of the slash command, or a mention. */
export function helpMessage(command: string): ui.Message {
  const typed = EXAMPLES.map(([gives, form]) => ({ gives, code: `${command} ${form}` }));
  // The full list is that of the slash command, because some of its lines are nothing that a mention can ask.
  const listed = command.startsWith('/') ? command : '/snapshot';
  const lookUp = { ...ui.button('Look up…', ACTION.lookUp), style: 'primary' } as const;
  const mine = ui.button('My lookups', ACTION.myLookups);
  return {
    text: `What the analysis of a snapshot found. Try: ${typed.map(({ code }) => code).join(', ')}`,
    blocks: [
      ui.richText([ui.bold('See what the analysis of a snapshot found')]),
      ...typed.map(({ gives, code }) =>
        ui.richText([ui.words(`${gives}:\n`), ui.words(code, { code: true })]),
      ),
      ui.actions([lookUp, mine, ui.button('All commands', ACTION.commands, listed)]),
      ui.smallPrint('In a thread, mention me with the id: @snapshot 26808463'),
    ],
  };
}

/** Tells a person what is wrong with a typed command, and how to get help. */
export function slipMessage(command: string, problem: string): ui.Message {
  const said = `${problem} To see what you can ask, type `;
  const help = `${command} help`;
  const line = ui.richText([ui.words(said), ui.words(help, { code: true }), ui.words('.')]);
  return { text: `${inert(said)}${help}.`, blocks: [line] };
}

/** The window with all commands; admins also see the command for admins. */
export function commandsWindow(command: string, isAdmin: boolean): types.ModalView {
  const forms = [...FORMS, ...(isAdmin ? [STATUS_FORM] : [])];
  const lines = forms.map(([form, gives]) => [
    ui.words(`${command} ${form}`, { code: true }),
    ui.words(` ${gives}`),
  ]);
  const links = ui.line('A link to a snapshot can stand in place of its id.');
  return modal({ title: 'All commands' }, [ui.richText(...lines), links]);
}

/** The state of the bot, for its admins. Times are epoch milliseconds; undefined if the store does not answer. */
export type StatusReport = {
  readonly version: string;
  readonly reasons: readonly { readonly part: string; readonly problem: string }[];
  /** When the session expires; undefined without a session. */
  readonly sessionUntil: number | undefined;
  readonly open: number | undefined;
  readonly oldestAt: number | undefined;
  readonly faults: readonly { readonly at: number; readonly code: string; readonly reference: string }[];
};

/** The reply to a request for the status that is not a slash command. */
export const NO_STATUS_HERE = 'The status is for the admins of this bot, who type it as a command.';

type Status = { admins: readonly string[]; status: () => Promise<StatusReport> };

/** The bot's status for an admin, or a refusal for anybody else; either is visible only to that person. */
export async function statusFor(user: string, { admins, status }: Status): Promise<ui.Message> {
  if (!admins.includes(user)) return ui.notice('Only the admins of this bot can see its status.');
  const { version, reasons, sessionUntil, open, oldestAt, faults } = await status();
  const oldest = oldestAt && `, the oldest since ${utcText(oldestAt)}`;
  const lines = [
    ['Version', version],
    ['Session', sessionUntil ? `valid until ${utcText(sessionUntil)}` : 'none'],
    ['Open lookups', open === undefined ? 'unknown: the store does not answer' : `${open}${oldest ?? ''}`],
    ...reasons.map(({ part, problem }) => [`Problem: ${part}`, problem]),
    ...faults.map(({ at, code, reference }) => [utcText(at), `${code} · reference ${reference}`]),
  ];
  const parts = reasons.map(({ part }) => part).join(', ');
  const title = parts === '' ? 'The bot is healthy.' : `The bot has problems: ${parts}.`;
  const paragraphs = lines.map(([name, value = '']) => [ui.bold(`${name}: `), ui.words(value)]);
  return { text: title, blocks: [ui.richText([ui.bold(title)], ...paragraphs)] };
}
