import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { ChaosWorld } from './chaos-world.ts';
import { disturbService, disturbSlack, endOne, expire, killRedis, startAgain } from './storm.ts';

/** What was done to disturb the bot, and which faults its processes showed. */
export type Troubles = { readonly happened: string[]; readonly broken: string[] };

type Trouble = (world: ChaosWorld, random: Random, troubles: Troubles) => Promise<void>;

const HOUR_MS = 3_600_000;
/**
 * A clock that is wrong by less than ten minutes may delay a lookup by that much. So a run must wait for its answers for
 * longer than 20 seconds.
 */
const STEPS_MS = [-HOUR_MS, -20_000, 20_000, HOUR_MS] as const;
/** How long a process may take to end after SIGTERM. */
const GONE_WITHIN_MS = 10_000;

/** Faults of the bot's processes, one after the other. */
const TO_PROCESSES: Readonly<Record<string, Trouble>> = {
  'SIGKILL 1': (world, random) => endOne(world.replicas, random, 'SIGKILL'),
  'SIGKILL 2': (world, random) => endOne(world.replicas, random, 'SIGKILL'),
  'SIGTERM 1': (world, random, troubles) => stopOne(world, random, troubles),
  'SIGTERM 2': (world, random, troubles) => stopOne(world, random, troubles),
  'everything lost, then SIGTERM': loseEverything,
};

/** Faults of the surroundings, one after the other, in parallel with those of the processes. */
const AROUND_THEM: Readonly<Record<string, Trouble>> = {
  'clock 1': stepClock,
  'clock 2': stepClock,
  'clock 3': stepClock,
  'output lost': async ({ replicas }, random) => anyOf(replicas, random)?.loseOutput(),
  'Redis stands still 1': hangRedis,
  'Redis stands still 2': hangRedis,
  'Redis dies': killRedis,
  'Slack answers late': slowSlack,
  'the service is lost': loseService,
  'Slack fails': async (world, random) => {
    for (let faults = 0; faults < 10; faults += 1) await disturbSlack(world, random);
  },
  'the service fails': disturbService,
  'the session ends': expire,
};

/** Makes every fault happen once, in an order that the seed decides. */
export async function troubles(world: ChaosWorld, random: Random): Promise<Troubles> {
  const all: Troubles = { happened: [], broken: [] };
  const began = performance.now();
  const say = (what: string) =>
    all.happened.push(`${new Date().toISOString()} (${Math.round(performance.now() - began)} ms): ${what}`);
  const inTurn = async (kinds: Readonly<Record<string, Trouble>>) => {
    for (const [name, happen] of shuffled(Object.entries(kinds), random)) {
      await pause(random.upTo(2_000));
      say(name);
      await happen(world, random, all);
      say(`${name}: over`);
    }
  };
  await Promise.all([inTurn(TO_PROCESSES), inTurn(AROUND_THEM)]);
  return all;
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  return values.flatMap(() => left.splice(random.upTo(left.length), 1));
}

function anyOf(replicas: readonly BotProcess[], random: Random): BotProcess | undefined {
  return replicas[random.upTo(replicas.length)];
}

/**
 * Does nothing with Redis: replicas share its time, and this would change it for one of them alone. redis-clock.test.ts
 * tests machines with wrong clocks.
 */
async function stepClock(
  { replicas, redis }: ChaosWorld,
  random: Random,
  { happened }: Troubles,
): Promise<void> {
  const offsetMs = random.pick(STEPS_MS);
  if (redis !== undefined) return;
  happened.push(`the clock of a process is ${offsetMs} ms off`);
  anyOf(replicas, random)?.stepClock(offsetMs);
}

async function hangRedis({ redis, redisAway }: ChaosWorld, random: Random): Promise<void> {
  const from = Date.now();
  redis?.hang();
  await pause(redis === undefined ? 0 : 2_000 + random.upTo(7_000));
  redis?.goOn();
  redisAway.push({ from, until: Date.now() });
}

async function slowSlack({ slack }: ChaosWorld, random: Random): Promise<void> {
  slack.answerAfter(() => 3_000 + random.upTo(5_000));
  await pause(4_000 + random.upTo(4_000));
  slack.answerAfter(() => 0);
}

async function loseService({ service }: ChaosWorld, random: Random): Promise<void> {
  service.switches.resetConnections = true;
  await pause(2_000 + random.upTo(4_000));
  service.switches.resetConnections = false;
}

async function stopOne({ replicas }: ChaosWorld, random: Random, troubles: Troubles): Promise<void> {
  const replica = anyOf(replicas, random);
  if (replica === undefined) return;
  await stopped(replica, troubles);
  await startAgain(replica);
}

/** A process that can reach nobody has to end in time, too. */
async function loseEverything(
  { replicas, slack, service }: ChaosWorld,
  random: Random,
  troubles: Troubles,
): Promise<void> {
  const replica = anyOf(replicas, random);
  if (replica === undefined) return;
  const release = slack.hold();
  service.switches.resetConnections = true;
  replica.loseOutput();
  await pause(2_000);
  await stopped(replica, troubles);
  release();
  service.switches.resetConnections = false;
  await startAgain(replica);
}

/** Ends a process as a deployment does, and notes a slow or failed end. */
export async function stopped(replica: BotProcess, { happened, broken }: Troubles): Promise<void> {
  if (!replica.isUp) return;
  const { code, ms } = await replica.end('SIGTERM');
  const what = `from SIGTERM to the end of a process: ${Math.round(ms)} ms, exit ${code}`;
  happened.push(what);
  if (code !== 0 || ms > GONE_WITHIN_MS) broken.push(`${what}\n    ${replica.log.slice(-5).join('\n    ')}`);
}
