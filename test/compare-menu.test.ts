import { expect } from 'vitest';
import { choicesOf, choose, modal } from './harness/clicking.ts';
import { ask, finals, offers, SUPPORT, test as sequential, shown } from './harness/conversation.ts';
import { textsOf } from './harness/message-parts.ts';
import type { Workplace } from './harness/workplace.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const SHOW = 'show';
const MENU = 'more';
const COUNTS = '3 new · 2 changed importance · 20 cleared · 8 unchanged · 30 hits before, 13 after';

/** Opens "Compare with…" of a message and fills it in. */
async function compareWith(
  workplace: Workplace,
  message: VisibleMessage,
  values: Record<string, string>,
): Promise<void> {
  await choose(workplace, message, MENU, 'Compare with…');
  const view = await modal(workplace, 'Compare snapshot');
  const delivery = await workplace.slack.submit({ view, values });
  expect(delivery.acknowledged).toBe(true);
}

test('“Compare with…” asks for the other snapshot, and answers in a new message', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1011');
  await compareWith(workplace, message, { 'other-id': ' <https://diagnostics.example.com/1010/hits> ' });
  expect(workplace.slack.modals('ben')).toEqual([]);
  const comparison = await shown(workplace, `Snapshots 1010 → 1011: ${COUNTS}`);
  expect(comparison.threadTs).toBeUndefined();
  expect(textsOf(comparison.blocks, 'mrkdwn').join()).toContain('asked by <@U0BEN>');
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(2);
});

test('“Compare with…” takes a later snapshot too', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1010');
  await compareWith(workplace, message, { 'other-id': '1011', 'other-side': 'after' });
  await shown(workplace, `Snapshots 1010 → 1011: ${COUNTS}`);
});

test('In a thread, “Compare with…” answers in that thread', async ({ open }) => {
  const workplace = await open();
  const { message: parent } = await workplace.slack.say({ text: 'Look at 1011, please.' });
  await workplace.slack.mention({ text: '1011', threadTs: parent.ts });
  const message = await shown(workplace, 'Snapshot 1011');
  await compareWith(workplace, message, { 'other-id': '1010' });
  expect((await shown(workplace, `Snapshots 1010 → 1011: ${COUNTS}`)).threadTs).toBe(parent.ts);
});

test('What is no other id is said inside the modal, which stays open', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1011');
  await choose(workplace, message, MENU, 'Compare with…');
  for (const [typed, problem] of [
    ['<b>', '“b” is not a snapshot id.'],
    ['1011', 'This is the snapshot itself: type the id of another one.'],
    ['help', 'Please type one snapshot id, or a link to a snapshot.'],
    ['compare 1010 1012', 'Please type one snapshot id, or a link to a snapshot.'],
    ['1010 1012', 'One snapshot at a time, please, or “compare” and two of them.'],
  ] as const) {
    const view = await modal(workplace, 'Compare snapshot 1011 with');
    await workplace.slack.submit({ view, values: { 'other-id': typed } });
    expect(workplace.slack.modals('ben')[0]?.errors).toEqual({ 'other-id': problem });
  }
  expect(finals(workplace)).toHaveLength(1);
});

test('A modal that is delivered twice compares once', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1011');
  await choose(workplace, message, MENU, 'Compare with…');
  const view = await modal(workplace, 'Compare snapshot');
  const delivery = await workplace.slack.submit({ view, values: { 'other-id': '1010' } });
  await shown(workplace, 'Snapshots 1010 → 1011');
  await workplace.slack.redeliver(delivery);
  // What was accepted is done before the bot stops.
  await workplace.stopBot();
  expect(finals(workplace)).toHaveLength(2);
});

test('Where the bot is no member, a comparison from the menu comes as a direct message', async ({ open }) => {
  const workplace = await open();
  await workplace.slack.command({ text: '1011', channel: 'secret', user: 'ben' });
  const message = await workplace.slack.waitFor(
    () => workplace.slack.messages('secret', 'ben')[0],
    'a private answer',
  );
  await compareWith(workplace, message, { 'other-id': '1010' });
  await workplace.slack.waitFor(
    () => workplace.slack.messages('@ben', 'ben').find(({ text }) => text.includes(COUNTS)),
    'a direct message',
  );
});

test('A comparison offers no comparison, but pages, kinds, refresh and export', async ({ open }) => {
  const message = await ask(await open(), 'compare 1010 1011');
  expect(offers(message).filter((id) => !/^(?:details|solution)/.test(id))).toEqual([
    'page-next',
    SHOW,
    MENU,
  ]);
  expect([...choicesOf(message, MENU).keys()]).toEqual([
    'Refresh: read it anew',
    'Export the 25 hits shown as CSV',
    'Export the 25 hits shown as Markdown',
    'Export all 33 hits as CSV',
  ]);
});
