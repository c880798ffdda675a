import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { answerTo } from '../../answer/usage-message.ts';
import { type Message, type RichElement, richText, words } from '../../block-kit/blocks.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { responseUrl } from '../../delivery/response-url-poster.ts';
import type { ListenerContext, StatusReport } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { isFirstAsFarAsKnown } from '../../front/once.ts';
import { openAlone } from '../../front/show-result.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';

/** The bot's status for an admin; anyone else is told that it is not for them. Nobody else may see either. */
export async function statusFor(
  user: string,
  { admins, status, now }: Pick<ListenerContext, 'admins' | 'status' | 'now'>,
): Promise<Message> {
  return admins.includes(user) ? statusMessage(await status(), now()) : NOT_FOR_YOU;
}

const MINUTE_MS = 60_000;
const UNKNOWN = 'unknown: the store does not answer';

/** Private, for admins: version, health, session, open lookups, and the last faults with what finds them in the log. */
function statusMessage(report: StatusReport, now: number): Message {
  const lines = [
    ['Version', `${report.version}, up for ${lengthOf(now - report.startedAt)}`],
    ['Replicas', replicasOf(report.replicas)],
    ['Session', sessionOf(report, now)],
    ['Last login', agoOf(report.lastLoginAt, now)],
    ['Last login refused', agoOf(report.lastRefusalAt, now)],
    ['Open lookups', openOf(report, now)],
    ['Watched snapshots', report.watched === undefined ? UNKNOWN : String(report.watched)],
    ...report.reasons.map(({ part, problem }) => [`Problem: ${part}`, problem]),
    ...report.faults.map(({ at, code, reference }) => [agoOf(at, now), `${code} · reference ${reference}`]),
  ] as const;
  const isWell = report.reasons.length === 0;
  const title = isWell
    ? 'The bot is healthy.'
    : `The bot has problems: ${report.reasons.map(({ part }) => part).join(', ')}.`;
  const paragraphs = lines.map(([name, value]): RichElement[] => [
    words(`${name}: `, { bold: true }),
    words(value ?? ''),
  ]);
  return { text: title, blocks: [richText([words(title, { bold: true })], ...paragraphs)] };
}

/** For a person who is no admin. */
const NOT_FOR_YOU: Message = {
  text: 'Only the admins of this bot can see its status.',
  blocks: [richText([words('Only the admins of this bot can see its status.')])],
};

function replicasOf(versions: StatusReport['replicas']): string {
  if (versions === undefined) return UNKNOWN;
  const counts = Map.groupBy(versions, (version) => version);
  return [...counts].map(([version, all]) => `${all.length} × ${version}`).join(', ');
}

function sessionOf({ sessionUntil }: StatusReport, now: number): string {
  return sessionUntil === undefined ? 'none' : `valid for another ${lengthOf(sessionUntil - now)}`;
}

function openOf({ open, oldestAt }: StatusReport, now: number): string {
  if (open === undefined) return UNKNOWN;
  return oldestAt === undefined ? String(open) : `${open}, the oldest ${agoOf(oldestAt, now)}`;
}

function agoOf(at: number | undefined, now: number): string {
  return at === undefined ? 'not by this replica' : `${lengthOf(now - at)} ago`;
}

function lengthOf(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/**
 * Slash commands, by whatever name a workspace gives them in its manifest: the request is stored, then acknowledged; what
 * can't be understood or stored is said at once. Most deliveries are commands: no other listener is asked about them.
 */
export function listenToCommands(on: Listeners, context: ListenerContext): void {
  on.command((args) => dispatch(parseCommand(args.command.text), entryPointOf(args, context), context));
}

function entryPointOf({ command, ack, client }: CommandArgs, context: ListenerContext): TextEntryPoint {
  const { channel_id: channel, user_id: user, trigger_id: triggerId } = command;
  const response = responseUrl(command.response_url, false, context.now());
  return {
    deliveryId: triggerId,
    destination: { channel, user, response },
    acknowledge: ack,
    tell: async (message) => void (await context.responses.post(response, message)),
    fail: (notice) => ack({ response_type: 'ephemeral', ...notice }),
    explain: (usage) => {
      const isAdmin = context.admins.includes(user);
      return ack({ response_type: 'ephemeral', ...answerTo(usage, command.command, undefined, isAdmin) });
    },
    showStatus: async () => ack({ response_type: 'ephemeral', ...(await statusFor(user, context)) }),
    // Nothing is posted, so there is nothing to store.
    showAlone: async (asked) => {
      await ack();
      if (!(await isFirstAsFarAsKnown(context, triggerId))) return;
      await openAlone(client, triggerId, asked, { user, opened: { channel } }, context);
    },
  };
}
