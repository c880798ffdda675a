import { expect } from 'vitest';
import { chooseMore } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { exported } from '../support/exported.ts';
import { readCsv } from '../support/read-csv.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** What the one who exports is told alone, in whichever conversation. */
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
] as const)(
  'What is exported of “%s” is what its message is about',
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

test('Where the bot may not upload at all, whoever asked is told what is missing', async ({ open }) => {
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

test('What is exported is in no line of the log', async ({ open }) => {
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

test('An upload that fails is told to whoever asked, and the next one works', async ({ world }) => {
  const message = await ask(world, '1012');
  world.slack.failNext('upload_url', { status: 500 });
  await chooseMore(world, message, 'Export as CSV');
  await toldOf(world, 'Slack didn’t confirm the file');
  await chooseMore(world, message, 'Export as CSV');
  await exported(world, 'snapshot-1012');
});
