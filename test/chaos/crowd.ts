import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { Delivery } from '../emulators/slack/model.ts';
import type { Slack } from '../emulators/slack/slack.ts';
import type { ChaosWorld } from './chaos-world.ts';
import { type Followed, redefine, shelveFollowed } from './following.ts';
import { SEVERAL, snapshot, type Traffic, type Typed, textOf } from './storm.ts';

type Asked = Omit<Typed, 'deliveries'>;

/** How many people there are besides Ana and Ben. */
export const OTHERS = 48;
/** All commands are typed within this time. */
const TYPING_MS = 25_000;
const LONGEST_PROCESSING_MS = 12_000;
const SHARED = 4;
const MENTIONED = 10;
const REPEATED = 6;
const MOST_TRIES = 30;
const TYPE_AGAIN_MS = 1_000;
const LATEST_REPETITION_MS = 3_000;
const FIRST_ID = 60_000;
const FIRST_OTHER = 70_000;
const FOLLOWED = 7;
const FIRST_FOLLOWED = 80_000;
const LATEST_CHANGE_MS = 20_000;
const CHANNELS = Array.from({ length: 8 }, (_, index) => `C0STORM${index}`);
/** Channels without the bot: it answers through the response URL. */
const AWAY = ['C0STORM6', 'C0STORM7'];
const PEOPLE = ['U0ANA', 'U0BEN', ...Array.from({ length: OTHERS }, (_, index) => `U0MORE${index}`)];

/**
 * Sends commands and mentions of fifty people, some of which Slack delivers twice. Every fourth command asks for the
 * snapshot of the command before, in another channel. Some people follow a snapshot whose analysis changes later.
 * Resolves when Slack has delivered everything.
 */
export async function crowd(
  world: ChaosWorld,
  random: Random,
  commands: number,
): Promise<Pick<Traffic, 'typed' | 'followed'>> {
  const { slack, service } = world;
  const followed: Followed[] = [];
  for (const channel of CHANNELS) slack.addChannel(channel);
  for (const channel of AWAY) slack.leave(channel);
  const plan = Array.from({ length: commands }, (_, index) => {
    const snapshotId = String(FIRST_ID + (index % SHARED === SHARED - 1 ? index - 1 : index));
    const channel = CHANNELS[(index * 3) % CHANNELS.length] ?? '';
    const user = PEOPLE[index % PEOPLE.length] ?? '';
    const isMention = index % MENTIONED === 0 && !AWAY.includes(channel);
    const again = index % REPEATED === 0 ? random.upTo(LATEST_REPETITION_MS) : undefined;
    if (index % SHARED < SHARED - 1) service.shelve(snapshotId, snapshot(random, LONGEST_PROCESSING_MS));
    const asked = { snapshotId, channel, user, isMention };
    if (index % FOLLOWED === FOLLOWED - 1 && !isMention && !AWAY.includes(channel)) {
      const watch = { ...asked, snapshotId: String(FIRST_FOLLOWED + index), added: [], isOwed: false };
      followed.push(watch);
      shelveFollowed(world, watch);
      const { snapshotId: id } = watch;
      return {
        at: random.upTo(TYPING_MS),
        asked: { ...asked, snapshotId: id, word: 'watch' as const },
        again,
      };
    }
    if (index % SEVERAL > 0) return { at: random.upTo(TYPING_MS), asked, again };
    const other = String(FIRST_OTHER + index);
    service.shelve(other, snapshot(random, LONGEST_PROCESSING_MS));
    return { at: random.upTo(TYPING_MS), asked: { ...asked, other }, again };
  });
  const changes = followed.map(() => random.upTo(LATEST_CHANGE_MS));
  const typing = Promise.all(
    plan.map(async ({ at, asked, again }) => {
      await pause(at);
      const delivery = await sendUntilTaken(slack, asked);
      if (again === undefined) return { ...asked, deliveries: [delivery] };
      await pause(again);
      return { ...asked, deliveries: [delivery, await slack.redeliver(delivery)] };
    }),
  );
  const changing = followed.map(async (one, index) => {
    await pause(TYPING_MS / 2 + (changes[index] ?? 0));
    redefine(world, one);
  });
  await Promise.all(changing);
  return { typed: await typing, followed };
}

/** A person repeats a command that found no running process. Slack itself repeats a mention. */
async function sendUntilTaken(slack: Slack, asked: Asked): Promise<Delivery> {
  for (let tries = 1; ; tries += 1) {
    const delivery = await send(slack, asked);
    if (asked.isMention || delivery.error !== 'unreachable' || tries === MOST_TRIES) return delivery;
    await pause(TYPE_AGAIN_MS);
  }
}

async function send(slack: Slack, asked: Asked): Promise<Delivery> {
  const { channel, user, isMention } = asked;
  const text = textOf(asked);
  if (!isMention) return slack.command({ text, channel, user });
  const [delivery] = (await slack.mention({ text, channel, user })).deliveries;
  if (delivery === undefined) throw new Error(`the bot is not told of a mention in ${channel}`);
  return delivery;
}
