import { expect } from 'vitest';
import { choicesOf, choose, told } from './harness/clicking.ts';
import { ask, SUPPORT, test as sequential, shown } from './harness/conversation.ts';
import { exported } from './harness/exported.ts';
import { forget } from './harness/forget.ts';
import { readCsv } from './harness/read-csv.ts';

const test = sequential.concurrent;
const MENU = 'more';
test('An export works after a restart, and when nothing is kept any more', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1012');
  await workplace.restart();
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  await exported(workplace, 'snapshot-1012-hits.csv');
  expect(workplace.service.records.requests).toHaveLength(1);
  await forget(workplace);
  await choose(workplace, message, MENU, 'Export 1 hit as Markdown');
  await exported(workplace, 'snapshot-1012-hits.md');
  expect(workplace.service.records.requests).toHaveLength(2);
  workplace.service.shelve('1012', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await forget(workplace);
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  await told(workplace, SUPPORT, 'The service no longer has snapshot 1012');
});

for (const [place, channel] of [
  ['a private channel without the bot', 'secret'],
  ['a channel that the bot has left', 'support'],
] as const) {
  test(`In ${place}, an export comes as a direct message, and that is said`, async ({ open }) => {
    const workplace = await open();
    const { slack } = workplace;
    await slack.command({ text: '1012', channel, user: 'ben' });
    const message = await slack.waitFor(() => slack.messages(channel, 'ben')[0], 'an answer');
    if (channel === 'support') slack.leave(channel);
    await choose(workplace, message, MENU, 'Export 1 hit as CSV');
    const { text, message: reply } = await exported(workplace, 'snapshot-1012-hits.csv', '@ben');
    expect(readCsv(text)).toHaveLength(2);
    const above = slack.messages('@ben', 'ben').find(({ ts }) => ts === reply.threadTs);
    expect(above?.text).toContain('Here is the export that you asked for: 1 hit of snapshot 1012.');
    await told(workplace, message.channel, 'so it has sent you the export as a direct message');
  });
}

test('In a thread, an export goes into that thread', async ({ open }) => {
  const workplace = await open();
  const { message: parent } = await workplace.slack.say({ text: 'Look at 1012, please.' });
  await workplace.slack.mention({ text: '1012', threadTs: parent.ts });
  const message = await shown(workplace, 'Snapshot 1012');
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  expect((await exported(workplace, 'snapshot-1012-hits.csv')).message.threadTs).toBe(parent.ts);
});

test('Where the bot may not upload at all, whoever asked is told what is missing', async ({ open }) => {
  const workplace = await open({ slack: { scopes: ['commands', 'chat:write'] } });
  const message = await ask(workplace, '1012');
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  await told(workplace, SUPPORT, 'the permission is called files:write');
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
});

test('An upload that fails is told to whoever asked, and the next one works', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1012');
  workplace.slack.failNext('upload_url', { status: 500 });
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  await told(workplace, SUPPORT, 'Slack did not take the file. Try again in a minute.');
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  await exported(workplace, 'snapshot-1012-hits.csv');
});

test('The same click delivered twice exports once', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1012');
  const value = choicesOf(message, MENU).get('Export 1 hit as CSV') ?? '';
  const delivery = await workplace.slack.click({ message, actionId: MENU, value, user: 'ben' });
  await exported(workplace, 'snapshot-1012-hits.csv');
  await workplace.slack.redeliver(delivery);
  await choose(workplace, message, MENU, 'Refresh');
  await workplace.slack.waitFor(
    () => workplace.slack.messages(SUPPORT).find(({ edited }) => edited),
    'an edit',
  );
  const uploads = workplace.slack.records.calls.filter(
    ({ method }) => method === 'files.getUploadURLExternal',
  );
  expect(uploads).toHaveLength(1);
});

test('What is exported is in no line of the log', async ({ open }) => {
  const workplace = await open({ variables: { LOG_LEVEL: 'trace' } });
  const diagnostics = [{ name: 'D1', match: true, outputs: ['evidence-of-this-very-device'] }];
  workplace.service.shelve('2001', {
    title: 'One',
    purpose: 'Written by a test.',
    document: { diagnostics },
  });
  const message = await ask(workplace, '2001');
  const before = workplace.log.length;
  await choose(workplace, message, MENU, 'Export 1 hit as CSV');
  await exported(workplace, 'snapshot-2001-hits.csv');
  expect(workplace.log.slice(before).join('')).not.toContain('evidence-of-this-very-device');
});
