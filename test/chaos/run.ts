import { seededRandom } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { type ChaosWorld, type Kind, openChaosWorld } from './chaos-world.ts';
import { crowd, OTHERS } from './crowd.ts';
import { overdue, untold } from './following.ts';
import { outcomesOf } from './records.ts';
import { missearched } from './searching.ts';
import { calm, SOUGHT, storm, type Traffic } from './storm.ts';
import { stopped, troubles } from './troubles.ts';
import { judge, unanswered, type Verdict } from './verdict.ts';

/** Long enough for the retries of a failed step, and for a replica to take over the jobs of another that died. */
const ANSWERED_WITHIN_MS = 60_000;

/** Runs one seed on one kind of store, waits until all work is done, and judges the run. */
export async function runSeed(kind: Kind, seed: number): Promise<Verdict> {
  const world = await openChaosWorld(kind);
  try {
    const traffic = await storm(world, seededRandom(seed));
    return await judged(world, traffic);
  } finally {
    await world.close();
  }
}

/** Runs a storm: many commands of fifty people, while everything that can go wrong does. */
export async function runStorm(kind: Kind, seed: number, commands = 200): Promise<Verdict> {
  const world = await openChaosWorld(kind, OTHERS);
  try {
    const [{ typed, followed }, all] = await Promise.all([
      crowd(world, seededRandom(seed), commands),
      troubles(world, seededRandom(seed + 1)),
    ]);
    const died = world.replicas.filter(({ isUp }) => !isUp);
    const verdict = await judged(world, { typed, asked: [], pasted: [], followed });
    await Promise.all(world.replicas.map((replica) => stopped(replica, all)));
    return {
      ...verdict,
      broken: [...verdict.broken, ...all.broken, ...died.map(endOf)],
      happened: [...all.happened, ...outcomesOf(typed)],
    };
  } finally {
    await world.close();
  }
}

function endOf({ log }: BotProcess): string {
  return `a process ended by itself:\n    ${log.slice(-10).join('\n    ')}`;
}

async function judged(world: ChaosWorld, traffic: Traffic): Promise<Verdict> {
  await calm(world);
  const owed = () => [...unanswered(world, traffic.typed), ...overdue(world, traffic.asked)];
  const answered = () => (owed().length === 0 ? true : undefined);
  await world.slack
    .waitFor(answered, 'every accepted command to be answered, and everybody to be told', ANSWERED_WITHIN_MS)
    .catch(() => {});
  await atRest(world);
  await settled(world, async () => untold(world, traffic.followed).length === 0);
  const verdict = judge(world, traffic);
  const wrong = await missearched(world, traffic, SOUGHT, ANSWERED_WITHIN_MS);
  return { ...verdict, broken: [...verdict.broken, ...wrong] };
}

const OPEN = /^snapshot_bot_open_lookups (\d+)$/gm;

/** Waits until no replica has an open lookup. This includes lookups whose acknowledgement was lost. */
function atRest(world: ChaosWorld): Promise<void> {
  return settled(world, async () => {
    const counts = await Promise.all(world.replicas.map(({ address }) => openJobs(address)));
    return counts.every((count) => count === 0);
  });
}

async function settled({ slack }: ChaosWorld, isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + ANSWERED_WITHIN_MS;
  while (Date.now() < until && !(await isSo())) {
    // Waits 250 ms: `waitFor` never succeeds here.
    await slack.waitFor(() => undefined, 'a change', 250).catch(() => {});
  }
}

/** How many open lookups a replica reports; NaN if it does not answer. */
async function openJobs(address: string): Promise<number> {
  try {
    const answer = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const counts = [...(await answer.text()).matchAll(OPEN)].map(([, count]) => Number(count));
    return counts.length === 0 ? Number.NaN : counts.reduce((sum, count) => sum + count, 0);
  } catch {
    return Number.NaN;
  }
}
