import { expect } from 'vitest';
import { ask, offers, SUPPORT, test as sequential, shown } from './harness/conversation.ts';
import { forget } from './harness/forget.ts';
import { textsOf } from './harness/message-parts.ts';
import type { Workplace } from './harness/workplace.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const NEXT = 'page-next';
const PREVIOUS = 'page-previous';

/** Presses a button, and gives the message when it shows the page. */
async function turned(
  workplace: Workplace,
  message: VisibleMessage,
  actionId: string,
  page: string,
  user = 'ana',
): Promise<VisibleMessage> {
  const delivery = await workplace.slack.click({ message, actionId, user });
  expect(delivery.acknowledged).toBe(true);
  return workplace.slack.waitFor(
    () =>
      workplace.slack
        .messages(message.channel)
        .find(({ ts, blocks }) => ts === message.ts && pageOf(blocks) === page),
    page,
  );
}

function pageOf(blocks: VisibleMessage['blocks']): string | undefined {
  return textsOf(blocks, 'mrkdwn')
    .join(' ')
    .match(/Page \d+ of \d+/)?.[0];
}

for (const mode of ['http', 'socket'] as const) {
  test(`Pages turn in the same message for anyone over ${mode}, without a request`, async ({ open }) => {
    const workplace = await open({ mode });
    const first = await ask(workplace, '1001');
    expect(pageOf(first.blocks)).toBe('Page 1 of 8');
    expect(offers(first)).toContain(NEXT);
    expect(offers(first)).not.toContain(PREVIOUS);
    const second = await turned(workplace, first, NEXT, 'Page 2 of 8', 'ben');
    expect(second.text).toContain('· page 2 of 8\n');
    expect(textsOf(second.blocks, 'mrkdwn').join()).toContain('asked by <@U0ANA>');
    const back = await turned(workplace, second, PREVIOUS, 'Page 1 of 8');
    expect(back.blocks.slice(0, -1)).toEqual(first.blocks.slice(0, -1));
    expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
    expect(workplace.service.records.requests).toHaveLength(1);
  });
}

test('The last page offers no next one, and all pages together hold every hit once', async ({ open }) => {
  const workplace = await open();
  let message = await ask(workplace, '1001 hit');
  const lines = message.text.split('\n').slice(1);
  for (let page = 2; page <= 8; page += 1) {
    message = await turned(workplace, message, NEXT, `Page ${page} of 8`);
    lines.push(...message.text.split('\n').slice(1));
  }
  expect(offers(message)).not.toContain(NEXT);
  expect(new Set(lines).size).toBe(37);
  expect(lines).toHaveLength(37);
});

test('Pages of passed checks turn too', async ({ open }) => {
  const workplace = await open();
  const first = await ask(workplace, '1001 miss');
  const second = await turned(workplace, first, NEXT, 'Page 2 of 9');
  expect(second.text).toContain('210 checks passed');
});

test('A page turns after a restart, from what was kept', async ({ open }) => {
  const workplace = await open();
  const first = await ask(workplace, '1001');
  await workplace.restart();
  await turned(workplace, first, NEXT, 'Page 2 of 8', 'ben');
  expect(workplace.service.records.requests).toHaveLength(1);
});

test('A page turns when nothing is kept any more: the result is read again', async ({ open }) => {
  const workplace = await open();
  const first = await ask(workplace, '1001');
  await forget(workplace);
  await turned(workplace, first, NEXT, 'Page 2 of 8', 'ben');
  expect(workplace.service.records.requests).toHaveLength(2);
});

test('A page that is beyond a result which became shorter shows the last one that there is', async ({
  open,
}) => {
  const workplace = await open();
  const first = await ask(workplace, '1010');
  const { 1011: shorter } = demoShelf();
  if (shorter === undefined) throw new Error('1011 is not on the shelf');
  const sixth = await [2, 3, 4, 5, 6].reduce(
    async (message, page) => turned(workplace, await message, NEXT, `Page ${page} of 6`),
    Promise.resolve(first),
  );
  workplace.service.shelve('1010', shorter);
  await forget(workplace);
  const last = await turned(workplace, sixth, PREVIOUS, 'Page 3 of 3');
  expect(last.text).toContain('13 hits');
});

test('A click whose result cannot be read is answered to the one who clicked, and the message stays', async ({
  open,
}) => {
  const workplace = await open();
  const first = await ask(workplace, '1001');
  await forget(workplace);
  workplace.service.shelve('1001', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await workplace.slack.click({ message: first, actionId: NEXT, user: 'ben' });
  const told = await workplace.slack.waitFor(
    () => workplace.slack.messages(SUPPORT, 'ben').find(({ ephemeral }) => ephemeral),
    'a private answer',
  );
  expect(told.text).toContain(
    'The service no longer has snapshot 1001, so the message stays as it was read.',
  );
  expect(workplace.slack.messages(SUPPORT)).toEqual([expect.objectContaining({ text: first.text })]);
});

test('A click while the snapshot is processed anew says so to the one who clicked', async ({ open }) => {
  const workplace = await open();
  const first = await ask(workplace, '1001');
  await forget(workplace);
  workplace.service.nextAnswers([{ status: 202 }]);
  await workplace.slack.click({ message: first, actionId: NEXT });
  const told = await shown(workplace, 'is processing snapshot 1001 anew');
  expect(told.ephemeral).toBe(true);
});

test('A page whose blocks Slack refuses is shown as text', async ({ open }) => {
  const workplace = await open();
  const first = await ask(workplace, '1001');
  workplace.slack.failNext('response_url', { status: 400 });
  await workplace.slack.click({ message: first, actionId: NEXT });
  const second = await shown(workplace, /page 2 of 8/);
  expect(second).toMatchObject({ ts: first.ts, blocks: [] });
});
