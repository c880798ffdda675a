import { setTimeout as pause } from 'node:timers/promises';
import { asHit, catalogue } from '../emulators/diagnostics-service/catalogue/checks.ts';
import type { Random } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { ScriptedAnswer, ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { Delivery, Fault } from '../emulators/slack/model.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { ChaosWorld } from './chaos-world.ts';
import {
  type Asked,
  type Followed,
  followForAnHour,
  redefine,
  sayOnIt,
  shelveFollowed,
} from './following.ts';
import { type Pasted, paste } from './pasting.ts';
import { searchDevices } from './searching.ts';

/** A command or mention, and what became of its deliveries. */
export type Typed = {
  readonly snapshotId: string;
  /** The second snapshot of a command for two. */
  readonly other?: string;
  /** The command word before the id, if any. */
  readonly word?: 'watch';
  readonly channel: string;
  readonly user: string;
  readonly isMention: boolean;
  readonly deliveries: readonly Delivery[];
};

const CHANNELS = ['C0SUPPORT', 'C0WARROOM'] as const;
const ELSEWHERE = 'C0PARTNERS';
const USERS = ['U0ANA', 'U0BEN'] as const;
const FIRST_ID = 50_000;
const FIRST_PASTED = 55_000;
const FIRST_OTHER = 58_000;
const FIRST_FOLLOWED = 57_000;
const STEPS = 14;
const MOST_STARTS = 20;
/** One command in five asks for two snapshots. */
export const SEVERAL = 5;
const START_AGAIN_MS = 500;
const LONGEST_PROCESSING_MS = 1_800;
const DOCUMENT = { diagnostics: catalogue(3).map(asHit) };
/** A hit that every snapshot has, except the followed ones. */
export const SOUGHT = DOCUMENT.diagnostics[0]?.name ?? '';

const SLACK_FAULTS: readonly [Fault, ...Fault[]] = [
  { status: 429, retryAfter: 1 },
  { status: 500 },
  'reset',
  'lost-response',
  { error: 'internal_error' },
];
const SERVICE_FAULTS = ['reset', { status: 500 }, { status: 503 }, 'truncate', 'sign-in-page'] as const;

/** The commands that people typed in a run, the links that they pasted, and what they follow. */
export type Traffic = {
  readonly typed: readonly Typed[];
  readonly asked: readonly Asked[];
  readonly pasted: readonly Pasted[];
  readonly followed: readonly Followed[];
};

/** `Traffic` while the run adds to it. */
type Growing = {
  readonly typed: Promise<Typed>[];
  readonly asked: Asked[];
  readonly pasted: Promise<Pasted>[];
  readonly followed: Followed[];
};

type Event = (world: ChaosWorld, random: Random, traffic: Growing) => Promise<void>;

/** The possible events of a run. An event is listed several times to happen more often. */
const EVENTS: readonly [Event, ...Event[]] = [
  ...([type, type, type, type, typeAgain, killOne, killOne, deploy] as const),
  ...[disturbSlack, disturbSlack, disturbService, expire, killRedis],
  ...[ask, ask, ask, ask, claim, pasteOne, pasteOne, watchOne, watchOne, changeOne, changeOne, changeOne],
  ...[searchAll, searchAll],
];

/** Runs random events one after the other. Resolves when Slack has each command acknowledged, or has given up. */
export async function storm(world: ChaosWorld, random: Random): Promise<Traffic> {
  const traffic: Growing = { typed: [], asked: [], pasted: [], followed: [] };
  for (let step = 0; step < STEPS; step += 1) {
    await random.pick(EVENTS)(world, random, traffic);
    await pause(random.upTo(250));
  }
  for (const one of traffic.followed) redefine(world, one);
  const [typed, pasted] = await Promise.all([Promise.all(traffic.typed), Promise.all(traffic.pasted)]);
  return { ...traffic, typed, pasted };
}

/** Ends all faults and starts every stopped process: from now on the bot has to answer all accepted commands. */
export async function calm({ redis, replicas, service }: ChaosWorld): Promise<void> {
  await redis?.kill();
  await redis?.start();
  for (const replica of replicas) if (!replica.isUp) await startAgain(replica);
  Object.assign(service.switches, { loginRefused: false, resetConnections: false });
}

async function type({ slack, service }: ChaosWorld, random: Random, { typed }: Growing): Promise<void> {
  const snapshotId = String(FIRST_ID + typed.length);
  service.shelve(snapshotId, snapshot(random, LONGEST_PROCESSING_MS));
  const asked = { snapshotId, channel: random.pick(CHANNELS), user: random.pick(USERS) };
  const other = String(FIRST_OTHER + typed.length);
  service.shelve(other, snapshot(random, LONGEST_PROCESSING_MS));
  typed.push(send(slack, random.upTo(SEVERAL) === 0 ? { ...asked, other } : asked));
}

/** Ana asks for the newest snapshot in a second channel, unless that was the last event. */
async function typeAgain({ slack }: ChaosWorld, _random: Random, { typed }: Growing): Promise<void> {
  const newest = await typed.at(-1);
  if (newest === undefined || newest.channel === ELSEWHERE) return;
  typed.push(send(slack, { snapshotId: newest.snapshotId, channel: ELSEWHERE, user: 'U0ANA' }));
}

async function send(
  slack: ChaosWorld['slack'],
  asked: Omit<Typed, 'isMention' | 'deliveries'>,
): Promise<Typed> {
  return { ...asked, isMention: false, deliveries: [await slack.command({ ...asked, text: textOf(asked) })] };
}

/** The text of a command. */
export function textOf({ snapshotId, other, word }: Pick<Typed, 'snapshotId' | 'other' | 'word'>): string {
  return [word, snapshotId, other].join(' ');
}

/** A random shelf entry: unknown to the service, ready, or processed for at most `longestMs`. */
export function snapshot(random: Random, longestMs: number): ShelfEntry {
  const system = { chassisSerialNumber: `chs60${random.upTo(3)}` };
  const entry = { title: 'chaos', purpose: 'one of many', document: { ...DOCUMENT, system } };
  const kind = random.upTo(5);
  if (kind === 0) return { ...entry, status: 404 };
  if (kind === 1) return entry;
  return { ...entry, processing: { forMs: random.upTo(longestMs), reasons: ['queued', 'unpacking'] } };
}

/** A person asks to be reminded of a posted result in an hour. */
async function ask(world: ChaosWorld, random: Random, traffic: Growing): Promise<void> {
  const one = await followForAnHour(world, random, CHANNELS, random.pick(USERS), traffic);
  if (one !== undefined) traffic.asked.push(one);
}

async function claim(world: ChaosWorld, random: Random): Promise<void> {
  await sayOnIt(world, random, CHANNELS, random.pick(USERS));
}

/** A person follows a snapshot with the command that looks it up. */
async function watchOne(world: ChaosWorld, random: Random, { typed, followed }: Growing): Promise<void> {
  const snapshotId = String(FIRST_FOLLOWED + followed.length);
  const one = { snapshotId, channel: random.pick(CHANNELS), user: random.pick(USERS) };
  const watch = { ...one, added: [], isOwed: true };
  followed.push(watch);
  shelveFollowed(world, watch);
  typed.push(send(world.slack, { ...one, word: 'watch' }));
}

async function changeOne(world: ChaosWorld, random: Random, { followed }: Growing): Promise<void> {
  redefine(world, followed[random.upTo(Math.max(followed.length, 1))]);
}

/** A person pastes a link to a new snapshot. */
async function pasteOne(world: ChaosWorld, random: Random, { pasted }: Growing): Promise<void> {
  const id = String(FIRST_PASTED + pasted.length);
  pasted.push(paste(world, random, id, snapshot(random, LONGEST_PROCESSING_MS)));
}

/** A person searches the newest analysis of all devices. */
async function searchAll(world: ChaosWorld, random: Random): Promise<void> {
  await searchDevices(world, SOUGHT, random.pick(USERS)).catch(() => {});
}

async function killOne({ replicas }: ChaosWorld, random: Random): Promise<void> {
  await endOne(replicas, random, 'SIGKILL');
}

async function deploy({ replicas }: ChaosWorld, random: Random): Promise<void> {
  await endOne(replicas, random, 'SIGTERM');
}

/** Ends a random process and starts it again. */
export async function endOne(
  replicas: ChaosWorld['replicas'],
  random: Random,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  const replica = replicas[random.upTo(replicas.length)];
  await replica?.end(signal);
  await pause(random.upTo(200));
  if (replica !== undefined) await startAgain(replica);
}

/** Starts a process like a supervisor: it retries while Slack can't be reached. */
export async function startAgain(replica: BotProcess): Promise<void> {
  for (let tries = 1; tries < MOST_STARTS; tries += 1) {
    const isUp = await replica.start().then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await pause(START_AGAIN_MS);
  }
  await replica.start();
}

/** Lets the next call of a random kind fail. */
export async function disturbSlack({ slack }: ChaosWorld, random: Random): Promise<void> {
  slack.failNext(random.pick(['chat.postMessage', 'chat.update', 'chat.unfurl']), random.pick(SLACK_FAULTS));
}

/** Lets the next requests to the service fail. */
export async function disturbService({ service }: ChaosWorld, random: Random): Promise<void> {
  service.nextAnswers(
    Array.from({ length: 1 + random.upTo(6) }, () => random.pick<ScriptedAnswer>(SERVICE_FAULTS)),
  );
}

export async function expire({ service }: ChaosWorld): Promise<void> {
  service.expireSessions();
}

export async function killRedis({ redis, redisAway }: ChaosWorld, random: Random): Promise<void> {
  const from = Date.now();
  await redis?.kill();
  await pause(random.upTo(600));
  await redis?.start();
  redisAway.push({ from, until: Date.now() });
}
