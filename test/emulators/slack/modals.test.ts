import { afterEach, beforeEach, expect, test } from 'vitest';
import { plain } from './blocks/samples.ts';
import type { Json } from './json.ts';
import { type BareBot, startBareBot } from './testing/bare-bot.ts';

let clock = 0;
let bareBot: BareBot;

beforeEach(async () => {
  clock = Date.UTC(2026, 10, 20);
  bareBot = await startBareBot({ now: () => clock });
});
afterEach(() => bareBot.close());

const options = ['hit', 'miss'].map((value) => ({ text: plain(value), value }));

function modal(changes: Json = {}): Json {
  return {
    type: 'modal',
    title: plain('Diagnose'),
    submit: plain('Go'),
    private_metadata: 'm',
    blocks: [
      {
        type: 'input',
        block_id: 'id',
        label: plain('Id'),
        element: { type: 'plain_text_input', action_id: 'text' },
      },
      { type: 'actions', block_id: 'set', elements: [{ type: 'static_select', action_id: 'set', options }] },
    ],
    ...changes,
  };
}

async function trigger(): Promise<unknown> {
  return (await bareBot.slack.shortcut({ callbackId: 'diagnose' })).payload.trigger_id;
}

async function opened() {
  await bareBot.call('views.open', { trigger_id: await trigger(), view: modal() });
  const [view] = bareBot.slack.modals();
  if (!view) throw new Error(`no modal: ${bareBot.slack.records.breaches.join()}`);
  return view;
}

test('a trigger opens one modal, and none after its three seconds', async () => {
  const first = await trigger();
  const open = (trigger_id: unknown) => bareBot.call('views.open', { trigger_id, view: modal() });
  expect(await open(first)).toMatchObject({ ok: true, view: { callback_id: '', private_metadata: 'm' } });
  expect(await open(first)).toMatchObject({ ok: false, error: 'exchanged_trigger_id' });
  expect(bareBot.slack.records.breaches).toHaveLength(1);
  const late = await trigger();
  clock += 60_000;
  expect(await open(late)).toMatchObject({ ok: false, error: 'expired_trigger_id' });
  expect(bareBot.slack.records.breaches).toHaveLength(1);
});

test.each([
  { name: 'a title of 25 characters', view: { title: plain('x'.repeat(25)) }, at: '/view/title/text' },
  { name: 'a submit of 25 characters', view: { submit: plain('x'.repeat(25)) }, at: '/view/submit/text' },
  { name: 'no submit beside an input', view: { submit: undefined }, at: '/view/submit' },
  {
    name: 'metadata of 3,001 characters',
    view: { private_metadata: 'x'.repeat(3001) },
    at: '/view/private_metadata',
  },
  { name: 'an unknown field', view: { colour: 'red' }, at: '/view' },
])('a modal with $name is refused', async ({ view, at }) => {
  const answer = await bareBot.call('views.open', { trigger_id: await trigger(), view: modal(view) });
  expect(answer).toMatchObject({ ok: false, error: 'invalid_arguments' });
  expect(JSON.stringify(answer.response_metadata)).toContain(`[json-pointer:${at}]`);
});

test('a view over 250 kB is refused', async () => {
  const text = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(2990) } };
  const view = modal({ blocks: Array.from({ length: 90 }, () => text) });
  const answer = await bareBot.call('views.open', { trigger_id: await trigger(), view });
  expect(answer).toMatchObject({ ok: false, error: 'view_too_large' });
});

test("a modal with an empty required input can't be submitted", async () => {
  await expect(bareBot.slack.submit({ view: await opened() })).rejects.toThrow('text is required');
});

test('views are updated by id; an old hash is a conflict, and a closed view is not found', async () => {
  const view = await opened();
  const update = (args: Json) => bareBot.call('views.update', { view_id: view.id, view: modal(), ...args });
  expect(await update({ hash: view.hash })).toMatchObject({ ok: true });
  expect(await update({ hash: view.hash })).toMatchObject({ ok: false, error: 'hash_conflict' });
  expect(await bareBot.slack.closeView(view)).toBeUndefined();
  expect(await update({})).toMatchObject({ ok: false, error: 'not_found' });
  expect(bareBot.slack.records.breaches).toEqual([]);
});

test('a modal can be pushed from a modal, three deep', async () => {
  for (const depth of [1, 2, 3]) {
    const view = depth === 1 ? await opened() : bareBot.slack.modals().at(-1);
    if (!view) throw new Error('no modal');
    const { payload } = await bareBot.slack.click({ view, actionId: 'set', value: 'hit' });
    const answer = await bareBot.call('views.push', { trigger_id: payload.trigger_id, view: modal() });
    expect(answer).toMatchObject(depth === 3 ? { error: 'push_limit_reached' } : { ok: true });
  }
});
