import type { Random } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { RequestRecord, ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { Said } from '../emulators/slack/user-actions/say.ts';
import type { ChaosWorld } from './chaos-world.ts';

/** A message with the link of a snapshot, and whether the service has that snapshot. */
export type Pasted = {
  readonly link: string;
  readonly isThere: boolean;
  readonly said: Said;
};

/** The bot is a member of the first channel only. */
const CHANNELS = ['C0WARROOM', 'C0RANDOM'] as const;
/** The bot acknowledges an event after about this time, even if its lookup is not yet stored. */
const STORED_BEFORE_MS = 1_900;
const NOT_STORED = /"entryPoint":"link".*a listener failed/;

/** Puts the entry on the shelf, and lets Ana paste a link to it. */
export async function paste(
  { slack, service }: ChaosWorld,
  random: Random,
  snapshotId: string,
  entry: ShelfEntry,
): Promise<Pasted> {
  service.shelve(snapshotId, entry);
  const link = `https://service.example.com/snapshots/${snapshotId}`;
  const said = await slack.say({ text: `<${link}>`, channel: random.pick(CHANNELS), user: 'U0ANA' });
  return { link, isThere: entry.status === undefined, said };
}

function shown({ slack }: ChaosWorld, { link, said: { message } }: Pasted): string {
  const present = slack.messages(message.channel).find(({ ts }) => ts === message.ts);
  return JSON.stringify(present?.unfurls?.[link]?.blocks ?? '');
}

/** The last request for the snapshot of a link. */
function lastRequest({ service }: ChaosWorld, { link }: Pasted): RequestRecord | undefined {
  return service.records.requests.findLast(({ id }) => id === link.slice(link.lastIndexOf('/') + 1));
}

const MINUTE_MS = 60_000;

/** Whether the service ended two sessions within a minute: the bot replaces one, and the second refusal is its answer. */
function isRefusedAgain({ service }: ChaosWorld, { session, arrivedAt }: RequestRecord): boolean {
  const times = service.records.logins.map((login) => arrivedAt - login.arrivedAt);
  return session === 'dead' && times.filter((ms) => ms > 0 && ms < MINUTE_MS).length > 1;
}

/**
 * A sentence for each preview that is missing although its event was acknowledged in time, the log reports no failure,
 * and the service neither failed nor ended two sessions.
 */
export function misprinted(world: ChaosWorld, pasted: readonly Pasted[]): string[] {
  const isTaken = ({ said: { deliveries } }: Pasted) =>
    deliveries.some(({ acknowledged, ms }) => acknowledged && ms < STORED_BEFORE_MS);
  const missing = pasted.filter((one) => one.isThere && isTaken(one) && !shown(world, one).includes('hits'));
  const failures = world.replicas.flatMap(({ log }) => log).filter((line) => NOT_STORED.test(line)).length;
  return missing
    .filter((one) => {
      const last = lastRequest(world, one);
      return last === undefined || !(last.isDisturbed || isRefusedAgain(world, last));
    })
    .slice(failures)
    .map((one) => `${one.link}: acknowledged, and no preview: ${JSON.stringify(lastRequest(world, one))}`);
}
