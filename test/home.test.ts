import { expect, vi } from 'vitest';
import { ask, test as sequential } from './harness/conversation.ts';
import { textsOf } from './harness/message-parts.ts';
import { DM, MODES, reads, small } from './harness/places.ts';
import type { Workplace } from './harness/workplace.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };

/** The lines of a person's Home tab, as it is after opening it. */
async function home({ slack }: Workplace, user = 'ana'): Promise<string[]> {
  const before = slack.records.calls.filter(({ method }) => method === 'views.publish').length;
  expect(await slack.openHome(user)).toMatchObject({ acknowledged: true });
  await slack.waitFor(
    () => slack.records.calls.filter(({ method, status }) => method === 'views.publish' && status)[before],
    'the Home tab',
  );
  const blocks = slack.home(user)?.view.blocks;
  return [...textsOf(blocks, 'text'), ...textsOf(blocks, 'mrkdwn')];
}

for (const mode of MODES) {
  test(`The Home tab shows help, the lookups that wait and the recent ones with links, over ${mode}`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: PATIENT });
    workplace.service.shelve('2001', small({ forMs: 'forever' }));
    await workplace.slack.mention({ text: '2001' });
    const waiting = await reads(workplace, 'is still being processed');
    const done = await ask(workplace, '1001');
    await workplace.slack.command({ text: '1012', channel: 'C0SECRET' });
    await reads(workplace, '1 hit', { channel: 'C0SECRET' });
    await workplace.slack.command({ text: '1002', user: 'ben' });
    await reads(workplace, '180 checks');
    const lines = await home(workplace);
    expect(lines).toContain('/snapshot 26808463 hit');
    const listed = lines.filter((line) => line.includes('asked <!date'));
    const link = (ts: string) => `/p${ts.replace('.', '')}`;
    expect(listed).toEqual([
      expect.stringMatching(/^\*<.*\|2001>\* · ⏳ still waited for/),
      expect.stringMatching(/^\*1012\* · ✓ ready, 1 hit/),
      expect.stringMatching(/^\*<.*\|1001>\* · ✓ ready, 37 hits, 2 critical/),
    ]);
    expect(listed[0]).toContain(link(waiting.ts));
    expect(listed[2]).toContain(link(done.ts));
    workplace.service.shelve('2001', small());
    await reads(workplace, 'Snapshot 2001.*1 hit');
    // The list follows the message.
    await vi.waitFor(async () => {
      expect((await home(workplace)).join('\n')).toContain('|2001>* · ✓ ready, 1 hit');
    });
  });
}

test('The Home tab says how the login is, and never tries one', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  expect(await home(workplace)).toContainEqual(expect.stringContaining('logs in with the next lookup'));
  expect(workplace.service.records.logins).toEqual([]);
  await ask(workplace, '1012');
  expect(await home(workplace)).toContainEqual(expect.stringContaining('✓ It works.'));
  workplace.service.switches.loginRefused = true;
  workplace.service.expireSessions();
  await ask(workplace, '1002');
  expect(await home(workplace)).toContainEqual(expect.stringContaining('It is refused.'));
  expect(workplace.service.records.logins).toHaveLength(2);
});

test('The Home tab of somebody new has no lookups, and a button that asks for one', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  expect(await home(workplace, 'ben')).toContain('None in the last days.');
  const view = workplace.slack.home('ben');
  if (view === undefined) throw new Error('no Home tab');
  await workplace.slack.click({ view, actionId: 'open-look-up', user: 'ben' });
  const modal = await workplace.slack.waitFor(() => workplace.slack.modals('ben')[0], 'the modal');
  await workplace.slack.submit({ view: modal, values: { id: '1012' } });
  await workplace.slack.waitFor(
    () => workplace.slack.messages('@ben', 'ben').find(({ text }) => text.includes('1 hit')),
    'the answer',
  );
});

test('It lists the last ten, through a restart', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const ids = Array.from({ length: 12 }, (_, index) => String(3000 + index));
  for (const id of ids) {
    workplace.service.shelve(id, small());
    await workplace.slack.say({ text: id, channel: DM });
    await reads(workplace, `Snapshot ${id}`, { channel: DM });
  }
  await workplace.restart();
  const listed = (await home(workplace)).flatMap((line) => /\|(\d+)>\* · ✓/.exec(line)?.[1] ?? []);
  expect(listed).toEqual(ids.slice(2).toReversed());
});

test('Only the Home tab is drawn, not the Messages tab', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await home(workplace);
  const { calls } = workplace.slack.records;
  expect(calls.filter(({ method }) => method === 'views.publish')).toHaveLength(1);
});
