import { seededRandom } from '../emulators/diagnostics-service/catalogue/random.ts';
import { type ChaosWorld, type Kind, openChaosWorld } from './chaos-world.ts';
import { overdue } from './reminding.ts';
import { calm, storm } from './storm.ts';
import { judge, unanswered, type Verdict } from './verdict.ts';

/** A step that fails is repeated after seconds that double, and a dead replica's jobs are taken over after some. */
const ANSWERED_WITHIN_MS = 60_000;

/** Runs one seed on one kind of store, waits until no work is left, and judges the run. */
export async function runSeed(kind: Kind, seed: number): Promise<Verdict> {
  const world = await openChaosWorld(kind);
  try {
    const traffic = await storm(world, seededRandom(seed));
    await calm(world);
    const owed = () => [...unanswered(world, traffic.typed), ...overdue(world, traffic.asked)];
    const answered = () => (owed().length === 0 ? true : undefined);
    await world.slack
      .waitFor(
        answered,
        'every accepted command to be answered, and everybody to be reminded',
        ANSWERED_WITHIN_MS,
      )
      .catch(() => {});
    await atRest(world);
    return judge(world, traffic);
  } finally {
    await world.close();
  }
}

const OPEN = /^snapshot_bot_open_(?:lookups|reminders) (\d+)$/gm;

/** Waits until no replica has a lookup or a reminder open, those included whose acknowledgement was lost. */
async function atRest({ replicas, slack }: ChaosWorld): Promise<void> {
  const until = Date.now() + ANSWERED_WITHIN_MS;
  while (Date.now() < until) {
    const counts = await Promise.all(replicas.map(({ address }) => openJobs(address)));
    if (counts.every((count) => count === 0)) return;
    // The end of a lookup changes a message, which ends this wait; the second is for lookups that end without that.
    await slack.waitFor(() => undefined, 'a change', 250).catch(() => {});
  }
}

/** NaN where a replica does not say. */
async function openJobs(address: string): Promise<number> {
  try {
    const answer = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const counts = [...(await answer.text()).matchAll(OPEN)].map(([, count]) => Number(count));
    return counts.length === 0 ? Number.NaN : counts.reduce((sum, count) => sum + count, 0);
  } catch {
    return Number.NaN;
  }
}
