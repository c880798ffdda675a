import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { records } from '../emulators/slack/json.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { fromBot, MODES, small, writes } from '../support/bot-messages.ts';
import { choicesOf, choose, modal } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { forget } from '../support/forget.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { shelveHits } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

const titlesIn = ({ view }: OpenView) =>
  textsOf(view.blocks, 'plain_text').filter((text) => /^(?:🔴|🔶|🟡|⚪|✅)/u.test(text));

async function press(
  world: World,
  message: VisibleMessage,
  actionId: string,
  words: string,
): Promise<OpenView> {
  const delivery = await world.slack.click({ message, actionId, user: 'ben' });
  expect(delivery.acknowledged).toBe(true);
  return modal(world, words);
}

test.for(MODES)(
  '“me” lists all hits in a window of one’s own, over %s, and posts nothing',
  async (mode, { open }) => {
    const world = await open({ mode });
    await world.slack.command({ text: '1001 me', user: 'ben', channel: SUPPORT });
    const view = await modal(world, 'All 37 hits');
    expect(view.view.title).toMatchObject({ text: '1001 · edge-7' });
    expect(titlesIn(view)).toHaveLength(37);
    expect(titlesIn(view)[2]).toBe(
      '🔶\u00a0Device group synchronization memory exhaustion vulnerability CVE-2026-10004\n→ Upgrade to 17.1.3.4.',
    );
    expect(fromBot(world, SUPPORT, 'ben')).toEqual([]);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test.for([
  ['critical', 2, 37],
  ['miss certificate', 14, 3],
] as const)('“%s me” lists that part, and offers all hits beside', async ([part, rows, all], { world }) => {
  await world.slack.command({ text: `1001 ${part} me`, user: 'ben' });
  const view = await modal(world, 'All 37 hits');
  expect(titlesIn(view)).toHaveLength(rows);
  await world.slack.click({ view, actionId: 'filter', value: 'all', user: 'ben' });
  await eventually(() => expect(titlesIn(world.slack.modals('ben').at(-1) ?? view)).toHaveLength(all));
});

test('“critical me” of an analysis without critical hits says so, and lists no others', async ({ world }) => {
  await world.slack.command({ text: '1012 critical me', user: 'ben' });
  const view = await modal(world, 'Nothing to list.');
  expect([...choicesOf({ blocks: records(view.view.blocks) }, 'filter').keys()]).toEqual([
    'The only hit',
    '0 critical',
    '1 medium',
    '1 with CVEs',
  ]);
  // Without hits, the list that is not of a part has the passed checks.
  await world.slack.command({ text: '1002 me', user: 'ben' });
  expect(titlesIn(await modal(world, '1002 · edge-2'))).toHaveLength(95);
});

test.for(['compare 1010 1011 me', '1011 1010 me'])(
  '“%s” lists the changes in a window, and posts nothing',
  async (text, { world }) => {
    await world.slack.command({ text, user: 'ben' });
    await modal(world, 'All 25 changes');
    expect(fromBot(world, SUPPORT, 'ben')).toEqual([]);
  },
);

/** A filter and a search of the list of 1001, and how many rows it then has. */
const CHOSEN = [
  ['critical', '', 2],
  ['high', '', 11],
  ['cve', '', 14],
  ['passed', '', 95],
  ['all', 'certificate', 3],
  ['passed', 'certificate', 14],
  ['all', 'CVE-2026-10000', 1],
  ['all', 'nothing like it', 0],
] as const;

test.for(CHOSEN)(
  'The list of all hits shows %s with “%s”: %i rows',
  async ([filter, search, rows], { world }) => {
    const message = await ask(world, '1001');
    const view = await press(world, message, 'all-hits', 'All 37 hits');
    if (filter !== 'all') await world.slack.click({ view, actionId: 'filter', value: filter, user: 'ben' });
    const filtered = await modal(world, `"filter":"${filter}"`.replaceAll('"', '\\"'));
    if (search !== '') await world.slack.submit({ view: filtered, values: { search } });
    const searched = await modal(world, JSON.stringify(`"search":"${search}`).slice(1, -1));
    // On a busy machine the window first says that the result is being read.
    await eventually(() => expect(titlesIn(world.slack.modals('ben').at(-1) ?? searched)).toHaveLength(rows));
    expect(fromBot(world).map(({ history }) => history)).toEqual([[]]);
  },
);

test('A search without a result says where else to look; a list of checks calls them checks', async ({
  world,
}) => {
  const message = await ask(world, '1001');
  const view = await press(world, message, 'all-hits', 'All 37 hits');
  await world.slack.submit({ view, values: { search: 'CVE-2026-10456' } });
  const none = await modal(
    world,
    'Nothing here matches “CVE-2026-10456”. The menu has 210 passed checks, too.',
  );
  await world.slack.click({ view: none, actionId: 'filter', value: 'critical', user: 'ben' });
  const all = await modal(world, 'The menu has all 37 hits and 210 passed checks, too.');
  await world.slack.closeView(all);
  const checks = await ask(world, '1014 1015 miss', 'ana');
  await press(world, checks, 'all-hits', ' checks');
  const list = JSON.stringify(world.slack.modals('ben').at(-1)?.view);
  expect(list).toMatch(/"All \d+ passed checks"/);
  expect(list).not.toMatch(/"\d+ critical"/);
});

test('A list of many hits has pages of 95, forward and back', async ({ world }) => {
  shelveHits(world, ...Array.from({ length: 200 }, (_, at) => ({ name: `M${at}`, header: `The hit ${at}` })));
  const message = await ask(world, '2001');
  const view = await press(world, message, 'all-hits', 'The hit 94');
  await world.slack.click({ view, actionId: 'page-next', user: 'ben' });
  const second = await modal(world, 'The hit 95');
  await world.slack.click({ view: second, actionId: 'page-next', user: 'ben' });
  const third = await modal(world, 'The hit 199');
  expect(titlesIn(third)).toHaveLength(10);
  await world.slack.click({ view: third, actionId: 'page-previous', user: 'ben' });
  expect(titlesIn(await modal(world, 'The hit 95'))).toHaveLength(95);
});

test.for(MODES)(
  'Over %s anybody opens the details of a hit, goes back to the one before, and shares that in the thread',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    const view = await press(world, message, 'details-1', 'hit 2 of 37');
    for (const words of [
      'H00040900',
      'What to do',
      'What it means',
      'uncorrectable error count 48',
      'K000195420',
    ])
      expect(JSON.stringify(view.view)).toContain(words);
    await world.slack.click({ view, actionId: 'previous', user: 'ben' });
    const first = await modal(world, 'hit 1 of 37');
    expect(JSON.stringify(first.view)).toContain('Fixed in: ');
    await world.slack.click({ view: first, actionId: 'share', user: 'ben' });
    await modal(world, 'Shared in the thread.');
    const shared = fromBot(world).filter(({ threadTs }) => threadTs === message.ts);
    expect(shared.map(({ text }) => text)).toEqual([
      expect.stringContaining('Configuration utility vulnerability CVE-2026-10000'),
    ]);
    expect(JSON.stringify(shared)).toContain('Shared by <@');
  },
);

test('Details of a hit in the list open on top of it', async ({ world }) => {
  const message = await ask(world, '1001');
  const view = await press(world, message, 'all-hits', 'All 37 hits');
  await world.slack.click({ view, actionId: 'details-36', user: 'ben' });
  const details = await modal(world, 'hit 37 of 37');
  await world.slack.closeView(details);
  expect(titlesIn(await modal(world, 'All 37 hits'))).toHaveLength(37);
});

test('A link to an article is acknowledged, and nothing else happens', async ({ world }) => {
  const message = await ask(world, '1012');
  const written = writes(world).length;
  expect(await world.slack.click({ message, actionId: 'article-0-0' })).toMatchObject({ acknowledged: true });
  expect(writes(world).slice(written)).toEqual([]);
});

test('Details open after a restart; when the result is no longer cached, they say that it is being read', async ({
  world,
}) => {
  const message = await ask(world, '1012');
  await world.restart();
  await press(world, message, 'details-0', 'A server pool');
  expect(world.service.records.requests).toHaveLength(1);
  await forget(world);
  const release = world.service.hold();
  const view = await press(world, message, 'details-0', 'Reading the result…');
  release();
  await world.slack.waitFor(
    () =>
      world.slack
        .modals('ben')
        .find(({ id, view: now }) => id === view.id && JSON.stringify(now).includes('H770025-1')),
    'the details',
  );
});

test('After the result has changed, the window finds the hit by its name or says that it is gone', async ({
  world,
}) => {
  const [one, two, three] = ['one', 'two', 'three'].map((word) => ({
    name: `D-${word}`,
    header: `The hit ${word}`,
  }));
  shelveHits(world, { ...one }, { ...two });
  const message = await ask(world, '2001');
  shelveHits(world, { ...three }, { ...one });
  await forget(world);
  await press(world, message, 'details-0', 'hit 2 of 2');
  await press(world, message, 'details-1', 'this hit is no longer in it');
});

test('A window shows the latest result, however soon it follows another', async ({ world }) => {
  for (const name of ['D-one', 'D-two', 'D-one']) {
    shelveHits(world, { name, header: `The hit ${name}` });
    const view = await press(world, await ask(world, '2001'), 'details-0', `The hit ${name}`);
    await world.slack.closeView(view);
  }
});

test('Closing a window while the result is being read causes no fault', async ({ world }) => {
  const message = await ask(world, '1012');
  await forget(world);
  const release = world.service.hold();
  await world.slack.closeView(await press(world, message, 'details-0', 'Reading the result…'));
  release();
  const refused = ({ method, answer }: { method: string; answer?: unknown }) =>
    method === 'views.update' && JSON.stringify(answer ?? '').includes('not_found');
  await world.slack.waitFor(() => world.slack.records.calls.find(refused), 'Slack to refuse');
  await ask(world, '1002');
  expect(world.log.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
});

test.for([
  ['2001', 'The service is processing'],
  ['9999', 'Snapshot 9999 was not found'],
] as const)('“%s me” says why there is nothing to list: %s', async ([id, words], { world }) => {
  world.service.shelve('2001', small({ forMs: 'forever' }));
  await world.slack.command({ text: `${id} me`, user: 'ben', channel: SUPPORT });
  await modal(world, words);
});

test('Whatever somebody reads in windows changes no message', async ({ world }) => {
  const messages = [
    await ask(world, '1001'),
    await ask(world, '1001 certificate'),
    await ask(world, '1014 1015'),
  ];
  messages.push(await ask(world, 'compare 1010 1011'));
  const before = JSON.stringify(fromBot(world));
  const pressed = new Set<string>();
  for (const user of ['ana', 'ben']) {
    for (const message of messages) {
      for (const actionId of readingIn(message.blocks)) {
        await world.slack.click({ message, actionId, user });
        await readOn(world, user, pressed);
      }
    }
  }
  expect(JSON.stringify(fromBot(world))).toBe(before);
  expect([...pressed].sort()).toEqual(['details', 'filter', 'next', 'previous', 'search']);
});

/** The controls that only open something to read. */
function readingIn(blocks: unknown): string[] {
  const ids = objectsIn(blocks).map(({ action_id: id }) => String(id));
  return ids.filter((id) => /^(?:all-hits|checks|details-\d+)$/.test(id));
}

/** Does something in a window, and waits until the bot has updated the window. */
async function inWindow(world: World, user: string, act: () => Promise<unknown>): Promise<void> {
  const hash = () => world.slack.modals(user).at(-1)?.hash;
  const before = hash();
  await act();
  await eventually(() => {
    expect(hash()).not.toBe(before);
    expect(world.slack.records.calls.every(({ ms }) => ms !== undefined)).toBe(true);
    expect(JSON.stringify(world.slack.modals(user).at(-1)?.view)).not.toMatch(/Reading the result|Searching/);
  });
}

/** Uses each control of the open window once, and adds it to `pressed`. */
async function readOn(world: World, user: string, pressed: Set<string>): Promise<void> {
  const { slack } = world;
  const top = () => slack.modals(user).at(-1);
  const has = (id: string) => JSON.stringify(top()?.view).includes(`"action_id":"${id}"`);
  const view = await modal(world, '"action_id":"', user);
  if (has('filter')) {
    await inWindow(world, user, () => slack.click({ view, actionId: 'filter', value: 'all', user }));
    await inWindow(world, user, async () =>
      slack.submit({ view: await modal(world, '"search"', user), values: { search: 'CVE' } }),
    );
    await modal(world, '"details-0"', user);
    for (const id of ['filter', 'search']) pressed.add(id);
  }
  for (const id of ['details-0', 'next', 'previous']) {
    const open = top();
    if (open === undefined || !has(id)) continue;
    await inWindow(world, user, () => slack.click({ view: open, actionId: id, user }));
    pressed.add(id.replace('-0', ''));
  }
  for (let last = top(); last !== undefined; last = top()) await slack.closeView(last);
}

test('The menu of a message has five entries', async ({ world }) => {
  const message = await ask(world, '1001');
  const [menu] = objectsIn(message.blocks).filter(({ type }) => type === 'overflow');
  expect(textsOf(menu, 'plain_text')).toEqual([
    'Refresh',
    'Compare with…',
    'Follow…',
    'Text for the case…',
    'Export as CSV',
  ]);
  await choose(world, message, 'more', 'Refresh');
});

test('A press that only reads writes nothing into the storage', async ({ world }) => {
  const message = await ask(world, '1001');
  await atRest(world.address());
  const written = () => readdirSync(world.dataDir).map((name) => statSync(join(world.dataDir, name)).mtimeMs);
  const before = written();
  await press(world, message, 'all-hits', 'All 37 hits');
  await press(world, message, 'details-0', 'hit 1 of 37');
  expect(written()).toEqual(before);
  await ask(world, '1002');
  await eventually(() => expect(written()).not.toEqual(before));
});
