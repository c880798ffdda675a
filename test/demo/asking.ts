import { records } from '../emulators/slack/json.ts';
import type { Delivery, VisibleMessage } from '../emulators/slack/model.ts';
import type { Slack } from '../emulators/slack/slack.ts';
import { meaningOf } from './reading.ts';

/** A command, and the person and channel that it comes from. */
export interface Asking {
  readonly command: string;
  readonly channel: string;
  readonly user: string;
}

/** The bot did not acknowledge the command; the message says what Slack would show. */
export class CommandFailed extends Error {
  constructor({ error, status }: Delivery) {
    super(
      error === 'timeout'
        ? 'the bot did not acknowledge the command within 3 seconds (operation_timeout)'
        : `the bot did not take the command (dispatch_failed: ${error ?? ''} ${status || ''})`.replace(
            ' )',
            ')',
          ),
    );
  }
}

/** Longer than the bot's own wait limit. */
const TIMEOUT_MS = 5 * 60_000;
const COMMAND = /^(\/\S+)\s*(.*)$/s;

/** Types a command and returns its final answer. Calls `seen` with each version of the answer. */
export async function ask(
  slack: Slack,
  { command, channel, user }: Asking,
  seen: (message: VisibleMessage) => void = () => {},
): Promise<VisibleMessage> {
  const [, name = '', text = ''] = COMMAND.exec(command) ?? [];
  const open = new Set(slack.modals(user).map(({ id }) => id));
  const before = new Set(slack.messages(channel, user).map(({ ts }) => ts));
  const isAnswer = (message: VisibleMessage) => !before.has(message.ts) && concerns(message, text, slack);
  let shown = '';
  const look = () => {
    const answer = slack.messages(channel, user).findLast(isAnswer) ?? windowOf(slack, user, channel, open);
    if (answer === undefined) return undefined;
    const version = `${answer.ts} ${answer.history.length}`;
    if (version !== shown) seen(answer);
    shown = version;
    return meaningOf(answer) === 'waiting' ? undefined : answer;
  };
  const answered = slack.waitFor(look, `the answer to ${command}`, TIMEOUT_MS);
  answered.catch(() => {});
  const delivery = await slack.command({ command: name, text, channel, user });
  if (!delivery.acknowledged) throw new CommandFailed(delivery);
  return answered;
}

/** The window that a command opened, as an ephemeral message. */
function windowOf(
  slack: Slack,
  user: string,
  channel: string,
  before: ReadonlySet<string>,
): VisibleMessage | undefined {
  const open = slack.modals(user).find(({ id }) => !before.has(id));
  const bot = slack.users.find(({ name }) => name === 'snapshot');
  if (open === undefined || bot === undefined) return undefined;
  const said = { text: '', blocks: records(open.view.blocks), ephemeral: true, history: [] } as const;
  return {
    ...said,
    channel,
    ts: `${open.id} ${JSON.stringify(open.view).length}`,
    user: bot.id,
    at: Date.now(),
  };
}

const DIGITS = /\d+/;

/** Whether a message is the bot's answer to this text: people on the page may ask for other snapshots meanwhile. */
function concerns(message: VisibleMessage, text: string, slack: Slack): boolean {
  const author = slack.users.find(({ id }) => id === message.user);
  const [id = ''] = DIGITS.exec(text) ?? [];
  return author?.name === 'snapshot' && (message.ephemeral === true || message.text.includes(id));
}
