import { expect } from 'vitest';
import { choose, reading, told } from './harness/clicking.ts';
import { ask, SUPPORT, test as sequential } from './harness/conversation.ts';
import { forget } from './harness/forget.ts';
import { objectsIn, textsOf } from './harness/message-parts.ts';
import type { Workplace } from './harness/workplace.ts';
import type { DocumentDiagnostic } from './stand-ins/diagnostics-service/document.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const MENU = 'more';

function shelve({ service }: Workplace, ...diagnostics: DocumentDiagnostic[]): void {
  service.shelve('2001', {
    title: 'Changes',
    purpose: 'Is another one after a while, as definitions are updated.',
    document: { diagnostics: diagnostics.map((each) => ({ match: true, importance: 'HIGH', ...each })) },
  });
}

function refresh(workplace: Workplace, message: VisibleMessage): Promise<void> {
  return choose(workplace, message, MENU, 'Refresh');
}

/** The seconds of the times that a message shows: of what it speaks of, and when it was read. */
function times({ blocks }: VisibleMessage): { since: number; read: number } {
  const since = objectsIn(blocks).find(({ type }) => type === 'date')?.timestamp;
  const read = /read <!date\^(\d+)/.exec(textsOf(blocks, 'mrkdwn').join())?.[1];
  return { since: Number(since), read: Number(read) };
}

for (const mode of ['http', 'socket'] as const) {
  test(`Refresh over ${mode} reads anew, in the same message, and says what changed since when`, async ({
    open,
  }) => {
    let ahead = 0;
    const workplace = await open({ mode, now: () => Date.now() + ahead });
    shelve(workplace, { name: 'D1' }, { name: 'D2' }, { name: 'D3' });
    const message = await ask(workplace, '2001');
    const made = times(message).read;
    shelve(workplace, { name: 'D1' }, { name: 'D3', importance: 'LOW' }, { name: 'D4' }, { name: 'D5' });
    ahead = 5_000;
    await refresh(workplace, message);
    const line = '2 new (D4, D5), 1 cleared (D2), 1 with another importance (D3) since';
    const fresh = await reading(workplace, message, line.replaceAll('(', '\\(').replaceAll(')', '\\)'));
    expect(textsOf(fresh.blocks, 'text')).toContain(`${line} `);
    expect(times(fresh)).toEqual({ since: made, read: expect.closeTo(made + 5, -1) });
    expect(times(fresh).read).toBeGreaterThanOrEqual(made + 5);
    expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
    expect(workplace.service.records.requests).toHaveLength(2);
  });
}

test('Refresh says that nothing changed, and when it was read', async ({ open }) => {
  let ahead = 0;
  const workplace = await open({ now: () => Date.now() + ahead });
  const message = await ask(workplace, '1001');
  ahead = 5_000;
  await refresh(workplace, message);
  const fresh = await workplace.slack.waitFor(
    () => workplace.slack.messages(SUPPORT).find(({ edited }) => edited),
    'an edit',
  );
  expect(textsOf(fresh.blocks, 'text')).toContain('Nothing changed since ');
  expect(times(fresh).read).toBeGreaterThan(times(message).read);
});

test('What changed is counted from when the message was made, also at the second time and on every page', async ({
  open,
}) => {
  const workplace = await open();
  const many = Array.from({ length: 12 }, (_, index) => ({ name: `M${index}` }));
  shelve(workplace, ...many);
  const message = await ask(workplace, '2001');
  shelve(workplace, ...many, { name: 'D4' });
  await refresh(workplace, message);
  const once = await reading(workplace, message, /1 new \(D4\) since/);
  shelve(workplace, ...many, { name: 'D4' }, { name: 'D5' });
  await refresh(workplace, once);
  const twice = await reading(workplace, message, /2 new \(D4, D5\) since/);
  await workplace.slack.click({ message: twice, actionId: 'page-next' });
  const turned = await reading(workplace, message, /page 2 of 3/);
  expect(turned.text).toContain('2 new (D4, D5) since');
});

test('A result that was read anew for a page says what changed too', async ({ open }) => {
  let ahead = 0;
  const workplace = await open({ now: () => Date.now() + ahead });
  const many = Array.from({ length: 12 }, (_, index) => ({ name: `M${index}` }));
  shelve(workplace, ...many);
  const message = await ask(workplace, '2001');
  shelve(workplace, ...many.slice(1));
  ahead = 20 * 60_000;
  await workplace.slack.click({ message, actionId: 'page-next' });
  expect((await reading(workplace, message, /page 2 of 3/)).text).toContain('1 cleared (M0) since');
});

test('Refresh works after a restart; where nothing is known of before, it says so', async ({ open }) => {
  const workplace = await open();
  shelve(workplace, { name: 'D1' });
  const message = await ask(workplace, '2001');
  shelve(workplace, { name: 'D2' });
  await workplace.restart();
  await refresh(workplace, message);
  const fresh = await reading(workplace, message, /1 new \(D2\), 1 cleared \(D1\) since/);
  await forget(workplace);
  await refresh(workplace, fresh);
  const later = await workplace.slack.waitFor(
    () => workplace.slack.messages(SUPPORT).find(({ text }) => !text.includes('since')),
    'a message without changes',
  );
  expect(textsOf(later.blocks, 'text').join('')).toContain('What changed since  is not known any more.');
});

test('A filter stays after a refresh, and says so when it finds nothing any more', async ({ open }) => {
  const workplace = await open();
  shelve(workplace, { name: 'D1', importance: 'CRITICAL' }, { name: 'D2' });
  const message = await ask(workplace, '2001 critical');
  shelve(workplace, { name: 'D2' }, { name: 'D3' });
  await refresh(workplace, message);
  const fresh = await reading(workplace, message, 'There are no critical hits: the filter hides all 2');
  await choose(workplace, fresh, 'filter', 'All hits (2)');
  await reading(workplace, message, /D2/);
});

test('Passed checks are refreshed in their own words', async ({ open }) => {
  const workplace = await open();
  shelve(workplace, { name: 'D1', match: false }, { name: 'D2', match: false });
  const message = await ask(workplace, '2001 miss');
  shelve(workplace, { name: 'D1', match: true }, { name: 'D2', match: false }, { name: 'D3', match: false });
  await refresh(workplace, message);
  await reading(workplace, message, /1 more passed \(D3\), 1 not passed any more \(D1\) since/);
});

test('A snapshot that is gone is told to the one who clicked, and the message stays', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1012');
  workplace.service.shelve('1012', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await refresh(workplace, message);
  const words = 'The service no longer has snapshot 1012, so the message stays as it was read.';
  await told(workplace, SUPPORT, words);
  expect(workplace.slack.messages(SUPPORT)).toEqual([message]);
});

test('A refresh while the snapshot is processed anew is told to the one who clicked', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, '1012');
  workplace.service.nextAnswers([{ status: 202 }]);
  await refresh(workplace, message);
  await told(workplace, SUPPORT, 'is processing snapshot 1012 anew');
  expect(workplace.slack.messages(SUPPORT)).toEqual([message]);
});
