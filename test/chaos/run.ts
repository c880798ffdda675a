import type { Certificates } from '../emulators/certificates.ts';
import { seededRandom } from '../emulators/diagnostics-service/catalogue/random.ts';
import { calm, storm } from './storm.ts';
import { judge, unanswered, type Verdict } from './verdict.ts';
import { type Kind, openWorld, type World } from './world.ts';

/** A step that fails is repeated after seconds that double, and a dead replica's jobs are taken over after some. */
const ANSWERED_WITHIN_MS = 60_000;

/** Plays one seed on one kind of store, lets everything come to rest, and judges. */
export async function runSeed(kind: Kind, seed: number, certificates: Certificates): Promise<Verdict> {
  const world = await openWorld(kind, certificates);
  try {
    const typed = await storm(world, seededRandom(seed));
    await calm(world);
    const answered = () => (unanswered(world, typed).length === 0 ? true : undefined);
    await world.slack
      .waitFor(answered, 'every accepted command to be answered', ANSWERED_WITHIN_MS)
      .catch(() => {});
    await atRest(world);
    return judge(world, typed);
  } finally {
    await world.close();
  }
}

const OPEN_LOOKUPS = /^snapshot_bot_open_lookups (\d+)$/m;

/** Until no replica has a lookup open: what a lost acknowledgement started ends too. */
async function atRest({ replicas, slack }: World): Promise<void> {
  const until = Date.now() + ANSWERED_WITHIN_MS;
  while (Date.now() < until) {
    const counts = await Promise.all(replicas.map(({ address }) => openLookups(address)));
    if (counts.every((count) => count === 0)) return;
    // Whatever ends a lookup changes a message; a second is only for the ones that end without.
    await slack.waitFor(() => undefined, 'a change', 250).catch(() => {});
  }
}

/** NaN where a replica does not say. */
async function openLookups(address: string): Promise<number> {
  try {
    const answer = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(5_000) });
    return Number(OPEN_LOOKUPS.exec(await answer.text())?.[1] ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}
