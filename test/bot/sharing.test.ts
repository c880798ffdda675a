import { expect } from 'vitest';
import { records, string } from '../emulators/slack/json.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { purposeOf } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** Opens the details of the first hit of a message. */
async function details(world: World, message: VisibleMessage, title: string): Promise<OpenView> {
  const open = world.slack.modals('ben').map(({ id }) => id);
  await world.slack.click({ message, actionId: 'details', user: 'ben' });
  return modal(world, (view) => purposeOf(view) === title && !open.includes(view.id));
}

/** Presses a button of a modal, and gives the modal once it has this title, or says this. */
async function press(world: World, view: OpenView, actionId: string, words: string): Promise<OpenView> {
  const delivery = await world.slack.click({ view, actionId, user: 'ben' });
  expect(delivery.acknowledged).toBe(true);
  return modal(
    world,
    (now) => purposeOf(now) === words || textsOf(now.view, 'mrkdwn').some((text) => text.includes(words)),
  );
}

/** Posts what is shared, once it is shown. */
async function share(world: World, view: OpenView, words = '✓ Shared in the thread'): Promise<OpenView> {
  const preview = await press(world, view, 'hit-share', 'Share in the thread');
  return press(world, preview, 'hit-post', words);
}

function modal({ slack }: World, isMeant: (view: OpenView) => boolean): Promise<OpenView> {
  return slack.waitFor(() => slack.modals('ben').find(isMeant), 'that modal');
}

function buttons({ view }: OpenView): string[] {
  return records(view.blocks)
    .flatMap(({ elements }) => records(elements))
    .map(({ action_id }) => string(action_id))
    .filter((id) => id.startsWith('hit-'));
}

/** Where in a window the row with this button stands. */
function rowOf({ view }: OpenView, actionId: string): number {
  return records(view.blocks).findIndex(({ elements }) =>
    records(elements).some(({ action_id }) => action_id === actionId),
  );
}

function inThread({ slack }: World, { channel, ts }: VisibleMessage): VisibleMessage[] {
  return slack.messages(channel).filter(({ threadTs }) => threadTs === ts);
}

test.for(['http', 'socket'] as const)(
  'Every hit is reached from inside the modal over %s, to the last and back',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    let view = await details(world, message, 'Hit 1 of 37');
    expect(buttons(view)).toEqual(['hit-next', 'hit-share', 'hit-accept']);
    // Whoever goes from hit to hit shares none by a tap beside the button.
    expect(rowOf(view, 'hit-share') - rowOf(view, 'hit-next')).toBeGreaterThan(1);
    const names = new Set<string>();
    for (let hit = 2; hit <= 37; hit += 1) {
      view = await press(world, view, 'hit-next', `Hit ${hit} of 37`);
      names.add(textsOf(view.view, 'text')[3] ?? '');
    }
    expect(names.size).toBe(36);
    expect(buttons(view)).toEqual(['hit-previous', 'hit-share', 'hit-accept']);
    await press(world, view, 'hit-previous', 'Hit 36 of 37');
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test.for(['http', 'socket'] as const)(
  'A hit is shared over %s under its message, once, with all that there is to act on',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1012');
    const view = await details(world, message, 'Hit 1 of 1');
    const preview = await press(world, view, 'hit-share', 'Share in the thread');
    expect(inThread(world, message)).toEqual([]);
    const back = await press(world, preview, 'hit-back', 'Hit 1 of 1');
    const done = await share(world, back);
    expect(buttons(done)).toEqual(['hit-accept']);
    const [shared, ...others] = inThread(world, message);
    expect(others).toEqual([]);
    expect(shared?.text).toContain('Snapshot 1012 · edge-7.example.com: Medium · H770025-1');
    expect(textsOf(shared?.blocks, 'mrkdwn').join()).toContain('shared by <@U0BEN>');
    expect(shared && offers(shared)).toEqual(['solution-0', 'details']);
    const drawn = textsOf(preview.view, 'text').join('\n');
    for (const line of textsOf(shared?.blocks, 'text')) expect(drawn).toContain(line);
    expect(message).toEqual(world.slack.messages(SUPPORT).find(({ ts }) => ts === message.ts));
  },
);

test('The details of a shared hit are shared into the same thread', async ({ world }) => {
  const message = await ask(world, '1001');
  const first = await details(world, message, 'Hit 1 of 37');
  await share(world, first);
  const [shared] = inThread(world, message);
  if (shared === undefined) throw new Error('nothing was shared');
  const again = await details(world, shared, 'Hit 1 of 37');
  const second = await press(world, again, 'hit-next', 'Hit 2 of 37');
  await share(world, second);
  expect(inThread(world, message)).toHaveLength(2);
});

test('A hit that Slack does not take is told in the modal, and can be shared later', async ({ world }) => {
  const message = await ask(world, '1012');
  const view = await details(world, message, 'Hit 1 of 1');
  world.slack.leave(SUPPORT);
  const refused = await share(world, view, 'I can’t post there.');
  world.slack.join(SUPPORT);
  await share(world, refused);
  expect(inThread(world, message)).toHaveLength(1);
});

test('The modal goes through the hits that the message shows', async ({ world }) => {
  const message = await ask(world, '1001 high');
  const view = await details(world, message, 'Hit 1 of 11');
  const next = await press(world, view, 'hit-next', 'Hit 2 of 11');
  expect(textsOf(next.view, 'text')[3]).toMatch(/^▲ High · /);
});

test('A hit that Slack takes without saying so is not called refused', async ({ world }) => {
  const message = await ask(world, '1012');
  const view = await details(world, message, 'Hit 1 of 1');
  world.slack.failNext('chat.postMessage', 'lost-response');
  const unsure = await share(world, view, 'look in the thread before you share again');
  expect(inThread(world, message)).toHaveLength(1);
  await share(world, unsure);
});
