import { expect } from 'vitest';
import { markdownText } from '../../src/slack/features/export/markdown.ts';
import { choicesOf, choose, chooseMore, modal, moreOf } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { exported } from '../support/exported.ts';
import { textsOf } from '../support/message-parts.ts';
import { readCsv } from '../support/read-csv.ts';
import { shelveHits } from '../support/shelved.ts';

const test = sequential.concurrent;
const MENU = 'more';
const COLUMNS = [
  'snapshot',
  'device',
  'name',
  'importance',
  'title',
  'summary',
  'action',
  'other_name',
  'cve_ids',
  'fixed_in',
  'solutions',
  'output',
];

for (const mode of ['http', 'socket'] as const) {
  test(`All hits are exported as CSV over ${mode}, into the thread of the message`, async ({ open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    await choose(world, message, MENU, 'Export 37 hits as CSV');
    const { message: reply, text } = await exported(world, 'snapshot-1001-hits.csv');
    expect(reply).toMatchObject({
      threadTs: message.ts,
      text: '37 hits of snapshot 1001, exported by <@U0BEN>',
    });
    const [names, ...rows] = readCsv(text);
    expect(names).toEqual(COLUMNS);
    expect(rows).toHaveLength(37);
    expect(rows[0]).toEqual([
      '1001',
      'edge-7.example.com · C117 · chs600777s',
      'H00040009',
      'CRITICAL',
      'Configuration utility vulnerability CVE-2026-10000',
      expect.stringMatching(/^An unauthenticated attacker .* control plane issue only\.$/),
      expect.stringMatching(/^Upgrade to version 17\.1\.3\.4/),
      '',
      'CVE-2026-10000',
      '17.1.3.4',
      expect.stringMatching(/^K000100032 https:\/\//),
      '',
    ]);
    expect(world.service.records.requests).toHaveLength(1);
  });
}

test('Markdown has everything of each hit, with the evidence as it stands', async ({ open }) => {
  const world = await open();
  const message = await ask(world, '1012');
  await chooseMore(world, message, 'Export 1 hit as Markdown');
  const { text } = await exported(world, 'snapshot-1012-hits.md');
  expect(text.replace(/Read .* UTC/, 'Read then')).toBe(
    `${[
      '# Snapshot 1012 · edge-7.example.com',
      'C117 · chs600777s · Product 17.1.3 (Point Release 3, build 240216)',
      'SHA-1 of the snapshot: d41d8cd98f00b204e9800998ecf8427e',
      '1 hit — 1 medium · 1 with CVEs',
      'In this file: 1 hit. Read then.',
      '## Medium: A server pool has a single member and no reserve',
      '**Name:** H770025-1',
      '**Summary:** When the only member of a pool is down, all of its traffic is refused. Add a second member or a fallback host.',
      '**Action:** Add a second member to the pool, or configure a host that answers when the pool is down.',
      '**CVEs:** CVE-2026-10001',
      '**Fixed in:** 17.1.4',
      '**Solutions:** [K000162521](<https://support.acme.example/s/article/K000162521>)',
      '```text\n/Common/pool_checkout has a single member: app-01:443\n```',
    ].join('\n\n')}\n`,
  );
});

test.each([
  ['a mention', '@ana', '@\u2060ana'],
  ['an issue', '#12', '\\#\u206012'],
  ['a link', '[Open](https://evil.example)', '\\[Open\\](https\\://evil.example)'],
  ['bare addresses', 'www.evil.example https://x', 'www\\.evil.example https\\://x'],
  ['HTML', '<script>&lt;', '\\<script\\>\\&lt;'],
  ['emphasis', '*a* _b_ ~c~ `d` $e$', '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\$e\\$'],
  ['a heading', '# a\n# b', '\\# a # b'],
  ['a list', '- a', '\\- a'],
  ['an ordered list', '1. a', '1\\. a'],
  ['a version, which is none', '17.1.3', '17.1.3'],
  ['a picture', ':bomb: a:b', '\\:bomb: a:b'],
  ['an escape', '\\*', '\\\\\\*'],
])('Text with %s is read in Markdown as it stands', (_name, text, expected) => {
  expect(markdownText(text)).toBe(expected);
});

test('What is exported is what is shown, or all', async ({ open }) => {
  const world = await open();
  const message = await ask(world, '1001 critical');
  expect([...choicesOf(message, MENU).keys()]).toEqual([
    'Refresh',
    'Search…',
    'Compare with…',
    'Export the 2 hits shown as CSV',
    'More…',
  ]);
  const more = await moreOf(world, message);
  expect(textsOf(more.view.blocks, 'plain_text')).toEqual([
    'What an upgrade fixes',
    'Text for the case',
    'Browse privately',
    'Remind me to check again',
    'Export the 2 hits shown as CSV',
    'Export the 2 hits shown as Markdown',
    'Export all 37 hits as CSV',
  ]);
  await world.slack.closeView(more);
  await choose(world, message, MENU, 'Export the 2 hits shown as CSV');
  const some = await exported(world, 'snapshot-1001-hits.csv');
  expect(readCsv(some.text)).toHaveLength(3);
  expect(some.message.text).toBe('2 of 37 hits (critical) of snapshot 1001, exported by <@U0BEN>');
  world.slack.remove(some.message);
  await chooseMore(world, message, 'Export all 37 hits as CSV');
  expect(readCsv((await exported(world, 'snapshot-1001-hits.csv')).text)).toHaveLength(38);
  await modal(world, 'The file is in the thread of the message.');
});

test('Passed checks and comparisons are exported too', async ({ open }) => {
  const world = await open();
  const passed = await ask(world, '1001 miss');
  await choose(world, passed, MENU, 'Export 210 checks as CSV');
  const rows = readCsv((await exported(world, 'snapshot-1001-passed-checks.csv')).text);
  expect(rows).toHaveLength(211);
  expect(rows[0]).not.toContain('match');
  const comparison = await ask(world, 'compare 1010 1011');
  await chooseMore(world, comparison, 'Export all 33 hits as CSV');
  const [names, ...compared] = readCsv((await exported(world, 'snapshots-1010-1011-compared.csv')).text);
  expect(names?.slice(2, 6)).toEqual(['change', 'importance_before', 'name', 'importance']);
  const counts = Object.groupBy(compared, ([, , change = '']) => change);
  expect(Object.entries(counts).map(([change, found]) => [change, found?.length])).toEqual([
    ['new', 3],
    ['changed', 2],
    ['cleared', 20],
    ['unchanged', 8],
  ]);
  await chooseMore(world, comparison, 'Export the 25 hits shown as Markdown');
  const { text } = await exported(world, 'snapshots-1010-1011-compared.md');
  expect(text).toContain('# Snapshots 1010 → 1011');
  expect(text).toContain('**Change:** changed, was Low');
});

test('No cell starts a formula, and a long one goes on in the next column', async ({ open }) => {
  const world = await open();
  const tricks = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠x', ' =1', '\u200b=1', '"=1'];
  shelveHits(
    world,
    ...tricks.map((header, index) => ({ name: `D${index}`, header, outputs: ['x'.repeat(70_000)] })),
  );
  const message = await ask(world, '2001');
  await choose(world, message, MENU, 'Export 11 hits as CSV');
  const [names, ...rows] = readCsv((await exported(world, 'snapshot-2001-hits.csv')).text);
  expect(names).toEqual([...COLUMNS, 'output_2', 'output_3']);
  for (const row of rows) {
    for (const cell of row) expect(cell).not.toMatch(/^["\s\p{Cf}]*[=+\-@＝＋－＠]/u);
    expect(row.slice(10).join('')).toBe('x'.repeat(70_000));
  }
});
