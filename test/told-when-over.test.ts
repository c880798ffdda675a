import { expect, vi } from 'vitest';
import { SUPPORT, test as sequential } from './harness/conversation.ts';
import { DM, fromBot, MODES, reads, settled, small } from './harness/places.ts';
import type { Workplace } from './harness/workplace.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';
import { mentionedIn } from './stand-ins/slack/paging.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };
/** Every wait is a long one. */
const LONG = { ...PATIENT, tellAfterMs: 0 };
const TELL_ME = 'tell-me-too';

/** The replies that mention somebody. */
function replies(workplace: Workplace, channel = SUPPORT): VisibleMessage[] {
  return fromBot(workplace, channel).filter(({ text }) => text.startsWith('<@'));
}

async function waitFor2001(workplace: Workplace, user = 'ana'): Promise<VisibleMessage> {
  workplace.service.shelve('2001', small({ forMs: 'forever' }));
  await workplace.slack.command({ text: '2001', user });
  return reads(workplace, 'is still being processed');
}

for (const mode of MODES) {
  test(`A long wait ends with one reply in the thread, which mentions who waited, over ${mode}`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: LONG });
    const waiting = await waitFor2001(workplace);
    await workplace.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await workplace.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await reads(workplace, 'You will be mentioned', { viewer: 'ben' });
    workplace.service.shelve('2001', small());
    const reply = await reads(workplace, 'is ready: 1 hit');
    expect(reply.text).toBe('<@U0ANA> <@U0BEN> Snapshot 2001 is ready: 1 hit.');
    expect(reply.threadTs).toBe(waiting.ts);
    expect(mentionedIn('', reply.blocks)).toEqual([]);
    expect(JSON.stringify(reply.blocks).match(/U0\w+/g)).toEqual(['U0ANA', 'U0BEN']);
    expect((await reads(workplace, '^Snapshot 2001.*1 hit')).ts).toBe(waiting.ts);
  });

  test(`A wait goes through a refresh of the socket and a restart, and is told once, over ${mode}`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: LONG });
    const waiting = await waitFor2001(workplace);
    await workplace.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await reads(workplace, 'You will be mentioned', { viewer: 'ben' });
    workplace.slack.disconnectSockets('refresh_requested');
    await workplace.restart();
    workplace.service.shelve('2001', small());
    await reads(workplace, '<@U0ANA> <@U0BEN> Snapshot 2001 is ready');
    await workplace.restart();
    await workplace.slack.command({ text: '1002' });
    await reads(workplace, '180 checks');
    expect(replies(workplace)).toHaveLength(1);
  });
}

test('Critical hits are counted in the reply', async ({ open }) => {
  const workplace = await open({ timing: LONG });
  workplace.service.nextAnswers([{ status: 202, headers: { 'content-type': 'text/plain' }, body: 'Busy.' }]);
  await workplace.slack.command({ text: '1001' });
  expect((await reads(workplace, 'is ready')).text).toBe(
    '<@U0ANA> Snapshot 1001 is ready: 37 hits, 2 critical.',
  );
});

test('A short wait ends with the edit alone, unless somebody asked to be told', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await waitFor2001(workplace);
  workplace.service.shelve('2001', small());
  await reads(workplace, '1 hit');
  workplace.service.shelve('2002', small({ forMs: 'forever' }));
  await workplace.slack.command({ text: '2002' });
  const waiting = await reads(workplace, 'Snapshot 2002 is still');
  await workplace.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
  await reads(workplace, 'You will be mentioned', { viewer: 'ben' });
  workplace.service.shelve('2002', small());
  expect((await reads(workplace, 'is ready')).text).toBe('<@U0BEN> Snapshot 2002 is ready: 1 hit.');
  expect(replies(workplace)).toHaveLength(1);
});

test('Who asked for the same there is told too; nobody twice', async ({ open }) => {
  const workplace = await open({ timing: LONG });
  const waiting = await waitFor2001(workplace);
  await settled(workplace);
  for (const user of ['ben', 'ben', 'ana']) await workplace.slack.command({ text: '2001', user });
  await workplace.slack.click({ message: waiting, actionId: TELL_ME });
  await reads(workplace, 'You asked for it');
  workplace.service.shelve('2001', small());
  expect((await reads(workplace, 'is ready')).text).toBe('<@U0ANA> <@U0BEN> Snapshot 2001 is ready: 1 hit.');
});

test('A wait in a thread ends with a reply in that thread, and one in the direct messages there', async ({
  open,
}) => {
  const workplace = await open({ timing: LONG });
  workplace.service.shelve('2001', small({ forMs: 400 }));
  const { message: parent } = await workplace.slack.say({ text: 'edge-7 is down' });
  await workplace.slack.mention({ text: '2001', threadTs: parent.ts });
  expect((await reads(workplace, 'is ready')).threadTs).toBe(parent.ts);
  workplace.service.shelve('2002', small({ forMs: 400 }));
  await workplace.slack.say({ text: '2002', channel: DM });
  const reply = await reads(workplace, 'is ready', { channel: DM });
  expect(reply.threadTs).toBe(fromBot(workplace, DM)[0]?.ts);
});

test('A wait that fails, is given up or is not ready in time is told too', async ({ open }) => {
  const workplace = await open({ timing: LONG });
  const waiting = await waitFor2001(workplace);
  workplace.service.shelve('2001', { title: 'Gone', purpose: 'Not there.', status: 403 });
  await reads(workplace, '<@U0ANA> Snapshot 2001 could not be read.');
  workplace.service.shelve('2001', small({ forMs: 'forever' }));
  await workplace.slack.command({ text: '2001', channel: 'C0WARROOM' });
  const there = await reads(workplace, 'is still being processed', { channel: 'C0WARROOM' });
  await workplace.slack.click({ message: there, actionId: TELL_ME, user: 'ben' });
  await reads(workplace, 'You will be mentioned', { channel: 'C0WARROOM', viewer: 'ben' });
  await workplace.slack.click({ message: there, actionId: 'cancel' });
  const stopped = await reads(workplace, 'any more', { channel: 'C0WARROOM' });
  expect(stopped.text).toBe(
    '<@U0BEN> Nobody waits for snapshot 2001 any more: whoever asked for it stopped.',
  );
  expect(waiting.ts).not.toBe(there.ts);
  await workplace.restart({ WAIT_LIMIT_MINUTES: '0.01' });
  await workplace.slack.command({ text: '2001', user: 'ben' });
  await reads(workplace, '<@U0BEN> Snapshot 2001 is still not ready.');
});

test('Whoever stopped the wait needs no telling', async ({ open }) => {
  const workplace = await open({ timing: LONG });
  const waiting = await waitFor2001(workplace);
  await workplace.slack.click({ message: waiting, actionId: 'cancel' });
  await reads(workplace, 'Stopped waiting');
  await workplace.slack.command({ text: '1002' });
  await reads(workplace, '<@U0ANA> Snapshot 1002 is ready');
  expect(replies(workplace)).toHaveLength(1);
});

test('A reply whose confirmation is lost is not posted twice', async ({ open }) => {
  const workplace = await open({ timing: LONG });
  await waitFor2001(workplace);
  workplace.service.shelve('2001', small());
  workplace.slack.failNext('chat.postMessage', 'lost-response');
  await reads(workplace, 'is ready');
  await workplace.slack.waitFor(
    () => workplace.slack.records.calls.find(({ method }) => method === 'conversations.replies'),
    'the bot to look for it',
  );
  await workplace.restart();
  await workplace.slack.command({ text: '1002', channel: 'C0WARROOM' });
  await reads(workplace, '180 checks', { channel: 'C0WARROOM' });
  expect(replies(workplace)).toHaveLength(1);
});

test('A reply that Slack will never take does not hold the answer up', async ({ open }) => {
  const workplace = await open({ timing: LONG });
  await waitFor2001(workplace);
  workplace.slack.failNext('chat.postMessage', { error: 'restricted_action' });
  workplace.service.shelve('2001', small());
  const untold = 'Slack will not take the end of a wait';
  await vi.waitFor(() => expect(workplace.log.join('')).toContain(untold));
  await reads(workplace, '1 hit');
  expect(replies(workplace)).toEqual([]);
});
