import { expect } from 'vitest';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot, MODES, small } from '../support/bot-messages.ts';
import { choicesOf, choose, chooseMore, modal } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { forget } from '../support/forget.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { shelveHits } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

async function browse(world: World, text: string, words: string): Promise<OpenView> {
  const delivery = await world.slack.command({ text, user: 'ben', channel: SUPPORT });
  expect(delivery.acknowledged).toBe(true);
  return modal(world, words);
}

test.for(MODES)(
  "“me” shows the result in a modal of one's own, over %s, and posts nothing",
  async (mode, { open }) => {
    const world = await open({ mode });
    const view = await browse(world, '1001 me', '37 hits in 247 checks');
    expect(view.view.title).toMatchObject({ text: '1001 · edge-7' });
    await world.slack.click({ view, actionId: 'page-next', user: 'ben' });
    const second = await modal(world, 'Hits 4–');
    const critical = [...choicesOf(second.view as { blocks: object[] }, 'filter')].find(([label]) =>
      label.startsWith('◆ Critical'),
    );
    await world.slack.click({ view: second, actionId: 'filter', value: critical?.[1] ?? '', user: 'ben' });
    const filtered = await modal(world, 'Showing 2 critical hits');
    await world.slack.click({ view: filtered, actionId: 'details', user: 'ben' });
    const details = await modal(world, 'Hit 1 of 2');
    await world.slack.closeView(details);
    const delivery = await world.slack.submit({
      view: await modal(world, 'Showing 2 critical hits'),
      values: { 'search-for': 'CVE-2026-10456' },
    });
    expect(delivery.acknowledged).toBe(true);
    const found = await modal(world, 'Checked, not a hit: CVE-2026-10456');
    await world.slack.click({ view: found, actionId: 'whole-result', user: 'ben' });
    await modal(world, '37 hits in 247 checks');
    expect(fromBot(world, SUPPORT, 'ben')).toEqual([]);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

const ANA_ASKED: readonly (readonly [
  string,
  (world: World, message: VisibleMessage) => Promise<unknown>,
  string,
])[] = [
  [
    '▸',
    ({ slack }, message) => slack.click({ message, actionId: 'page-next', user: 'ben' }),
    'Hits 4–8 of 11',
  ],
  ['a filter', (world, message) => choose(world, message, 'filter', '○ Low', 'ben'), 'Showing 8 low hits'],
  ['“Search…”', (world, message) => choose(world, message, 'more', 'Search…', 'ben'), 'Hits 1–3 of 11'],
  [
    '“Browse privately”',
    (world, message) => chooseMore(world, message, 'Browse privately', 'ben'),
    'Hits 1–3 of 11',
  ],
];

test.for(ANA_ASKED)(
  'By %s somebody who did not ask reads on in a window, and the message stays',
  async ([, act, words], { world }) => {
    const message = await ask(world, '1001 high');
    await act(world, message);
    const view = await modal(world, words);
    expect(view.view.title).toMatchObject({ text: '1001 · edge-7' });
    const offered = objectsIn(view.view.blocks).map(({ action_id }) => action_id);
    for (const ofTheMessage of ['more', 'on-it', 'compare-last']) expect(offered).not.toContain(ofTheMessage);
    await world.slack.submit({ view, values: { 'search-for': 'certificate' } });
    await modal(world, '“certificate”: found in');
    expect(fromBot(world).map(({ text, history }) => [text, history])).toEqual([[message.text, []]]);
  },
);

test('Where the analysis has changed since the message was made, the window of somebody else says so on each page', async ({
  world,
}) => {
  const many = Array.from({ length: 12 }, (_, index) => ({ name: `M${index}` }));
  shelveHits(world, ...many);
  const message = await ask(world, '2001');
  shelveHits(world, ...many.slice(1), { name: 'N1' });
  world.clock.ahead = 20 * 60_000;
  await world.slack.click({ message, actionId: 'page-next', user: 'ben' });
  const view = await modal(world, 'Hits 4–8 of 12');
  expect(textsOf([view.view], 'text').join('')).toContain('1 new (N1), 1 cleared (M0) since');
  await world.slack.click({ view, actionId: 'page-next', user: 'ben' });
  const last = await modal(world, 'Hits 9–12 of 12');
  expect(textsOf([last.view], 'text').join('')).toContain('1 new (N1), 1 cleared (M0) since');
});

test('A snapshot that is not ready says so, and is looked at again', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 'forever' }));
  const view = await browse(world, '2001 me', 'Check again');
  world.service.shelve('2001', small());
  // Within the interval after a 202 the service is not asked again.
  const lookedAgain = async () => {
    const [open = view] = world.slack.modals('ben');
    if (!JSON.stringify(open.view).includes('1 hit')) {
      await world.slack.click({ view: open, actionId: 'browse-again', user: 'ben' });
    }
    return JSON.stringify(world.slack.modals('ben'));
  };
  await eventually(async () => expect(await lookedAgain()).toContain('1 hit'));
});

test('The modal says that a snapshot is unknown, and reads a result again that is no longer cached', async ({
  world,
}) => {
  const unknown = await browse(world, '9999 me', 'Check again');
  expect(JSON.stringify(unknown.view)).toContain('Snapshot 9999 was not found');
  await world.slack.closeView(unknown);
  const view = await browse(world, '1012 me', '1 hit');
  await forget(world);
  await world.slack.submit({ view, values: { 'search-for': 'nothing like it' } });
  await modal(world, 'Nothing matches');
});
