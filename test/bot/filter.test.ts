import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choicesOf, choose, reading } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import { shelveHits } from '../support/shelved.ts';

const test = sequential.concurrent;
const FILTER = 'filter';

/** The levels of the hits that a message shows. */
function levels({ text }: VisibleMessage): string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(' · ')[0] ?? '');
}

test.for(['http', 'socket'] as const)(
  'A filter shows its hits in the same message over %s, and says what it hides',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    await choose(world, message, FILTER, '◆ Critical');
    const critical = await reading(world, message, 'Showing 2 critical hits, 35 others hidden');
    expect(levels(critical)).toEqual(['Critical', 'Critical']);
    expect(textsOf(critical.blocks, 'text')).toContain('Showing 2 critical hits, 35 others hidden');
    expect(textsOf(critical.blocks, 'text')).toContain('37 hits in 247 checks');
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test('Paging stays within a filter, and choosing a filter goes to its first page', async ({ world }) => {
  const message = await ask(world, '1001');
  await choose(world, message, FILTER, '● Medium');
  const first = await reading(world, message, 'hits 1–3 of 16');
  await world.slack.click({ message: first, actionId: 'page-next' });
  const second = await reading(world, message, 'hits 4–8 of 16');
  expect(new Set(levels(second))).toEqual(new Set(['Medium']));
  await choose(world, second, FILTER, '○ Low');
  expect((await reading(world, message, 'Showing 8 low hits')).text).toContain('hits 1–3 of 8');
});

test('An unknown level is offered as the service wrote it, and several unknown ones are one choice', async ({
  world,
}) => {
  const offering = async (...levels: string[]) => {
    shelveHits(world, ...['HIGH', ...levels].map((importance) => ({ name: `D${importance}`, importance })));
    const message = await ask(world, '2001');
    return { message, offered: [...choicesOf(message, FILTER).keys()].slice(2) };
  };
  expect((await offering('Catastrophic')).offered).toEqual(['□ Catastrophic (1)']);
  const { message, offered } = await offering('Level 1', 'Level 2');
  expect(offered).toEqual(['Other importance (2)']);
  await choose(world, message, FILTER, 'Other importance');
  const others = await reading(world, message, 'Showing 2 otherwise rated hits, 1 other hidden');
  expect(levels(others)).toEqual(['Level 1', 'Level 2']);
});

test('A filter stays through asking again after a fault', async ({ world }) => {
  world.service.nextAnswers([{ status: 404 }]);
  const failed = await ask(world, '1001 critical');
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  await reading(world, failed, 'Showing 2 critical hits');
});
