import { string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import type { ChaosWorld, Recorders } from './chaos-world.ts';
import { isMention, misfollowed, mistold, withheld } from './following.ts';
import { misprinted } from './pasting.ts';
import { breachOf, recordsOf, simultaneousLogins } from './records.ts';
import type { Traffic, Typed } from './storm.ts';

/** The figures of one run, and a sentence for each promise that was broken in it. */
export type Verdict = {
  readonly commands: number;
  readonly accepted: number;
  /** How many people asked to be told in an hour, whether or not the bot accepted the form. */
  readonly hours: number;
  /** How many changes of followed snapshots there were. */
  readonly changes: number;
  readonly logins: number;
  readonly requests: number;
  readonly broken: readonly string[];
  /** What happened besides the commands, for a person who reads the verdict. */
  readonly happened?: readonly string[];
};

const WAITING = /still being processed|no answer yet|Looking up/;
const CANCEL = '"action_id":"cancel"';
/** How long a process had a store in which to note that an answer was taken, at most, if it was killed before it had. */
const STORED_WITHIN_MS = 2_000;
/** The same of one that was told to stop: it ends what it has begun as long as it has a store. */
const STORED_AT_A_STOP_MS = 250;
const BUG = /because of a bug|TypeError|RangeError|ReferenceError/;
/** Breaches that this matches are ignored: a killed replica can't acknowledge. Its lookups are judged by their messages. */
const UNACKNOWLEDGED = /acknowledged/;

/**
 * Whether the bot accepted the command: it acknowledged it with an empty body. A refusal has a text, and that of a mention
 * comes as a message.
 */
function isAccepted({ deliveries, isMention }: Typed): boolean {
  return (
    !isMention &&
    deliveries.some(({ acknowledged, status, body }) => acknowledged && status === 200 && body === '')
  );
}

/** What its sender sees of a command: where it was typed, or, if the bot can't write there, in the direct messages. */
function messagesFor(
  { slack }: Recorders,
  { channel, snapshotId, user, deliveries }: Typed,
): VisibleMessage[] {
  // Results of other snapshots of the device can hold this id too, without the word before it. Replies that mention people
  // are left out, and so is the word that somebody follows, or does not.
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
      // Progress that only its reader sees can't be edited: it stays above the answer.
      .filter((message) => !message.ephemeral || isFinal(message))
  );
}

function nameOf({ users }: Recorders['slack'], id: string): string {
  return users.find((user) => user.id === id)?.name ?? id;
}

/** Of several snapshots some can be left without a result at the end: only what can be cancelled waits then. */
function isFinal({ text, blocks }: { readonly text: string; readonly blocks?: unknown }): boolean {
  return text.startsWith('Snapshots ') ? !JSON.stringify(blocks ?? []).includes(CANCEL) : !WAITING.test(text);
}

/** The accepted commands that have no final message yet. */
export function unanswered(world: Recorders, typed: readonly Typed[]): readonly Typed[] {
  return typed.filter(isAccepted).filter((one) => !messagesFor(world, one).some(isFinal));
}

/** Checks every promise against what the emulators recorded. */
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
 * A command has at most one message in its channel, and that one is final, whether it was acknowledged in time or not. What
 * went through a response URL nobody can look up: if its confirmation was lost, or a process was gone before it could store
 * that, it has to be sent again.
 */
export function surplus(world: Recorders, typed: Typed): string[] {
  const messages = messagesFor(world, typed);
  const isLeft = !messages.every(isFinal);
  if (!isLeft && (messages.length <= 1 || messages.length <= 1 + unheard(world, typed))) return [];
  const texts = messages.map(({ text }) => JSON.stringify(text.slice(0, 60))).join(', ');
  const what = messages.length > 1 ? `${messages.length} messages` : 'left waiting';
  return [`${typed.snapshotId}: ${what}: ${texts}\n${recordsOf(world, typed)}`];
}

/** How many final answers Slack took through response URLs, without the bot's knowing of it later. */
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
