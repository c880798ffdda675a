import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { chooseMore } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { exported, fileOf } from '../support/exported.ts';
import { readCsv } from '../support/read-csv.ts';
import { shelveHits } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** Waits until Ben, who exports, reads these words in any conversation. */
function toldOf({ slack }: World, words: string) {
  const isTold = () =>
    JSON.stringify(
      [SUPPORT, 'C0SECRET', 'C0WARROOM', '@ben'].map((channel) => slack.messages(channel, 'ben')),
    ).includes(words);
  return slack.waitFor(() => (isTold() ? true : undefined), `to be told: ${words}`);
}

test.for(['http', 'socket'] as const)(
  'All hits are exported as CSV over %s, into the thread of the message',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    await chooseMore(world, message, 'Export as CSV');
    const { message: reply, text } = await exported(world, 'snapshot-1001');
    expect(reply).toMatchObject({
      threadTs: message.ts,
      text: '37 hits of snapshot 1001, exported by <@U0BEN>',
    });
    expect(readCsv(text)).toHaveLength(1 + 37);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test.for([
  ['1001 critical', 'snapshot-1001', 2, '2 hits of snapshot 1001'],
  ['1001 miss', 'snapshot-1001', 210, '210 checks of snapshot 1001'],
  ['1001 CVE-2026-10000', 'snapshot-1001', 1, '1 hit of snapshot 1001'],
  ['compare 1010 1011', 'snapshots-1010-1011', 33, '33 hits of snapshots 1010 → 1011'],
  ['1014 1016', 'snapshots-1014-1016', 58, '58 hits of snapshots 1014, 1016'],
  ['1014 1007', 'snapshots-1014-1007', 31, '31 hits of snapshots 1014, 1007 (no result: 1007)'],
] as const)(
  'An export of the answer to “%s” holds what the message is about',
  async ([line, name, rows, said], { world }) => {
    const message = await ask(world, line);
    await chooseMore(world, message, 'Export as CSV');
    const { text, message: reply } = await exported(world, name);
    expect(reply.text).toBe(`${said}, exported by <@U0BEN>`);
    const [head = [], ...table] = readCsv(text);
    expect(table).toHaveLength(rows);
    const changes = new Set(table.map((row) => row[head.indexOf('change')]));
    expect(changes.size).toBeGreaterThan(line.startsWith('compare') ? 2 : 0);
  },
);

/** The column names and the hits of an exported report of 2001. */
async function exportOf2001(world: World): Promise<readonly [head: string[], ...hits: string[][]]> {
  const [head = [], ...hits] = readCsv(await fileOf(world, await ask(world, '2001'), 'snapshot-2001'));
  return [head, ...hits];
}

test('Each column of an exported hit holds what its name says', async ({ world }) => {
  const hit: DocumentDiagnostic = {
    ...{ name: 'D1', h_name: 'H1', importance: 'HIGH', match: true, header: 'A title', summary: 'A summary' },
    ...{ action: 'Do it.', cveIds: ['CVE-2026-10001', 'CVE-2026-10002'], outputs: ['One', 'Two'] },
    solutions: [{ url: 'https://support.acme.example/K000100020', id: 'K000100020' }],
    fixedInVersions: [
      { major: '17', minor: '1', maintenance: '4' },
      { major: '17', minor: '5' },
    ],
  };
  // `localhost.localdomain` names no device, so the column stays empty.
  const system = { chassisSerialNumber: 'chs1', hostname: 'localhost.localdomain' };
  world.service.shelve('2001', { title: '', purpose: '', document: { system, diagnostics: [hit] } });
  const [head, cells = []] = await exportOf2001(world);
  expect(Object.fromEntries(head.map((name, at) => [name, cells[at]]))).toEqual({
    ...{ snapshot: '2001', device: '', serial: 'chs1', change: '', importance_before: '', match: 'hit' },
    ...{ accepted: '', name: 'D1', importance: 'HIGH', title: 'A title', summary: 'A summary' },
    ...{ action: 'Do it.', other_name: 'H1', cve_ids: 'CVE-2026-10001\nCVE-2026-10002' },
    ...{ known_exploited_since: '', fixed_in: '17.1.4\n17.5', output: 'One\n\nTwo' },
    solutions: 'K000100020 https://support.acme.example/K000100020',
  });
});

test('No exported cell is a formula, in any spreadsheet', async ({ world }) => {
  const texts = ['=1+1', '@SUM(A1)', '-2', '＝1', '"=1', 'a;=1', 'a\n+1', 'a = b - c'];
  const cells = ["'=1+1", "'@SUM(A1)", "'-2", "'＝1", `'"=1`, "a;'=1", "a\n'+1", 'a = b - c'];
  shelveHits(world, ...texts.map((text, at) => ({ name: `D${at}`, outputs: [text] })));
  const [head, ...hits] = await exportOf2001(world);
  expect(hits.map((hit) => hit[head.indexOf('output')])).toEqual(cells);
});

test('A text that is too long for a cell of a spreadsheet goes on in a column of its own', async ({
  world,
}) => {
  const text = 'words '.repeat(8_000).trim();
  shelveHits(world, { name: 'D1', outputs: [text] });
  const [head, cells = []] = await exportOf2001(world);
  expect(head.slice(-2)).toEqual(['output', 'output_2']);
  expect(cells.slice(-2).join('')).toBe(text);
  expect(cells.filter(({ length }) => length > 32_767)).toEqual([]);
});

for (const [destination, channel] of [
  ['a private channel without the bot', 'secret'],
  ['a channel that the bot has left', 'support'],
] as const) {
  test(`In ${destination}, an export comes as a direct message, and that is said`, async ({ world }) => {
    const { slack } = world;
    await slack.command({ text: '1012', channel, user: 'ben' });
    const message = await slack.waitFor(() => slack.messages(channel, 'ben')[0], 'an answer');
    if (channel === 'support') slack.leave(channel);
    await chooseMore(world, message, 'Export as CSV');
    const { text, message: reply } = await exported(world, 'snapshot-1012', '@ben');
    expect(readCsv(text)).toHaveLength(2);
    expect(reply.threadTs).toBeUndefined();
    const [before] = slack.messages('@ben', 'ben');
    expect(before?.text).toContain('Here is your file: 1 hit of snapshot 1012.');
    await toldOf(world, 'so I sent you the export as a direct message');
  });
}

test('Where the bot may not upload files, the person who exports reads which permission is missing', async ({
  open,
}) => {
  const world = await open({ slack: { scopes: ['commands', 'chat:write'] } });
  const message = await ask(world, '1012');
  await chooseMore(world, message, 'Export as CSV');
  await toldOf(world, 'add the files:write permission');
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});

test.for([
  ['loses the confirmation', 'lost-response', 1],
  ['fails', { error: 'fatal_error' }, 0],
] as const)(
  'A file is called unconfirmed, and sent nowhere else, when Slack %s',
  async ([, fault, arrived], { world }) => {
    const message = await ask(world, '1012');
    world.slack.failNext('files.completeUploadExternal', fault);
    await chooseMore(world, message, 'Export as CSV');
    await toldOf(world, 'Slack didn’t confirm the file');
    expect(world.slack.messages(SUPPORT).filter(({ threadTs }) => threadTs === message.ts)).toHaveLength(
      arrived,
    );
    expect(world.slack.messages('@ben', 'ben')).toEqual([]);
  },
);

test('The log holds nothing of an export', async ({ open }) => {
  const world = await open({ variables: { LOG_LEVEL: 'trace' } });
  const diagnostics = [{ name: 'D1', match: true, outputs: ['evidence-of-this-very-device'] }];
  world.service.shelve('2001', {
    title: 'One',
    purpose: 'Written by a test.',
    document: { diagnostics },
  });
  const message = await ask(world, '2001');
  const before = world.log.length;
  await chooseMore(world, message, 'Export as CSV');
  await exported(world, 'snapshot-2001');
  expect(world.log.slice(before).join('')).not.toContain('evidence-of-this-very-device');
});

test('A failed upload is told to the person who asked, and the next upload works', async ({ world }) => {
  const message = await ask(world, '1012');
  world.slack.failNext('upload_url', { status: 500 });
  await chooseMore(world, message, 'Export as CSV');
  await toldOf(world, 'Slack didn’t confirm the file');
  await chooseMore(world, message, 'Export as CSV');
  await exported(world, 'snapshot-1012');
});
