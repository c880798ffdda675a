import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { metricsOf } from './at-rest.ts';
import { fromBot } from './bot-messages.ts';
import { chooseMore, modal } from './clicking.ts';
import { eventually } from './eventually.ts';
import type { World } from './world.ts';

export const DAY_MS = 24 * 3_600_000;
/** Within this time a followed snapshot is read, whatever the time of day: the first reading waits a hundredth of a day. */
export const READ_WITHIN_MS = DAY_MS + DAY_MS / 100;
export const HOUR_MS = 3_600_000;

/**
 * Puts the analysis of a snapshot with checks D1 to D9 on the shelf: `hits` have these levels, `gone` are not listed,
 * all others passed.
 */
export function shelveAnalysis(
  { service }: Pick<World, 'service'>,
  id: string,
  hits: Readonly<Record<string, string>>,
  { serial = 'chs1', host = 'edge-9.example.com', gone = [] as readonly string[], stated = 0 } = {},
): void {
  const names = new Set([...Array.from({ length: 9 }, (_, at) => `D${at + 1}`), ...Object.keys(hits)]);
  const diagnostics = [...names]
    .filter((name) => !gone.includes(name))
    .map(
      (name): DocumentDiagnostic => ({
        ...{ name, header: `Hit ${name}` },
        ...(hits[name] === undefined ? { match: false } : { match: true, importance: hits[name] }),
      }),
    );
  const system = { chassisSerialNumber: serial, hostname: host, platform: 'C117' };
  service.shelve(id, {
    title: 'A few',
    purpose: 'Written by a test.',
    document: { system, diagnostics, ...(stated > 0 && { counts: { hit: stated } }) },
  });
}

/** How many times the bot has counted this outcome of a follow or of its daily reading since its start. */
async function outcomesCounted(world: World, outcome: string): Promise<number> {
  const metrics = await metricsOf(world);
  return Number(metrics.match(`follows_total\\{outcome="${outcome}"\\} (\\d+)`)?.[1] ?? 0);
}

/** Waits until the bot has counted this outcome of follows this many times since its start. */
export const followOutcome = (world: World, outcome: string, count = 1) =>
  eventually(async () => expect(await outcomesCounted(world, outcome)).toBeGreaterThanOrEqual(count));

/**
 * Stops the bot, moves its clock forward, and starts it again so that it notices. The service counts its interval after
 * a 202 in real time, so the new bot starts only when it is over.
 */
export async function advanceClock(
  world: World,
  ms: number,
  changes?: Parameters<World['restart']>[0],
): Promise<void> {
  // A running bot would begin what is due in the moment before it stops.
  await world.stopBot();
  await eventually(() => expect(world.service.intervalRuns()).toBe(false));
  world.clock.ahead += ms;
  await world.restart(changes);
}

/** Moves the clock forward by days until the bot has counted this outcome: `quiet` (no news), `told` and so on. */
export async function daysPass(world: World, count: number, outcome: string): Promise<void> {
  await advanceClock(world, count * READ_WITHIN_MS);
  await followOutcome(world, outcome);
}

/** Follows the snapshot of a message, and returns the private confirmation. */
export async function follow(
  world: World,
  message: VisibleMessage,
  kind = 'grave',
  user = 'ben',
): Promise<VisibleMessage> {
  const confirmed = () =>
    // A direct message if the bot is not a member of the channel.
    [message.channel, `@${user}`]
      .flatMap((where) => world.slack.messages(where, user))
      .filter(({ text }) => text.includes('I’ll tell you about snapshot'));
  const before = confirmed().length;
  await chooseMore(world, message, 'Follow…', user);
  const view = await modal(world, 'Tell me', user);
  const delivery = await world.slack.submit({ view, values: { 'follow-kind': kind } });
  expect(delivery.acknowledged).toBe(true);
  for (const each of world.slack.modals(user)) await world.slack.closeView(each);
  return world.slack.waitFor(() => confirmed()[before], 'the confirmation of a follow');
}

/** The bot's replies in the thread of a message. */
export const replies = (world: World, { ts }: VisibleMessage) =>
  fromBot(world).filter((message) => message.threadTs === ts && message.ts !== ts);
