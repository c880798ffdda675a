import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { reads } from '../support/bot-messages.ts';
import { choose, modal, reading } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { forget } from '../support/forget.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const MENU = 'more';

function shelve({ service }: World): void {
  service.shelve('2001', {
    title: 'A few',
    purpose: 'Written by a test.',
    counts: true,
    document: {
      diagnostics: [
        {
          name: 'D000000001',
          match: true,
          importance: 'CRITICAL',
          header: 'Shell vulnerability CVE-2026-10000',
          summary:
            'The certificate store is open. See also CVE-2026-70000, CVE-2026-80015 through CVE-2026-80020.',
          solutions: [{ url: 'https://support.acme.example/s/article/K000100032' }],
        },
        {
          name: 'D000000002',
          match: true,
          importance: 'LOW',
          header: 'A certificate expires',
          outputs: ['Café.crt'],
        },
        { name: 'D000000003', match: false, importance: 'HIGH', header: 'Web vulnerability CVE-2026-20000' },
      ],
    },
  });
}

async function search(world: World, message: VisibleMessage, text: string, user = 'ana'): Promise<void> {
  await choose(world, message, MENU, 'Search…', user);
  const view = await modal(world, 'Search for', user);
  expect(await world.slack.submit({ view, values: { 'search-for': text } })).toMatchObject({
    acknowledged: true,
  });
}

test('An id gets its verdict first, from one request for everything', async ({ world }) => {
  shelve(world);
  for (const [sought, verdict] of [
    ['CVE-2026-10000', 'Hit: CVE-2026-10000 (D000000001, critical)'],
    ['cve-2026-20000', 'Checked, not a hit: CVE-2026-20000 (D000000003)'],
    ['CVE-2026-30000', 'Not mentioned in this analysis: CVE-2026-30000'],
  ] as const) {
    const { text, blocks } = await ask(world, `2001 ${sought}`);
    expect(text).toMatch(new RegExp(`^Snapshot 2001: ${verdict.replace(/[()]/g, '\\$&')} · `));
    expect(textsOf(blocks, 'text')[0]).toBe(verdict);
    expect(text).not.toMatch(/not affected/i);
  }
  expect(world.service.records.requests.every(({ set }) => set === 'all')).toBe(true);
});

test('“hit” and “miss” narrow a search down, and no verdict', async ({ world }) => {
  shelve(world);
  const hits = await ask(world, '2001 hit vulnerability');
  expect(hits.text).toContain('“vulnerability”: found in 1 of 2 hits');
  expect(hits.text).not.toContain('D000000003');
  const passed = await ask(world, 'miss 2001 vulnerability');
  expect(passed.text).toContain('“vulnerability”: found in 1 of 1 passed check');
  expect(passed.text).not.toContain('D000000001');
  expect(offers(passed)).not.toContain('filter');
  expect((await ask(world, '2001 miss capacitor')).text).toContain('Nothing matches “capacitor” in 1 passed');
  const verdict = await ask(world, '2001 hit CVE-2026-20000');
  expect(verdict.text).toContain('Checked, not a hit: CVE-2026-20000 (D000000003)');
  expect(verdict.text).toContain('only hits are listed');
  expect(verdict.text).not.toContain('✓ D000000003');
  // A search requests all diagnostics, whatever it lists; the whole result then shows only that side again.
  expect(new Set(world.service.records.requests.map(({ set }) => set))).toEqual(new Set(['all']));
  await world.slack.click({ message: passed, actionId: 'whole-result' });
  await reading(world, passed, '1 check passed');
});

test.for(['http', 'socket'] as const)(
  '“Search…” in the menu shows what it finds in the same message over %s',
  async (mode, { open }) => {
    const world = await open({ mode });
    shelve(world);
    const message = await ask(world, '2001 hit');
    await search(world, message, 'CVE-2026-20000');
    const found = await reading(world, message, 'Checked, not a hit: CVE-2026-20000');
    await search(world, found, 'certificate “store”');
    const words = await reading(world, message, '“certificate” “store”: found in 1 of 2 hits');
    expect(world.slack.modals('ben')).toEqual([]);
    await search(world, words, '');
    await reading(world, message, /^(?!.*found).*2 hits in 3 checks/);
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
    expect(world.service.records.requests.map(({ set }) => set)).toEqual(['hit', 'all']);
  },
);

test('“Search…” says what is too much, and begins with what was searched for', async ({ world }) => {
  shelve(world);
  const message = await ask(world, '2001 certificate');
  await choose(world, message, MENU, 'Search…', 'ana');
  const view = await modal(world, '"initial_value":"certificate"', 'ana');
  await world.slack.submit({ view, values: { 'search-for': 'a b c d e f g h i' } });
  const still = await modal(world, 'Search for', 'ana');
  expect(Object.values(still.errors)).toEqual(['Use at most 8 words and about 70 characters.']);
});

test('Pages, filters and details stay within what was found, after a restart too', async ({ world }) => {
  const message = await ask(world, '1001 certificate');
  await world.restart();
  await world.slack.click({ message, actionId: 'details', user: 'ben' });
  await modal(world, 'Hit 1 of 3');
  await forget(world);
  await choose(world, message, 'filter', '● Medium');
  await reading(
    world,
    message,
    '“certificate”: found in 3 of 37 hits and 14 of 210 passed checks · Showing 2 medium hits',
  );
});

test('A mention, a direct message and the Home form search alike', async ({ world }) => {
  shelve(world);
  await world.slack.mention({ text: '2001 CVE-2026-20000', user: 'ben' });
  await reads(world, 'Checked, not a hit: CVE-2026-20000');
  await world.slack.say({
    text: 'look at “certificate” “store” in snapshot 2001',
    user: 'ben',
    channel: '@ben',
  });
  await reads(world, '“certificate” “store”: found in 1 of 2 hits', { channel: '@ben', viewer: 'ben' });
  await world.slack.shortcut({ callbackId: 'look-up-snapshot', user: 'ben' });
  const view = await modal(world, 'Look up a snapshot');
  await world.slack.submit({ view, values: { id: '2001', 'search-for': 'CVE-2026-10000', where: SUPPORT } });
  await reads(world, 'Hit: CVE-2026-10000');
});
