import { record, records, string } from '../emulators/slack/json.ts';
import type { OpenView } from '../emulators/slack/model.ts';
import type { ChaosWorld } from './chaos-world.ts';
import type { Traffic } from './storm.ts';

/** How many milliseconds a person waits for the window during a run. */
const PATIENCE_MS = 1_500;
/** The final check searches as at most this many people. */
const MOST_PEOPLE = 5;
/** The text of a window with an answer, or with no device to search. */
const OVER = /: hits on \d+ of \d+ device|are listed here/;
/** In JSON, the line of a row that begins with the id of its snapshot. */
const ROW = /\\n(\d{5})(?: ·|")/;

/**
 * A person searches all devices in the middle of a run. Returns what kept the search from beginning, as a sentence
 * without its subject.
 */
export async function searchDevices(
  world: ChaosWorld,
  sought: string,
  user: string,
  withinMs = PATIENCE_MS,
): Promise<string | undefined> {
  const { slack } = world;
  for (const open of slack.modals(user)) await slack.closeView(open).catch(() => {});
  const typed = await slack.command({ text: 'devices', user, channel: 'C0SUPPORT' });
  const isThere = ({ view }: OpenView) => view.submit !== undefined || OVER.test(JSON.stringify(view));
  const form = await windowOf(world, user, isThere, withinMs);
  if (form === undefined) return `sees no window: ${JSON.stringify([typed, slack.modals(user)])}`;
  if (form.view.submit === undefined) return undefined;
  const sent = await slack.submit({ view: form, values: { search: sought } });
  return sent.acknowledged ? undefined : `sends a form that is not taken: ${JSON.stringify(sent)}`;
}

async function windowOf(
  { slack }: ChaosWorld,
  user: string,
  isMeant: (open: OpenView) => boolean,
  ms: number,
): Promise<OpenView | undefined> {
  return slack.waitFor(() => slack.modals(user).find(isMeant), 'the window', ms).catch(() => undefined);
}

/**
 * A sentence for each person whose search does not end although the faults are over, and for each row that shows
 * another person's lookup or a wrong result.
 */
export async function missearched(
  world: ChaosWorld,
  { typed, followed }: Traffic,
  sought: string,
  withinMs: number,
): Promise<string[]> {
  const wrong: string[] = [];
  const isHit = (id: string) => followed.every(({ snapshotId }) => snapshotId !== id);
  for (const user of [...new Set(typed.map((one) => one.user))].slice(0, MOST_PEOPLE)) {
    const own = typed
      .filter((one) => one.user === user)
      .flatMap(({ snapshotId, other }) => [snapshotId, other])
      .concat(claimedBy(user, world));
    const problem = await searchDevices(world, sought, user, withinMs);
    const isOver = ({ view }: OpenView) => OVER.test(JSON.stringify(view));
    const answer = await windowOf(world, user, isOver, withinMs);
    if (answer === undefined)
      wrong.push(`${user} ${problem ?? `waits for a search: ${JSON.stringify(world.slack.modals(user))}`}`);
    const rows = records(answer?.view.blocks).map((block) => JSON.stringify(block));
    wrong.push(...rows.flatMap((row) => wrongIn(row, own, isHit)).map((what) => `${user} ${what}`));
  }
  return wrong;
}

/** The snapshots on which this person pressed “I’m on it”. */
function claimedBy(user: string, { slack }: ChaosWorld): string[] {
  return slack.records.deliveries.flatMap(({ payload }) => {
    const [action] = records(payload.actions);
    const isClaim = action?.action_id === 'own' && record(payload.user).id === user;
    return isClaim ? (/\d{5}/.exec(string(record(payload.message).text)) ?? []) : [];
  });
}

const UNREAD = /No result|Still being processed|is busy/;

function wrongIn(
  row: string,
  own: readonly (string | undefined)[],
  isHit: (snapshotId: string) => boolean,
): string[] {
  const [, id] = ROW.exec(row) ?? [];
  if (id === undefined) return [];
  if (!own.includes(id)) return [`sees what others looked up: ${row}`];
  const isTrue = UNREAD.test(row) || row.includes('\\nYes: ') === isHit(id);
  return isTrue ? [] : [`is told: ${row}`];
}
