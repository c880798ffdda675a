import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot, reads, settled, small, writes } from '../support/bot-messages.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

const ALLOWED = { ALLOWED_APPS: 'A0OTHER, A0INTAKE' };
const APP = { user: 'case-intake' };
const WORKFLOW = { ...APP, isWorkflow: true } as const;

test.for([
  ['an app', APP],
  ['a workflow', WORKFLOW],
] as const)('A mention by %s in ALLOWED_APPS is answered in its thread', async ([, by], { open }) => {
  const world = await open({
    variables: { ...ALLOWED, ALLOWED_CHANNELS: SUPPORT, ALLOWED_USERGROUPS: 'S0ONCALL' },
  });
  const { message, deliveries } = await world.slack.mention({
    ...by,
    text: 'New intake of edge-1: snapshot 1012',
  });
  expect(deliveries[0]).toMatchObject({ acknowledged: true });
  const answer = await reads(world, '1 hit');
  expect(answer.threadTs).toBe(message.ts);
  expect(textsOf(answer.blocks, 'mrkdwn').join()).toContain('Asked by an app');
  await world.slack.click({ message: answer, actionId: 'own', user: 'ana' });
  await world.slack.waitFor(() => {
    const [now] = fromBot(world).map(({ blocks }) => textsOf(blocks, 'mrkdwn').join());
    return now?.includes('<@U0ANA>') && now.includes('Asked by an app') ? now : undefined;
  }, 'the owner');
});

test('An app that is not allowed is not heard, and neither is the bot itself', async ({ open }) => {
  const world = await open({ variables: { ALLOWED_APPS: 'A0OTHER,A0SNAPSHOT' } });
  for (const user of ['case-intake', 'snapshot'])
    for (const more of [{}, { isWorkflow: true }] as const)
      await world.slack.mention({ ...more, user, text: '1001' });
  await ask(world, '1012');
  expect(writes(world)).toEqual(['chat.postMessage']);
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012']);
});

test('A private answer to an app is posted in its thread', async ({ open }) => {
  const world = await open({ variables: { ...ALLOWED, ALLOWED_CHANNELS: 'C0WARROOM' } });
  const refused = await world.slack.mention({ ...WORKFLOW, text: '1012' });
  expect((await reads(world, 'can’t be used in this conversation')).threadTs).toBe(refused.message.ts);
  await world.restart({ ALLOWED_CHANNELS: SUPPORT });
  for (const [text, words] of [
    ['10l2', 'Which snapshot?'],
    ['1012 me', 'Everyone sees the answer'],
    ['watch 1012', 'Only people can follow'],
  ] as const) {
    const { message } = await world.slack.mention({ ...APP, text });
    const { threadTs, ephemeral } = await reads(world, words);
    expect([threadTs, ephemeral]).toEqual([message.ts, undefined]);
  }
  expect(world.service.records.requests).toEqual([]);
});

test('In a channel that is shared with another company an app gets no result', async ({ open }) => {
  const world = await open({ variables: { ...ALLOWED, ALLOW_SHARED_CHANNELS: 'no' } });
  world.slack.join('partners', 'case-intake');
  const { message } = await world.slack.mention({ ...APP, channel: 'C0PARTNERS', text: '1012' });
  const refusal = await reads(world, 'shared with another company', { channel: 'C0PARTNERS' });
  expect(refusal.threadTs).toBe(message.ts);
  expect(world.service.records.requests).toEqual([]);
});

test('An app that asks too much is refused, and people are still answered', async ({ open }) => {
  const world = await open({ variables: { ...ALLOWED, COMMANDS_PER_MINUTE: '2' } });
  for (const text of ['1001', '1002', '1012']) await world.slack.mention({ ...APP, text });
  await reads(world, 'more than Snapshot answers in a minute');
  await world.slack.command({ text: '1011', channel: SUPPORT });
  for (const id of ['1001', '1002', '1011']) await reads(world, `^Snapshot ${id} `);
  expect(world.service.records.requests.map(({ id }) => id).sort()).toEqual(['1001', '1002', '1011']);
});

/** Lets a workflow mention a snapshot that is still being processed, and returns the waiting message. */
async function workflowWaits(world: World): Promise<VisibleMessage> {
  world.service.shelve('2001', small({ forMs: 'forever' }));
  await world.slack.mention({ ...WORKFLOW, text: '2001' });
  return reads(world, '2001 is still being processed');
}

test('The end of a long wait of an app mentions the people who asked to be told, and not the app', async ({
  open,
}) => {
  const world = await open({ variables: ALLOWED, timing: { notifyAfterMs: 0 } });
  await world.slack.click({ message: await workflowWaits(world), actionId: 'tell-me-too', user: 'ben' });
  world.service.shelve('2001', small());
  expect((await reads(world, 'Snapshot 2001 is ready')).text).toMatch(/^<@U0BEN> Snapshot/);
  await settled(world);
  expect(fromBot(world).filter(({ text }) => text.includes('A0INTAKE'))).toEqual([]);
});

test('Anybody can cancel the wait of an app', async ({ open }) => {
  const world = await open({ variables: ALLOWED });
  await world.slack.click({ message: await workflowWaits(world), actionId: 'cancel', user: 'ben' });
  await reads(world, 'lookup of snapshot 2001 was cancelled');
});

test('An app that is taken off ALLOWED_APPS while it waits gets no result', async ({ open }) => {
  const world = await open({ variables: ALLOWED });
  await workflowWaits(world);
  await world.restart({ ALLOWED_APPS: 'A0OTHER' });
  world.service.shelve('2001', small());
  await reads(world, 'Snapshot 2001 is ready, but can’t be shown here');
});
