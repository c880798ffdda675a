import { expect } from 'vitest';
import { MODES, reads, small } from '../support/bot-messages.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** A lookup in the list ends with when it was asked for. */
const LISTED = /\n.* · <!date/;

/** The lines of a person's Home tab, as it is after opening it. */
async function home({ slack }: World, user = 'ana'): Promise<string[]> {
  const before = slack.records.calls.filter(({ method }) => method === 'views.publish').length;
  expect(await slack.openHome(user)).toMatchObject({ acknowledged: true });
  await slack.waitFor(
    () => slack.records.calls.filter(({ method, status }) => method === 'views.publish' && status)[before],
    'the Home tab',
  );
  const blocks = slack.home(user)?.view.blocks;
  return [...textsOf(blocks, 'text'), ...textsOf(blocks, 'mrkdwn')];
}

test.for(MODES)(
  'The Home tab shows help, the lookups that wait and the recent ones with links, over %s',
  async (mode, { open }) => {
    const world = await open({ mode });
    world.service.shelve('2001', small({ forMs: 'forever' }));
    await world.slack.mention({ text: '2001' });
    const waiting = await reads(world, 'is still being processed');
    const done = await ask(world, '1001');
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    await reads(world, '1 hit', { channel: 'C0SECRET' });
    await ask(world, '1014 1008');
    await world.slack.command({ text: '1002', user: 'ben' });
    await reads(world, '180 checks');
    const lines = await home(world);
    expect(lines).toContain('/snapshot 26808463 miss');
    const listed = lines.filter((line) => LISTED.test(line));
    const link = (ts: string) => `/p${ts.replace('.', '')}`;
    expect(listed).toEqual([
      expect.stringMatching(/^\*<.*\|2001>\*\n⌛ In progress/),
      expect.stringMatching(
        /\|1014, 1008>\*\n✓ Ready: lb-a: 31 hits, 1 critical; &lt;!channel&gt;: 21 hits, 1 with match not stated · <!date/,
      ),
      expect.stringMatching(/^\*1012\* · edge-7\.example\.com\n✓ Ready: 1 hit/),
      expect.stringMatching(/^\*<.*\|1001>\* · edge-7\.example\.com\n✓ Ready: 37 hits, 2 critical/),
    ]);
    expect(listed[0]).toContain(link(waiting.ts));
    expect(listed[3]).toContain(link(done.ts));
    world.service.shelve('2001', small());
    await reads(world, 'Snapshot 2001.*1 hit');
    // The list follows the message.
    await eventually(async () =>
      expect((await home(world)).join('\n')).toMatch(/\|2001>\*.*\n✓ Ready: 1 hit/),
    );
  },
);

test('The Home tab says how the login is, and never tries one', async ({ world }) => {
  expect(await home(world)).toContainEqual(expect.stringContaining('The next lookup logs in.'));
  expect(world.service.records.logins).toEqual([]);
  await ask(world, '1012');
  expect(await home(world)).toContainEqual(expect.stringContaining('✓ Logged in.'));
  world.service.switches.loginRefused = true;
  world.service.expireSessions();
  await ask(world, '1002');
  expect(await home(world)).toContainEqual(
    expect.stringContaining('The service rejected the bot’s account, or its session.'),
  );
  expect(world.service.records.logins).toHaveLength(2);
});

test('The Home tab of somebody new has no lookups, and a button that asks for one', async ({ world }) => {
  expect(await home(world, 'ben')).toContain('Nothing in the last few days.');
  const view = world.slack.home('ben');
  if (view === undefined) throw new Error('no Home tab');
  await world.slack.click({ view, actionId: 'open-look-up', user: 'ben' });
  const modal = await world.slack.waitFor(() => world.slack.modals('ben')[0], 'the modal');
  await world.slack.submit({ view: modal, values: { id: '1012' } });
  await world.slack.waitFor(
    () => world.slack.messages('@ben', 'ben').find(({ text }) => text.includes('1 hit')),
    'the answer',
  );
});
