import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { record, string } from '../emulators/slack/json.ts';
import type { OpenView } from '../emulators/slack/model.ts';
import { fromBot, reads } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { exported } from '../support/exported.ts';
import { objectsIn } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

const HITS: DocumentDiagnostic[] = [
  {
    name: 'D000000001',
    match: true,
    importance: 'LOW',
    header: 'The fan  is\nslow',
    action: 'For additional information, refer to the linked article.',
    solutions: [{ url: 'https://support.acme.example/s/article/K1' }, { url: 'javascript:alert(1)' }],
  },
  {
    name: 'D000000002',
    match: true,
    importance: 'CRITICAL',
    header: 'Shell vulnerability <!channel>',
    action: 'Upgrade the device.',
    outputs: ['secret evidence'],
    solutions: [
      { url: 'https://support.acme.example/s/article/K1' },
      { url: 'https://support.acme.example/s/article/K2' },
    ],
    fixedInVersions: [{ major: '17', minor: '1', maintenance: '4', point: '', fix: '' }],
  },
];

function shelve({ service }: World, diagnostics = HITS, hostname = 'edge-7.example.com'): void {
  service.shelve('2001', {
    title: 'A few',
    purpose: 'Written by a test.',
    document: {
      system: { hostname, chassisSerialNumber: 'chs600777s', platform: 'C117' },
      version: { version: '17.1.3', product: 'Product' },
      diagnostics,
    },
  });
}

/** The prefilled text of a modal's field. */
function filled({ view }: OpenView): string {
  const input = objectsIn(view.blocks).find(({ type }) => type === 'plain_text_input');
  return string(record(input).initial_value);
}

test('“Text for the case” lists the critical and high hits, or all, with the first lines of their evidence', async ({
  world,
}) => {
  shelve(world);
  await chooseMore(world, await ask(world, '2001'), 'Text for the case');
  const grave = await modal(world, 'case-text-grave');
  for (const text of [
    'Snapshot 2001 of edge-7.example.com: Product 17.1.3 · C117 · serial chs600777s',
    'Listed here: critical and high: 1 of 2.',
    '1. Critical: Shell vulnerability <!channel>',
    'Action: Upgrade the device.',
    'D000000002 · fixed in 17.1.4',
    'https://support.acme.example/s/article/K1',
    '| secret evidence',
  ])
    expect(filled(grave)).toContain(text);
  expect(filled(grave)).not.toContain('The fan');
  await world.slack.click({ view: grave, actionId: 'case-show', value: 'all', user: 'ben' });
  expect(filled(await modal(world, 'case-text-all'))).toContain('2. Low: The fan is slow');
});

test.for([
  ['1001 critical', '2 critical of 37 hits\nListed here: 2 of 2. Read '],
  ['1001 CVE-2020-1000', 'No hit or check names CVE-2020-1000\nRead '],
  ['1002', 'No hits: all 180 checks passed\nRead '],
  ['1002 critical', 'No hits: all 180 checks passed\nRead '],
  [
    '1014 1015 CVE-2026-10128',
    'Yes: CVE-2026-10128 is a hit on lb-b; checked and not a hit on lb-a\nListed here: ',
  ],
] as const)('The text of “%s” says what the message says', async ([asked, said], { world }) => {
  await chooseMore(world, await ask(world, asked), 'Text for the case');
  expect(filled(await modal(world, 'case-text-'))).toContain(said);
});

test('A text that is too long for the field comes as a .txt file to the person who asked', async ({
  world,
}) => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...HITS[1],
    name: `D${index}`,
    header: `The hit ${index}`,
  }));
  shelve(world, many);
  const message = await ask(world, '2001');
  await chooseMore(world, message, 'Text for the case');
  await modal(world, 'longer than a Slack form holds');
  const { text } = await exported(world, 'case-2001.txt', '@ben');
  await reads(world, 'Text for the case of snapshot 2001', { channel: '@ben', viewer: 'ben' });
  expect(text.match(/^\d+\. Critical: The hit/gm)).toHaveLength(60);
  // The text has not been posted for others yet.
  expect(fromBot(world)).toHaveLength(1);
});

test('A private result offers the text to copy, too, in a form that “Done” closes', async ({ world }) => {
  shelve(world);
  await world.slack.command({ text: '2001', user: 'ben', channel: 'C0SECRET' });
  const message = await reads(world, '2 hits', { channel: 'C0SECRET', viewer: 'ben' });
  await chooseMore(world, message, 'Text for the case');
  const view = await modal(world, 'case-text-');
  expect(view.view.submit).toMatchObject({ text: 'Done' });
  await world.slack.submit({ view, values: {} });
  expect(world.slack.modals('ben')).toEqual([]);
});

test('A window that is opened from a report names its snapshot and its device', async ({ world }) => {
  shelve(world);
  await chooseMore(world, await ask(world, '2001'), 'Text for the case');
  const { view } = await modal(world, 'case-text-');
  expect(view.title).toMatchObject({ text: '2001 · edge-7' });
});

test.for([
  ['a-host-of-17-char', '2001 · a-host-of-17-char'],
  ['a-host-of-18-chars', 'Snapshot 2001'],
])('The title of a window of the host %s is “%s”', async ([host = '', title], { world }) => {
  shelve(world, HITS, host);
  await chooseMore(world, await ask(world, '2001'), 'Text for the case');
  expect((await modal(world, 'case-text-')).view.title).toMatchObject({ text: title });
});
