import { string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import type { ChaosWorld, Recorders } from './chaos-world.ts';
import { isMention, misfollowed, mistold, withheld } from './following.ts';
import { misprinted } from './pasting.ts';
import { breachOf, recordsOf, simultaneousLogins } from './records.ts';
import type { Traffic, Typed } from './storm.ts';

/** The figures of a run, and a sentence for each fault of the bot. */
export type Verdict = {
  readonly commands: number;
  readonly accepted: number;
  /** How many people asked for a reminder in an hour, whether or not the bot accepted the form. */
  readonly hours: number;
  /** The number of changes of followed snapshots. */
  readonly changes: number;
  readonly logins: number;
  readonly requests: number;
  readonly broken: readonly string[];
  /** What happened besides the commands. */
  readonly happened?: readonly string[];
};

const WAITING = /still being processed|no answer yet|Looking up/;
const CANCEL = '"action_id":"cancel"';
/** A process that was killed this soon after Slack took an answer may not have stored that fact. */
const STORED_WITHIN_MS = 2_000;
/** The same limit for a process that was told to stop: it still finishes what it has begun. */
const STORED_AT_A_STOP_MS = 250;
const BUG = /because of a bug|TypeError|RangeError|ReferenceError/;
/** Ignored breaches: a killed replica can't acknowledge. Its lookups are judged by their messages. */
const UNACKNOWLEDGED = /acknowledged/;

/**
 * Whether the bot accepted the command, which it says by an empty acknowledgement. A refused command has a text there,
 * and a mention is always acknowledged without one.
 */
function isAccepted({ deliveries, isMention }: Typed): boolean {
  return (
    !isMention &&
    deliveries.some(({ acknowledged, status, body }) => acknowledged && status === 200 && body === '')
  );
}

/**
 * The bot's messages about a command that its sender sees, in the channel or, if the bot can't write there, directly.
 */
function messagesFor(
  { slack }: Recorders,
  { channel, snapshotId, user, deliveries }: Typed,
): VisibleMessage[] {
  // “Snapshot” before the id excludes results of other snapshots that mention this id. Also excluded are replies with a
  // mention, and confirmations about following.
  const isAbout = new RegExp(`[Ss]napshots? ${snapshotId}\\b`);
  const refusals = deliveries.map(({ body }) => body).filter((body) => body !== '');
  const isRefusal = (text: string) =>
    refusals.some((body) => body.includes(JSON.stringify(text).slice(1, -1)));
  return (
    [...new Set([channel, `@${nameOf(slack, user)}`])]
      .flatMap((where) => slack.messages(where, user))
      .filter(({ user: author }) => author !== user)
      .filter((message) => !isMention(message) && isAbout.test(message.text) && !isRefusal(message.text))
      .filter(
        ({ text }) => !/^(?:I’ll tell you about|You don’t follow|<@\w+> I no longer follow) /.test(text),
      )
      // An ephemeral message can't be edited, so its progress stays above the answer.
      .filter((message) => !message.ephemeral || isFinal(message))
  );
}

function nameOf({ users }: Recorders['slack'], id: string): string {
  return users.find((user) => user.id === id)?.name ?? id;
}

/**
 * Whether a message is final. A final message about several snapshots may say that some wait, but offers no “Cancel”.
 */
function isFinal({ text, blocks }: { readonly text: string; readonly blocks?: unknown }): boolean {
  return text.startsWith('Snapshots ') ? !JSON.stringify(blocks ?? []).includes(CANCEL) : !WAITING.test(text);
}

/** The accepted commands without a final message. */
export function unanswered(world: Recorders, typed: readonly Typed[]): readonly Typed[] {
  return typed.filter(isAccepted).filter((one) => !messagesFor(world, one).some(isFinal));
}

/** Looks for faults of the bot in the records of the emulators. */
export function judge(world: ChaosWorld, { typed, asked, pasted, followed }: Traffic): Verdict {
  const { service, slack } = world;
  const broken = [
    ...unanswered(world, typed).map(
      (one) => `${one.snapshotId}: accepted, and no final message\n${recordsOf(world, one)}`,
    ),
    ...typed.flatMap((one) => surplus(world, one)),
    ...misfollowed(world, asked),
    ...misprinted(world, pasted),
    ...mistold(world, followed),
    ...withheld(world, followed),
    ...service.records.breaches.map((breach) => breachOf(world, breach)),
    ...simultaneousLogins(service.records.logins),
    ...world.replicas
      .flatMap(({ log }) => log)
      .filter((line) => BUG.test(line) && !line.includes('"level":"info"'))
      .map((line) => `a bug: ${line}`),
    ...slack.records.breaches
      .filter((breach) => !UNACKNOWLEDGED.test(breach))
      .map((breach) => `slack: ${breach}`),
  ];
  return {
    commands: typed.length,
    accepted: typed.filter(isAccepted).length,
    hours: asked.length,
    changes: followed.reduce((sum, { added }) => sum + added.length, 0),
    logins: service.records.logins.filter(({ outcome }) => outcome === 'granted').length,
    requests: service.records.requests.length,
    broken,
  };
}

/**
 * Reports a command with more than one message in its channel, or with a message that is not final. The bot can't look
 * up what it sent through a response URL. So an answer may come twice if its confirmation was lost or not stored before
 * the process ended.
 */
export function surplus(world: Recorders, typed: Typed): string[] {
  const messages = messagesFor(world, typed);
  const isLeft = !messages.every(isFinal);
  if (!isLeft && (messages.length <= 1 || messages.length <= 1 + unheard(world, typed))) return [];
  const texts = messages.map(({ text }) => JSON.stringify(text.slice(0, 60))).join(', ');
  const what = messages.length > 1 ? `${messages.length} messages` : 'left waiting';
  return [`${typed.snapshotId}: ${what}: ${texts}\n${recordsOf(world, typed)}`];
}

/** How many final answers Slack took through response URLs although the bot has no stored confirmation of them. */
function unheard({ slack, replicas = [], redisAway = [] }: Recorders, { snapshotId }: Typed): number {
  const storeMs = (from: number, until: number) =>
    redisAway.reduce(
      (left, away) => left - Math.max(0, Math.min(until, away.until) - Math.max(from, away.from)),
      until - from,
    );
  const isGoneAfter = (at: number) =>
    replicas.some(({ ends }) =>
      ends.some(
        ({ signal, at: gone }) =>
          gone >= at && storeMs(at, gone) < (signal === 'SIGKILL' ? STORED_WITHIN_MS : STORED_AT_A_STOP_MS),
      ),
    );
  const lost = slack.records.calls.filter(
    ({ method, isUnheard, at, ms = 0 }) => method === 'response_url' && (isUnheard || isGoneAfter(at + ms)),
  );
  const isAbout = new RegExp(`napshots? ${snapshotId}`);
  return lost
    .map(({ args }) => ({ text: string(args.text), blocks: args.blocks }))
    .filter((message) => isAbout.test(message.text) && isFinal(message)).length;
}
