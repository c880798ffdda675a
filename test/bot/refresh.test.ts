import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choose, reading, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { forget } from '../support/forget.ts';
import { objectsIn, textsOf, valuesOf } from '../support/message-parts.ts';
import { shelveHits } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const MENU = 'more';

function refresh(world: World, message: VisibleMessage): Promise<void> {
  return choose(world, message, MENU, 'Refresh');
}

/** The times that a message shows, in epoch seconds: since when something changed, and when the result was read. */
function times({ blocks }: VisibleMessage): { since: number; read: number } {
  const since = objectsIn(blocks).find(({ type }) => type === 'date')?.timestamp;
  const read = /(?:read <!date\^|<!date\^(?=\d+\^read))(\d+)/.exec(textsOf(blocks, 'mrkdwn').join())?.[1];
  return { since: Number(since), read: Number(read) };
}

test.for(['http', 'socket'] as const)(
  'Refresh over %s reads anew, in the same message, and says what changed since when',
  async (mode, { open }) => {
    const world = await open({ mode });
    shelveHits(world, { name: 'D1' }, { name: 'D2' }, { name: 'D3' });
    const message = await ask(world, '2001');
    const made = times(message).read;
    shelveHits(world, { name: 'D1' }, { name: 'D3', importance: 'LOW' }, { name: 'D4' }, { name: 'D5' });
    world.clock.ahead = 5_000;
    await refresh(world, message);
    const line = '2 new (D4, D5), 1 cleared (D2), 1 rated differently (D3) since';
    const fresh = await reading(world, message, line.replaceAll('(', '\\(').replaceAll(')', '\\)'));
    expect(textsOf(fresh.blocks, 'text')).toContain(`${line} `);
    expect(times(fresh)).toEqual({ since: made, read: expect.closeTo(made + 5, -1) });
    expect(times(fresh).read).toBeGreaterThanOrEqual(made + 5);
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
    expect(world.service.records.requests).toHaveLength(2);
  },
);

test('What changed is counted from when the message was made, also at the second time and on every page', async ({
  world,
}) => {
  const many = Array.from({ length: 12 }, (_, index) => ({ name: `M${index}` }));
  shelveHits(world, ...many);
  const message = await ask(world, '2001');
  shelveHits(world, ...many, { name: 'D4' });
  await refresh(world, message);
  const once = await reading(world, message, /1 new \(D4\) since/);
  shelveHits(world, ...many, { name: 'D4' }, { name: 'D5' });
  await refresh(world, once);
  const twice = await reading(world, message, /2 new \(D4, D5\) since/);
  await world.slack.click({ message: twice, actionId: 'page-next' });
  const turned = await reading(world, message, /hits 4–8/);
  expect(turned.text).toContain('2 new (D4, D5) since');
});

test('Refresh works after a restart; where nothing is known of before, it says so', async ({ world }) => {
  shelveHits(world, { name: 'D1' });
  const message = await ask(world, '2001');
  shelveHits(world, { name: 'D2' });
  await world.restart();
  await refresh(world, message);
  const fresh = await reading(world, message, /1 new \(D2\), 1 cleared \(D1\) since/);
  await forget(world);
  await refresh(world, fresh);
  const later = await world.slack.waitFor(
    () => world.slack.messages(SUPPORT).find(({ text }) => !text.includes('since')),
    'a message without changes',
  );
  expect(textsOf(later.blocks, 'text').join('')).toContain('What changed since  is not known.');
});

test('Refreshing a snapshot that is gone tells who clicked, and the message stays', async ({ world }) => {
  const message = await ask(world, '1012');
  world.service.shelve('1012', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await refresh(world, message);
  const words = 'The service no longer has snapshot 1012, so this message can’t be updated.';
  await told(world, SUPPORT, words);
  expect(world.slack.messages(SUPPORT)).toEqual([message]);
});

test('What was read before such a refresh is kept for paging and details', async ({ world }) => {
  const message = await ask(world, '1001');
  world.service.nextAnswers([{ status: 202 }]);
  await refresh(world, message);
  await told(world, SUPPORT, 'is processing snapshot 1001.');
  await world.slack.click({ message, actionId: 'page-next' });
  const { blocks } = await shown(world, 'hits 4–');
  const [value] = valuesOf(blocks, 'details');
  await world.slack.click({ message, actionId: 'details', ...(value && { value }) });
  const modal = await world.slack.waitFor(() => world.slack.modals().at(-1), 'the details');
  expect(JSON.stringify(modal.view)).not.toContain('processing');
  expect(world.service.records.requests).toHaveLength(2);
});

test('Passed checks are refreshed in their own words', async ({ world }) => {
  shelveHits(world, { name: 'D1', match: false }, { name: 'D2', match: false });
  const message = await ask(world, '2001 miss');
  shelveHits(world, { name: 'D1', match: true }, { name: 'D2', match: false }, { name: 'D3', match: false });
  await refresh(world, message);
  await reading(world, message, /1 more passed \(D3\), 1 no longer passed \(D1\) since/);
});
