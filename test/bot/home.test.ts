import { expect } from 'vitest';
import { measures } from '../support/at-rest.ts';
import { MODES, reads, settled, small } from '../support/bot-messages.ts';
import { modal, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { follow } from '../support/following.ts';
import { home } from '../support/home.ts';
import { lookedUp } from '../support/own-devices.ts';

const test = sequential.concurrent;

test.for(MODES)(
  'The Home tab lists the last lookups that have ended with what matters, over %s',
  async (mode, { open }) => {
    const world = await open({ mode });
    world.service.shelve('2001', small({ forMs: 'forever' }));
    await world.slack.mention({ text: '2001' });
    const waiting = await reads(world, 'is still being processed');
    await settled(world);
    const done = await ask(world, '1001');
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    await reads(world, '1 hit', { channel: 'C0SECRET' });
    for (const text of ['1014 1008', 'compare 1010 1011', '1002', '1099']) await ask(world, text);
    await world.slack.command({ text: '1003', user: 'ben' });
    await reads(world, 'napshot 1003');
    const link = ({ ts }: { ts: string }) => `p${ts.replace('.', '')}`;
    const lines = await home(world);
    expect(lines.slice(lines.indexOf('My last lookups') + 1)).toEqual([
      expect.stringMatching(/^⚠️\u00a01099 p\d+\nNot found · /),
      expect.stringMatching(/^✅\u00a01002 · edge-2.example.com p\d+\nNo hits · /),
      expect.stringMatching(/^🔶\u00a01010 → 1011 · edge-10.example.com p\d+\n\d+ cleared, 3 new · /),
      expect.stringMatching(/^🔴\u00a01014, 1008 p\d+\n\d+ critical, \d+ high in 2 snapshots · /),
      expect.stringMatching(/^.\u00a01012 · edge-7\.example\.com\n1 \w+ · /u),
      expect.stringMatching(`^🔴\u00a01001 · edge-7.example.com ${link(done)}\n2 critical, 11 high · `),
    ]);
    world.service.shelve('2001', small());
    // The Home tab shows the result that the message shows.
    await eventually(async () =>
      expect((await home(world)).at(-1)).toMatch(
        `\u00a02001 · edge-7.example.com ${link(waiting)}\n1 medium · `,
      ),
    );
  },
);

test.for(['CVE-2020-1000', 'critical zzz', 'miss certificate', 'low'])(
  'The Home tab lists the whole analysis after a lookup with “%s”',
  async (words, { world }) => {
    await lookedUp(world, `1001 ${words}`);
    expect((await home(world)).at(-1)).toMatch(
      /^🔴\u00a01001 · edge-7.example.com p\d+\n2 critical, 11 high · /,
    );
  },
);

test.for([
  ['1011 1010', /^🔶\u00a01010 → 1011 · edge-10.example.com p\d+\n20 cleared, 3 new · /u],
  ['compare 1010 1012', /^🔴\u00a01010, 1012 p\d+\n1 critical, 9 high in 2 snapshots · /u],
  ['1012 1007', /^🟡\u00a01012, 1007 p\d+\n1 medium in 1 of 2 snapshots · /u],
] as const)('The Home tab lists “%s” as its message shows it', async ([text, line], { world }) => {
  await lookedUp(world, text);
  expect((await home(world)).at(-1)).toMatch(line);
});

test('The Home tab lists what a person follows, the latest first, and “Stop” ends it', async ({ world }) => {
  const message = await ask(world, 'watch 1010');
  await told(world, SUPPORT, 'I’ll tell you', 'ana');
  await follow(world, await ask(world, '1001'), 'tomorrow', 'ana');
  const lines = await home(world);
  // Each follow is followed by a line with its buttons.
  const [tomorrow, , onChange] = lines.slice(lines.indexOf('Following') + 1);
  expect(tomorrow).toMatch(/^1001 · edge-7.example.com p\d+\nReminder: \d{4}-/);
  expect(onChange).toMatch(
    `1010 · edge-10.example.com p${message.ts.replace('.', '')}\nWhen critical or high hits change · until `,
  );
  const view = world.slack.home('ana');
  if (view === undefined) throw new Error('no Home tab');
  await world.slack.click({ view, actionId: 'stop-1010', value: '1010', user: 'ana' });
  await measures(world, 'snapshot_bot_open_follows 1');
  await eventually(async () => expect((await home(world)).join()).not.toContain('When critical'));
});

test('"Help" on the Home tab opens it in a window', async ({ world }) => {
  await home(world);
  const view = world.slack.home('ana');
  if (view === undefined) throw new Error('no Home tab');
  await world.slack.click({ view, actionId: 'all-commands', user: 'ana' });
  await modal(world, '/snapshot 26808463', 'ana');
});

test('The Home tab says what is wrong with the login, and never tries one', async ({ world }) => {
  expect((await home(world)).join()).not.toContain('⚠');
  expect(world.service.records.logins).toEqual([]);
  await ask(world, '1012');
  expect((await home(world)).join()).not.toContain('⚠');
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
  const form = await world.slack.waitFor(() => world.slack.modals('ben')[0], 'the modal');
  await world.slack.submit({ view: form, values: { id: '1012' } });
  await world.slack.waitFor(
    () => world.slack.messages('@ben', 'ben').find(({ text }) => text.includes('1 hit')),
    'the answer',
  );
});
