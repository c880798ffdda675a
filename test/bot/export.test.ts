import { expect } from 'vitest';
import { choicesOf, chooseMore, modal, moreOf } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { exported } from '../support/exported.ts';
import { textsOf } from '../support/message-parts.ts';
import { readCsv } from '../support/read-csv.ts';

const test = sequential.concurrent;

test.for(['http', 'socket'] as const)(
  'All hits are exported as CSV over %s, into the thread of the message',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    await chooseMore(world, message, 'Export 37 hits as CSV');
    const { message: reply, text } = await exported(world, 'snapshot-1001-hits.csv');
    expect(reply).toMatchObject({
      threadTs: message.ts,
      text: '37 hits of snapshot 1001, exported by <@U0BEN>',
    });
    expect(readCsv(text)).toHaveLength(1 + 37);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test('What is exported is what is shown, or all', async ({ world }) => {
  const message = await ask(world, '1001 critical');
  await chooseMore(world, message, 'Export the 2 hits shown as CSV');
  await modal(world, 'The file is in the thread of the message.');
  const some = await exported(world, 'snapshot-1001-hits.csv');
  expect(readCsv(some.text)).toHaveLength(3);
  expect(some.message.text).toBe('2 of 37 hits (critical) of snapshot 1001, exported by <@U0BEN>');
  world.slack.remove(some.message);
  await chooseMore(world, message, 'Export all 37 hits as CSV');
  expect(readCsv((await exported(world, 'snapshot-1001-hits.csv')).text)).toHaveLength(38);
  await modal(world, 'The file is in the thread of the message.');
});

test.for(['1001', '1002', '1001 miss', '1001 certificate', 'compare 1010 1011', '1014 1016', '1014 1002'])(
  'The menu of “%s” has five entries at most, and the last one names some of what stands behind it, and that alone',
  async (line, { world }) => {
    const message = await ask(world, line);
    const entries = [...choicesOf(message, 'more').keys()];
    expect(entries.length).toBeLessThanOrEqual(5);
    const { view } = await moreOf(world, message);
    const behind = textsOf(view.blocks, 'plain_text');
    expect(entries.filter((entry) => behind.includes(entry))).toEqual([]);
    const named = /^(.+)…$/.exec(entries.at(-1) ?? '')?.[1] ?? '';
    for (const word of named.toLowerCase().split(', '))
      expect(behind.map((each) => each.toLowerCase())).toContainEqual(expect.stringMatching(`^${word}`));
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
    await chooseMore(world, message, 'Export 1 hit as CSV');
    const { text, message: reply } = await exported(world, 'snapshot-1012-hits.csv', '@ben');
    expect(readCsv(text)).toHaveLength(2);
    expect(reply.threadTs).toBeUndefined();
    const [before] = slack.messages('@ben', 'ben');
    expect(before?.text).toContain('Here is your export: 1 hit of snapshot 1012.');
    await modal(world, 'so I sent you the export as a direct message');
  });
}

test('Where the bot may not upload at all, whoever asked is told what is missing', async ({ open }) => {
  const world = await open({ slack: { scopes: ['commands', 'chat:write'] } });
  const message = await ask(world, '1012');
  await chooseMore(world, message, 'Export 1 hit as CSV');
  await modal(world, 'add the files:write permission');
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
    await chooseMore(world, message, 'Export 1 hit as CSV');
    await modal(world, 'Slack didn’t say whether it took the file');
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
  await chooseMore(world, message, 'Export 1 hit as CSV');
  await exported(world, 'snapshot-2001-hits.csv');
  expect(world.log.slice(before).join('')).not.toContain('evidence-of-this-very-device');
});

test('An upload that fails is told to whoever asked, and the next one works', async ({ world }) => {
  const message = await ask(world, '1012');
  world.slack.failNext('upload_url', { status: 500 });
  await chooseMore(world, message, 'Export 1 hit as CSV');
  await modal(world, 'Slack refused the file. Try again in a minute.');
  await chooseMore(world, message, 'Export 1 hit as CSV');
  await exported(world, 'snapshot-1012-hits.csv');
});
