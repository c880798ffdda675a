import type { VisibleMessage } from '../emulators/slack/model.ts';
import type { ChaosWorld } from './chaos-world.ts';

/** A snapshot that somebody watches, and the hits that its analysis has got since it was seen that it is watched. */
export type Watched = {
  readonly snapshotId: string;
  readonly channel: string;
  readonly user: string;
  readonly added: string[];
  /** Whether each change has to be told; where clocks are stepped by more than a day, a watch can be over at once. */
  readonly isOwed: boolean;
};

/** A word lists the names of so many hits. */
const MOST_CHANGES = 3;
const SYSTEM = { chassisSerialNumber: 'chs600' };

/** Puts the analysis on the shelf as it is now. */
export function shelveWatched({ service }: ChaosWorld, { snapshotId, added }: Watched): void {
  const diagnostics = ['H0', ...added].map((name) => ({
    name,
    match: true,
    importance: 'HIGH',
    header: name,
  }));
  const document = { system: SYSTEM, diagnostics };
  service.shelve(snapshotId, { title: 'chaos', purpose: 'one that is watched', document });
}

/** The definitions change: a hit more, where a message says that it is watched. */
export function redefine(world: ChaosWorld, one: Watched | undefined): void {
  if (one === undefined || one.added.length === MOST_CHANGES || !isWatched(resultOf(world, one))) return;
  one.added.push(`H${one.snapshotId}00${one.added.length + 1}`);
  shelveWatched(world, one);
}

function resultOf({ slack }: ChaosWorld, { channel, snapshotId }: Watched): VisibleMessage | undefined {
  return slack
    .messages(channel)
    .find(({ text, threadTs }) => threadTs === undefined && text.includes(`napshot ${snapshotId}: `));
}

function isWatched(message: VisibleMessage | undefined): boolean {
  return message !== undefined && JSON.stringify(message.blocks).includes('Watched daily');
}

/** What who watches it was told, wherever that was. */
function wordsOn({ slack }: ChaosWorld, { snapshotId, channel, user }: Watched): VisibleMessage[] {
  const name = slack.users.find(({ id }) => id === user)?.name ?? user;
  return [channel, `@${name}`]
    .flatMap((where) => slack.messages(where, user))
    .filter(({ text }) => text.startsWith('<@') && text.includes(`Hits of snapshot ${snapshotId}: `));
}

function neverTold(world: ChaosWorld, one: Watched): string[] {
  const words = wordsOn(world, one);
  return one.added.filter((name) => words.every(({ text }) => !text.includes(name)));
}

/** Those of which something is still to be told, or that were not read once more since it was. */
export function untold(world: ChaosWorld, watched: readonly Watched[]): readonly Watched[] {
  return watched.filter((one) => {
    if (!one.isOwed || !isWatched(resultOf(world, one))) return false;
    const last = Math.max(0, ...wordsOn(world, one).map(({ at }) => at));
    const isRead = world.service.records.requests.some(
      ({ id, status, arrivedAt }) => id === one.snapshotId && status === 200 && arrivedAt > last,
    );
    return !isRead || neverTold(world, one).length > 0;
  });
}

/** A sentence for each change that was told twice, and for each word of anything else. */
export function mistold(world: ChaosWorld, watched: readonly Watched[]): string[] {
  return watched.flatMap((one) => {
    const words = wordsOn(world, one);
    const { snapshotId, user, added } = one;
    const thread = resultOf(world, one)?.ts;
    const isWord = ({ text, threadTs }: VisibleMessage) => {
      const named = added.filter((name) => text.includes(name));
      const said = `Hits of snapshot ${snapshotId}: ${named.length} new (${named.join(', ')}) since `;
      return named.length > 0 && text.startsWith(`<@${user}> ${said}`) && threadTs === thread;
    };
    const isTwice = (name: string) => words.filter(({ text }) => text.includes(name)).length > 1;
    return [
      ...added.filter(isTwice).map((name) => `${snapshotId}: ${name} was told twice`),
      ...words.filter((word) => !isWord(word)).map(({ text }) => `${snapshotId}: told ${text}`),
    ];
  });
}

/** The same for each change that is owed and was not told, and for each watch that was accepted and is none. */
export function withheld(
  world: ChaosWorld,
  watched: readonly Watched[],
  accepted: readonly Pick<Watched, 'snapshotId'>[],
): string[] {
  const owed = watched.filter(({ isOwed }) => isOwed);
  return owed.flatMap((one) => {
    const isAccepted = accepted.some(({ snapshotId }) => snapshotId === one.snapshotId);
    // A lookup that ends with a fault has no result, which nobody can watch.
    const result = resultOf(world, one);
    return [
      ...neverTold(world, one).map((name) => `${one.snapshotId}: ${name} was never told`),
      ...(isAccepted && result !== undefined && !isWatched(result)
        ? [`${one.snapshotId}: accepted, and nobody watches it`]
        : []),
    ];
  });
}
