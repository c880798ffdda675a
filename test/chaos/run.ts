import type { Certificates } from '../emulators/certificates.ts';
import { seededRandom } from '../emulators/diagnostics-service/catalogue/random.ts';
import { overdue } from './reminding.ts';
import { calm, storm } from './storm.ts';
import { judge, unanswered, type Verdict } from './verdict.ts';
import { type Kind, openWorld, type World } from './world.ts';

/** A step that fails is repeated after seconds that double, and a dead replica's jobs are taken over after some. */
const ANSWERED_WITHIN_MS = 60_000;

/** Plays one seed on one kind of store, lets everything come to rest, and judges. */
export async function runSeed(kind: Kind, seed: number, certificates: Certificates): Promise<Verdict> {
  const world = await openWorld(kind, certificates);
  try {
    const played = await storm(world, seededRandom(seed));
    await calm(world);
    const owed = () => [...unanswered(world, played.typed), ...overdue(world, played.asked)];
    const answered = () => (owed().length === 0 ? true : undefined);
    await world.slack
      .waitFor(
        answered,
        'every accepted command to be answered, and everybody to be reminded',
        ANSWERED_WITHIN_MS,
      )
      .catch(() => {});
    await atRest(world);
    return judge(world, played);
  } finally {
    await world.close();
  }
}

const OPEN = /^snapshot_bot_open_(?:lookups|reminders) (\d+)$/gm;

/** Until no replica has a lookup or a reminder open: what a lost acknowledgement started ends too. */
async function atRest({ replicas, slack }: World): Promise<void> {
  const until = Date.now() + ANSWERED_WITHIN_MS;
  while (Date.now() < until) {
    const counts = await Promise.all(replicas.map(({ address }) => openJobs(address)));
    if (counts.every((count) => count === 0)) return;
    // Whatever ends a lookup changes a message; a second is only for the ones that end without.
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
