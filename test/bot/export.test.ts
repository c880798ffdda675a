import { expect } from 'vitest';
import { choicesOf, chooseMore, modal, moreOf } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { exported } from '../support/exported.ts';
import { textsOf } from '../support/message-parts.ts';
import { readCsv } from '../support/read-csv.ts';

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
    await chooseMore(world, message, 'Export 37 hits as CSV');
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

test('What is exported is what is shown, or all', async ({ world }) => {
  const message = await ask(world, '1001 critical');
  expect([...choicesOf(message, MENU).keys()]).toEqual([
    'Search…',
    'What an upgrade fixes',
    'Text for the case',
    'Refresh',
    'Compare, watch, export…',
  ]);
  const more = await moreOf(world, message);
  expect(textsOf(more.view.blocks, 'plain_text')).toEqual([
    'Compare with…',
    'Browse privately',
    'Remind me to check again',
    'Watch…',
    'Export the 2 hits shown as CSV',
    'Export the 2 hits shown as Markdown',
    'Export all 37 hits as CSV',
  ]);
  await world.slack.closeView(more);
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
