import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../../src/core/faults.ts';
import { readState, stateValue } from '../../../../src/slack/blocks/action-values.ts';
import { actions, type Message } from '../../../../src/slack/blocks/blocks.ts';
import { ownersOf, redrawn, redrawOwned, replaceOwned } from '../../../../src/slack/delivery/owners.ts';
import { Poster } from '../../../../src/slack/delivery/poster.ts';
import { aStore } from '../../../support/embedded.ts';
import { type ScriptedAnswer, scriptedSlack } from '../../../support/scripted-slack.ts';
import { STATE } from '../../../support/shown-results.ts';

const KEPT_MS = 60_000;
const MESSAGE = { channel: 'C1', ts: '1.1' };
const [ANA, BEN] = [
  { user: 'U1', since: 5 },
  { user: 'U2', since: 6 },
];

function owning() {
  const clock = { now: 1_000 };
  const store = aStore(() => clock.now);
  return { clock, store, owners: ownersOf(store, KEPT_MS) };
}

test('Of several who press at once the first one is on it, until somebody else takes over or it is released', async () => {
  const { owners, store } = owning();
  expect(await Promise.all([ANA, BEN].map((owner) => owners.claim(MESSAGE, owner)))).toEqual([
    undefined,
    ANA,
  ]);
  expect(await owners.of(MESSAGE)).toEqual(ANA);
  expect(await owners.replace(MESSAGE, BEN)).toEqual(ANA);
  expect(await owners.of(MESSAGE)).toEqual(BEN);
  expect(await owners.replace(MESSAGE, undefined)).toEqual(BEN);
  expect(await Array.fromAsync(store.namespace('owners').entries())).toEqual([]);
});

test('Another message, or the same time in another channel, has its own owner', async () => {
  const { owners } = owning();
  await owners.claim(MESSAGE, ANA);
  expect(await owners.of({ ...MESSAGE, ts: '2.2' })).toBeUndefined();
  expect(await owners.of({ ...MESSAGE, channel: 'C2' })).toBeUndefined();
});

test('An owner stays for as long as the history, and a message for as long as its window can change it', async () => {
  const { owners, clock } = owning();
  const message = { text: 'a result', blocks: [] };
  await owners.claim(MESSAGE, ANA);
  clock.now += KEPT_MS - 1;
  expect(await owners.of(MESSAGE)).toEqual(ANA);
  clock.now += 1;
  expect(await owners.of(MESSAGE)).toBeUndefined();
  await owners.keep(MESSAGE, message);
  clock.now += 30 * 60_000 - 1;
  expect(await owners.kept(MESSAGE)).toEqual(message);
  clock.now += 1;
  expect(await owners.kept(MESSAGE)).toBeUndefined();
});

test('A message is drawn again where its owner changed meanwhile, each time with another id of its controls', async () => {
  const { owners } = owning();
  const controls = { ...actions([]), block_id: stateValue(STATE) };
  const replaced: Message[] = [];
  const replace = async (message: Message) => {
    if (replaced.push(message) === 1) await owners.replace(MESSAGE, BEN);
  };
  const context = { owners, watching: { watchersAt: async () => [] } };
  await owners.claim(MESSAGE, ANA);
  await replaceOwned(
    { channel: MESSAGE.channel, messageTs: MESSAGE.ts },
    context,
    (times) => redrawn({ text: '', blocks: [controls] }, times),
    replace,
  );
  const turns = replaced.map(({ blocks }) => readState(blocks.at(-1)?.block_id).turn - STATE.turn);
  expect(turns).toEqual([1, 2]);
});

describe('The lines of who is on a result and who watches it', () => {
  const title = { type: 'header', text: { type: 'plain_text', text: 'A result' } };
  const controls = { ...actions([]), block_id: stateValue(STATE) };
  const shown = { ts: '1.1', text: 'A result', blocks: [title, controls], user: 'U0BOT' };

  /** Draws them on the message 1.1, which Slack gives so; whether that came about, and what Slack was asked. */
  async function drawn(
    answers: Readonly<Record<string, ScriptedAnswer>>,
    origin: object = {},
    of?: () => never,
  ) {
    const { client, calls } = scriptedSlack(({ method }) => answers[method] ?? {});
    const { owners } = owning();
    await owners.claim(MESSAGE, ANA);
    const log: string[] = [];
    const context = {
      owners: { ...owners, ...(of && { of }) },
      watching: { watchersAt: async () => ['U2'] },
      poster: new Poster(client, () => {}),
      logger: pino({}, { write: (line) => void log.push(line) }),
    };
    const isDrawn = await redrawOwned({ channel: 'C1', messageTs: '1.1', ...origin }, context);
    return { isDrawn, calls, log, methods: calls.map(({ method }) => method) };
  }

  const found = { 'conversations.replies': { messages: [{ ...shown, ts: '1.0' }, shown] } };

  test.each([
    [undefined, '1.1'],
    ['0.5', '0.5'],
  ])('are drawn on the message as it is now, in the thread %s', async (threadTs, thread) => {
    const { isDrawn, calls } = await drawn(found, { threadTs });
    expect(isDrawn).toBe(true);
    expect(calls).toMatchObject([
      {
        method: 'conversations.replies',
        args: { channel: 'C1', ts: thread, oldest: '1.1', latest: '1.1', inclusive: 'true' },
      },
      { method: 'chat.update', args: { channel: 'C1', ts: '1.1', text: 'A result' } },
    ]);
    expect(JSON.stringify(calls[1]?.args.blocks)).toMatch(/U1.*U2/);
  });

  test.each([
    ['is gone', { messages: [] }, true],
    ['was the first of its thread', 'thread_not_found', true],
    ['is gone, but has replies', { messages: [{ ...shown, user: 'USLACKBOT' }] }, true],
    ['is none that the bot may read', 'missing_scope', false],
    ['is none that Slack gives now', 'internal_error', false],
  ])('are not drawn on a message that %s', async (_what, replies, isOver) => {
    const { isDrawn, methods } = await drawn({ 'conversations.replies': replies });
    expect([isDrawn, methods]).toEqual([isOver, ['conversations.replies']]);
  });

  test('are not drawn where Slack takes no edit, which is logged, or where the message has no name', async () => {
    const refused = await drawn({ ...found, 'chat.update': 'edit_window_closed' });
    expect([refused.isDrawn, refused.log.length]).toEqual([false, 1]);
    const unnamed = await drawn(found, { messageTs: undefined });
    expect([unnamed.isDrawn, unnamed.methods]).toEqual([false, []]);
  });

  test('are drawn by the next try where the store is away', async () => {
    const away = () => {
      throw new StorageFailed();
    };
    await expect(drawn(found, {}, away)).rejects.toThrow(StorageFailed);
  });
});
