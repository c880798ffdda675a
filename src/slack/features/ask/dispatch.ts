import type { Asked } from '../../../core/lookup.ts';
import { type Message, notice, type RichElement, richText, words } from '../../block-kit/blocks.ts';
import type { ParsedCommand } from '../../commands/near-words.ts';
import { accept, type EntryPoint, orFail, payFor } from '../../front/accept.ts';
import type { ListenerContext, StatusReport } from '../../front/context.ts';

/** A delivery whose text says what is asked for. */
export type TextEntryPoint = EntryPoint & {
  /** Answers a request for help, or a text that could not be understood, and acknowledges the delivery. */
  readonly explain: (usage: Extract<ParsedCommand, { kind: 'usage' }>) => Promise<void>;
  /** Shows an admin the status, and acknowledges the delivery. Left out where no answer is private. */
  readonly showStatus?: () => Promise<void>;
  /** Shows the result to the asker alone. Left out where nobody else sees the answer anyway. */
  readonly showAlone?: (asked: Asked) => Promise<void>;
};

/** For whoever asks for the status in another way than as a command. */
export const NO_STATUS_HERE = 'The status is for the admins of this bot, who type it as a command.';

/**
 * Does what a parsed text asks for: the one place that knows every kind of command. Commands, mentions, direct messages
 * and forms differ only in their entry point. A fault is told to the asker; throws everything else.
 */
export function dispatch(
  parsed: ParsedCommand,
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<void> {
  return orFail(entry, context, () => serve(parsed, entry, context));
}

async function serve(parsed: ParsedCommand, entry: TextEntryPoint, context: ListenerContext): Promise<void> {
  switch (parsed.kind) {
    case 'usage':
      return entry.explain(parsed);
    case 'lookup': {
      const { kind: _kind, isForMe, ...asked } = parsed;
      if (isForMe && entry.showAlone !== undefined) {
        payFor(asked, context);
        return entry.showAlone(asked);
      }
      return accept(asked, entry, context);
    }
    case 'status':
      return entry.showStatus === undefined
        ? entry.explain({ kind: 'usage', problem: NO_STATUS_HERE })
        : entry.showStatus();
    case 'watch':
    case 'unwatch':
      return changeWatch(parsed, entry, context);
    default:
      return parsed satisfies never;
  }
}

/** Looks a snapshot up, and watches it from then on; or ends that. */
async function changeWatch(
  { kind, snapshotId }: Extract<ParsedCommand, { kind: 'watch' | 'unwatch' }>,
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<void> {
  const { watching } = context;
  const { user } = entry.destination;
  if (kind === 'unwatch') return entry.fail({ text: await watching.stop(user, snapshotId) });
  const why = await watching.refusal(user, snapshotId);
  if (why !== undefined) return entry.fail({ text: why });
  await accept({ question: { snapshotId, set: 'all' }, watch: true }, entry, context);
}

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
const NOT_FOR_YOU = notice('Only the admins of this bot can see its status.');

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
