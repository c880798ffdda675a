import type { VisibleMessage } from '../emulators/slack/model.ts';
import type { ChaosWorld } from './chaos-world.ts';
import { isMention, misremembered } from './reminding.ts';
import type { Traffic, Typed } from './storm.ts';

/** The figures of one run, and a sentence for each promise that was broken in it. */
export type Verdict = {
  readonly commands: number;
  readonly accepted: number;
  /** How many reminders were asked for, whether or not the bot accepted the form. */
  readonly reminders: number;
  readonly logins: number;
  readonly requests: number;
  readonly broken: readonly string[];
};

const WAITING = /is still being processed|Looking up/;
/** Breaches that this matches are ignored: a killed replica can't acknowledge. Its lookups are judged by their messages. */
const UNACKNOWLEDGED = /acknowledged/;

/** Whether the bot accepted the command: it acknowledged it with an empty body. A refusal has a text. */
function isAccepted({ delivery }: Typed): boolean {
  return delivery.acknowledged && delivery.status === 200 && delivery.body === '';
}

function messagesFor({ slack }: ChaosWorld, { channel, snapshotId }: Typed): VisibleMessage[] {
  // Results of other snapshots of the device can hold this id too, without the word before it. Replies that mention people
  // are left out.
  const isAbout = new RegExp(`[Ss]napshot ${snapshotId}\\b`);
  return slack
    .messages(channel)
    .filter((message) => !message.ephemeral && !isMention(message) && isAbout.test(message.text));
}

function isFinal(message: VisibleMessage): boolean {
  return !WAITING.test(message.text);
}

/** The accepted commands that have no final message yet. */
export function unanswered(world: ChaosWorld, typed: readonly Typed[]): readonly Typed[] {
  return typed.filter(isAccepted).filter((one) => !messagesFor(world, one).some(isFinal));
}

/** Checks every promise against what the emulators recorded. */
export function judge(world: ChaosWorld, { typed, asked }: Traffic): Verdict {
  const { service, slack } = world;
  const broken = [
    ...unanswered(world, typed).map(({ snapshotId }) => `${snapshotId}: accepted, and no final message`),
    ...typed.flatMap((one) => surplus(world, one)),
    ...misremembered(world, asked),
    ...service.records.breaches.map((breach) => `service: ${breach}`),
    ...slack.records.breaches
      .filter((breach) => !UNACKNOWLEDGED.test(breach))
      .map((breach) => `slack: ${breach}`),
  ];
  return {
    commands: typed.length,
    accepted: typed.filter(isAccepted).length,
    reminders: asked.length,
    logins: service.records.logins.filter(({ outcome }) => outcome === 'granted').length,
    requests: service.records.requests.length,
    broken,
  };
}

/** A command has at most one message in its channel, and that one is final, whether it was acknowledged in time or not. */
function surplus(world: ChaosWorld, typed: Typed): string[] {
  const messages = messagesFor(world, typed);
  const texts = messages.map(({ text }) => JSON.stringify(text.slice(0, 60))).join(', ');
  if (messages.length > 1) return [`${typed.snapshotId}: ${messages.length} messages: ${texts}`];
  return messages.every(isFinal) ? [] : [`${typed.snapshotId}: left waiting: ${texts}`];
}
