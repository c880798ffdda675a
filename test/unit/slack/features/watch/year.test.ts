import { describe, expect, test } from 'vitest';
import { compareHits, type Named } from '../../../../../src/core/comparing.ts';
import type { SnapshotId } from '../../../../../src/core/diagnostics.ts';
import { erase } from '../../../../../src/lookups/erasure.ts';
import type { WatchJob } from '../../../../../src/lookups/queue.ts';
import { stateValue } from '../../../../../src/slack/blocks/action-values.ts';
import { actions, button, header } from '../../../../../src/slack/blocks/blocks.ts';
import type { Poster } from '../../../../../src/slack/delivery/poster.ts';
import { Congested } from '../../../../../src/slack/delivery/rate-limited-queue.ts';
import type { Worth } from '../../../../../src/slack/features/watch/news.ts';
import { Watches } from '../../../../../src/slack/features/watch/watches.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';
import { DAY_MS, ID, START, watched, watching } from '../../../../support/watch-world.ts';

const STATE = {
  ...{ question: { snapshotId: snapshotId('7001'), set: 'all' as const }, page: 0, askedBy: 'U0ANA' },
  ...{ madeAt: 0, turn: 0 },
};

/** A sequence that is the same in every run. */
function numbers() {
  let last = 7;
  return (below: number) => {
    last = (last * 48_271) % 2_147_483_647;
    return last % below;
  };
}

const LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
const isGrave = ({ importance }: Named) => ['CRITICAL', 'HIGH'].includes(importance);

/** What a word has to begin with that tells this change; undefined where there is nothing to tell. */
function wordOf(was: readonly Named[], is: readonly Named[], worth: Worth): string | undefined {
  const { new: added, cleared, changed } = compareHits(was, is);
  const all = [...added, ...cleared, ...changed].flatMap(({ hit, was: before }) => [hit, before ?? hit]);
  if (all.length === 0 || (worth === 'grave' && !all.some(isGrave))) return undefined;
  return [added, cleared, changed]
    .map(({ length }) => length || '')
    .join(' ')
    .trim();
}

/** The counts of a word: `2 new (D1, D2), 1 cleared (D3)`. */
function countsIn(text: string): string {
  const of = (what: string) => text.match(`: .*?(\\d+) ${what} \\(`)?.[1] ?? '';
  return ['new', 'cleared', 'rated differently'].map(of).join(' ').trim();
}

/** Six watched snapshots: each is deleted some day, and then another one is uploaded and watched. */
function year() {
  const world = watching();
  const { analyses, state } = world;
  const random = numbers();
  const told = new Map<SnapshotId, readonly Named[]>();
  const lastDays = new Map<SnapshotId, number>();
  const counts = { uploads: 0, words: 0, deaths: 0, ends: 0 };
  const aHit = (most: number) => ({ name: `D${random(most)}`, importance: LEVELS[random(4)] ?? '' });
  const worthOf = (id: SnapshotId) => (id.endsWith('3') ? 'any' : 'grave');
  const upload = async (day: number) => {
    counts.uploads += 1;
    const id = snapshotId(String(7000 + counts.uploads));
    const hits = Array.from({ length: 5 }, () => aHit(40));
    analyses.set(id, hits);
    told.set(id, hits);
    lastDays.set(id, day + 20 + random(20));
    await world.watch('U0ANA', id, worthOf(id));
  };
  /** A hit more, one less, one rated differently. */
  const changeDefinitions = () => {
    for (const [id, hits] of analyses) {
      const at = random(8);
      const rated = hits.map((hit, index) =>
        index === at ? { ...hit, importance: aHit(1).importance } : hit,
      );
      analyses.set(id, [...rated.slice(random(2)), ...(random(2) === 0 ? [aHit(900)] : [])]);
    }
  };
  const deleteOld = (day: number) => {
    const gone = [...lastDays].filter(([, last]) => last === day).map(([id]) => id);
    for (const id of gone) for (const each of [analyses, told, lastDays]) each.delete(id);
    return gone.length;
  };
  /** The service and Slack fail for a week each; on Tuesdays the process dies before Slack has a word, or right after. */
  const decide = (day: number) => {
    state.service = day >= 100 && day < 107 ? 'down' : 'up';
    const fate = day % 7 === 2 ? (day % 2 === 0 ? 'dies before' : 'dies after') : 'up';
    state.slack = day >= 200 && day < 207 ? 'down' : fate;
    return fate !== 'up';
  };
  /** Whether each thread was told what is new there, and nothing else. */
  const check = (day: number, isSilent: boolean) => {
    const heard = world.news();
    for (const [id, hits] of analyses) {
      const expected = isSilent ? undefined : wordOf(told.get(id) ?? [], hits, worthOf(id));
      const here = heard.filter(({ thread }) => thread === `${id}.1`).map(({ text }) => countsIn(text));
      expect(here, `day ${day}, snapshot ${id}`).toEqual(expected === undefined ? [] : [expected]);
      if (expected !== undefined) told.set(id, hits);
      counts.words += here.length;
    }
    const others = heard.filter(({ thread }) => !analyses.has(thread.replace('.1', '') as SnapshotId));
    expect(others.map(({ channel }) => channel)).toEqual(others.map(() => 'U0ANA'));
    counts.ends += others.length;
  };
  return { ...world, random, counts, upload, changeDefinitions, deleteOld, decide, check };
}

test('A year of days: each change is told once, and on every other day nothing is said', async () => {
  const { state, requests, until, jobs, ...played } = year();
  const { counts, random, upload, changeDefinitions, deleteOld, decide, check } = played;
  for (let index = 0; index < 6; index += 1) await upload(0);
  for (let day = 1; day <= 366; day += 1) {
    if (random(6) === 0) changeDefinitions();
    const gone = deleteOld(day);
    const mayDie = decide(day);
    await until(START + day * DAY_MS);
    if (mayDie && state.slack === 'up') counts.deaths += 1;
    check(day, state.slack === 'down' || state.service === 'down');
    for (let index = 0; index < gone; index += 1) await upload(day);
  }
  const { uploads, words, deaths, ends } = counts;
  expect([uploads > 60, words > 100, deaths > 10], JSON.stringify(counts)).toEqual([true, true, true]);
  expect([ends, jobs.size]).toEqual([uploads - 6, 6]);
  // Once a day for each snapshot, and once more where no answer came, Slack took no word, or the process died.
  expect(requests.length).toBeLessThanOrEqual(6 * (366 + 14) + deaths);
  expect(requests.length).toBeGreaterThan(6 * 364);
});

describe('A watch ends, and its person is told once in a direct message', () => {
  const HITS = [{ name: 'D1', importance: 'HIGH' }];
  const MORE = [...HITS, { name: 'D2', importance: 'CRITICAL' }];

  type Ending = [string, (world: ReturnType<typeof watching>) => void, string, string];
  test.each<Ending>([
    [
      'when the service has deleted the snapshot',
      ({ analyses }) => void analyses.delete(ID),
      'deleted it',
      'C1',
    ],
    ...['is_archived', 'thread_not_found', 'restricted_action_thread_locked', 'a_code_of_tomorrow'].map(
      (slack): Ending => [
        `when Slack refuses the reply with ${slack}`,
        ({ state }) => void Object.assign(state, { slack }),
        'can’t be replied to',
        'C1',
      ],
    ),
    [
      'when its message is gone, so that Slack posts the reply outside of the thread',
      ({ state }) => void Object.assign(state, { slack: 'outside threads' }),
      'can’t be replied to',
      'C1',
    ],
    ['when the person may no longer see the channel', () => {}, 'may no longer see', 'C0GONE'],
  ])('%s', async (_when, change, words, channel) => {
    const world = watching();
    world.analyses.set(ID, HITS);
    await world.watch('U0ANA', ID, 'grave', channel);
    world.analyses.set(ID, MORE);
    change(world);
    await world.until(START + 3 * DAY_MS);
    const heard = world.news();
    expect(heard.map(({ channel: where }) => where)).toEqual(['U0ANA']);
    expect(heard[0]?.text).toContain(words);
    expect(heard[0]?.text).not.toContain('D2');
    expect([world.jobs.size, await world.watches().of('U0ANA')]).toEqual([0, []]);
  });

  test('after 60 days', async () => {
    const world = watching();
    world.analyses.set(ID, HITS);
    await world.watch('U0ANA', ID, 'any');
    await world.until(START + 59 * DAY_MS);
    expect([world.news(), world.requests.length]).toEqual([[], 59]);
    await world.until(START + 62 * DAY_MS);
    expect(world.news().map(({ text }) => text)).toEqual([expect.stringContaining('60 days')]);
    expect(world.jobs.size).toBe(0);
  });
});

test('A token that Slack refuses ends no watch: when it was changed, the news are told', async () => {
  const world = await watched();
  world.analyses.set(ID, [{ name: 'D1', importance: 'LOW' }]);
  world.state.slack = 'token_revoked';
  await world.until(START + 3 * DAY_MS);
  expect(world.news()).toEqual([]);
  world.state.slack = 'up';
  await world.until(START + 5 * DAY_MS);
  expect(world.news().map(({ thread }) => thread)).toEqual(['7001.1']);
});

test('Who watches at another message, or again while the end is not told yet, keeps the new watch', async () => {
  const world = await watched();
  world.analyses.delete(ID);
  world.state.slack = 'down';
  await world.until(START + 2 * DAY_MS);
  world.analyses.set(ID, []);
  await world.watch('U0ANA', ID, 'any', 'C1', '8.8');
  world.analyses.set(ID, [{ name: 'D1', importance: 'LOW' }]);
  world.state.slack = 'up';
  await world.until(START + 4 * DAY_MS);
  expect(world.news().map(({ thread }) => thread)).toEqual(['8.8']);
  expect(await world.watches().of('U0ANA')).toHaveLength(1);
  expect(world.outcomes).toContain('told');
});

test('Who begins a watch just when the end of the earlier one is told keeps it', async () => {
  const world = await watched();
  world.analyses.delete(ID);
  world.state.whenTold = async () => {
    world.analyses.set(ID, []);
    await world.watch('U0ANA', ID, 'any', 'C1', '8.8');
  };
  await world.until(START + 2 * DAY_MS);
  expect(world.news().map(({ channel }) => channel)).toEqual(['U0ANA']);
  world.analyses.set(ID, [{ name: 'D1', importance: 'LOW' }]);
  await world.until(START + 3 * DAY_MS);
  expect(world.news().map(({ thread }) => thread)).toEqual(['8.8']);
  expect([(await world.watches().of('U0ANA')).length, world.jobs.size]).toEqual([1, 1]);
});

test('Who may not use the bot any more is not told of an end, and hears nothing more', async () => {
  const world = watching();
  await world.watch('C0GONE', ID, 'any');
  await world.until(START + 2 * DAY_MS);
  expect([world.news(), world.jobs.size, await world.watches().of('C0GONE')]).toEqual([[], 0, []]);
});

test('A snapshot that only a forgotten person watched is read no more', async () => {
  const world = await watched();
  const none = { async *entries() {} } as never;
  const queues = { queue: none, reminders: none, watches: none };
  await erase({ kind: 'user', id: 'U0ANA' }, { store: world.store, ...queues }, world.retention);
  await world.until(START + 2 * DAY_MS);
  expect([world.requests, world.jobs.size, await world.watches().get(ID)]).toEqual([[], 0, undefined]);
});

test('A watch ends as well where Slack has no room for the edit of its message', async () => {
  const { watches, ...world } = await watched();
  const edit = async () => Promise.reject(new Congested());
  const controls = { ...actions([button('More', 'more')]), block_id: stateValue(STATE) };
  const read = async () => ({ text: 'A result', blocks: [header('A result'), controls] });
  const poster = { ...world.parts.poster, read, edit } as unknown as Poster;
  const said = await new Watches({ ...world.parts, poster }).stop('U0ANA', ID);
  expect([said, await watches().of('U0ANA')]).toEqual([expect.stringContaining('no longer watch'), []]);
});

test('A watch whose first reading comes before it is stored is read from the next day on', async () => {
  const world = watching();
  world.analyses.set(ID, []);
  world.state.whenAdded = () => world.until(START + DAY_MS);
  await world.watch('U0ANA', ID, 'any');
  world.analyses.set(ID, [{ name: 'D1', importance: 'LOW' }]);
  await world.until(START + 2 * DAY_MS);
  expect(world.news()).toHaveLength(1);
});

test('Who chooses again what is worth a word at the same message misses nothing that has changed since', async () => {
  const world = watching();
  world.analyses.set(ID, []);
  await world.watch('U0ANA', ID, 'grave');
  world.analyses.set(ID, [{ name: 'D1', importance: 'HIGH' }]);
  await world.watch('U0ANA', ID, 'any');
  expect(await world.watches().of('U0ANA')).toHaveLength(1);
  await world.until(START + 3 * DAY_MS);
  expect(world.news().map(({ text }) => countsIn(text))).toEqual(['1']);
});

test('However many watch a snapshot, it is read once a day; who stops hears nothing more', async () => {
  const world = watching();
  world.analyses.set(ID, []);
  for (const user of ['U0ANA', 'U0BEN', 'U0CLEO']) await world.watch(user, ID, 'any');
  await world.watch('U0DAN', ID, 'any', 'C2', '5.5');
  await world.watches().stop('U0BEN', ID);
  world.analyses.set(ID, [{ name: 'D1', importance: 'LOW' }]);
  await world.until(START + 2 * DAY_MS);
  const heard = world.news();
  expect(heard.map(({ channel, thread }) => [channel, thread])).toEqual([
    ['C1', '7001.1'],
    ['C2', '5.5'],
  ]);
  expect(heard.map(({ text }) => text.match(/<@\w+>/g))).toEqual([['<@U0ANA>', '<@U0CLEO>'], ['<@U0DAN>']]);
  expect(world.requests).toHaveLength(2);
  for (const user of ['U0ANA', 'U0CLEO', 'U0DAN']) await world.watches().stop(user, ID);
  expect([world.jobs.size, await world.watches().get(ID)]).toEqual([0, undefined]);
});

test('Nobody watches more than 50 snapshots, and all people together no more than 1,000; what is watched already can be by all', async () => {
  const world = watching();
  const [first, other] = [snapshotId('7000'), snapshotId('8000')];
  const refused = (user: string, id: SnapshotId) => world.watches().refusal(user, id);
  for (let index = 0; index < 50; index += 1) {
    expect(await refused('U0ANA', other)).toBeUndefined();
    await world.watch('U0ANA', snapshotId(String(7000 + index)), 'any');
  }
  expect(await refused('U0ANA', other)).toContain('You already watch 50');
  expect(await refused('U0ANA', first)).toBeUndefined();
  for (let index = 50; index < 1_000; index += 1) {
    expect(index < 998 || (await refused('U0BEN', other)) === undefined).toBe(true);
    world.jobs.set(`${index}`, {} as WatchJob);
  }
  expect(await refused('U0BEN', other)).toContain('1,000 snapshots are watched already');
  expect(await refused('U0BEN', first)).toBeUndefined();
});
