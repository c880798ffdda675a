import { describe, expect, test } from 'vitest';
import { stateValue } from '../../../../src/slack/block-kit/action-values.ts';
import { asking, away, IN_THREAD, listening, menus, NOW, RESPONSE_URL } from '../../../support/listening.ts';
import { openedFrom, STATE, STORE_AWAY, THERE } from '../../../support/shown-results.ts';

describe('Behind ⋯', () => {
  test('“Browse privately” is noted for the conversation of the message, and belongs to it', async () => {
    const here = listening(menus, THERE);
    await here.click('do-browse', { view: { id: 'V1', private_metadata: openedFrom() } });
    expect(here.of('audit')).toEqual([
      [{ event: 'browsed', user: 'U1', channel: 'C1', snapshot: '26808463' }],
    ]);
    expect(here.calls[0]?.args.view).toMatchObject({ private_metadata: openedFrom() });
  });

  test('the list opens at once where the result is kept; else, or while the store is away, it is read', async () => {
    const opens = { slack: () => ({ view: { id: 'V2' } }) };
    const open = async (options: object) => {
      const here = listening(menus, { ...options, ...opens });
      await here.click('more', { blockId: stateValue(STATE), option: 'others' });
      return here.calls.map(({ method, args }) => [
        method,
        JSON.stringify(args.view).includes('do-markdown'),
      ]);
    };
    expect(await open(THERE)).toEqual([['views.open', true]]);
    const { lookups } = THERE.changes;
    for (const cached of [away, async () => undefined])
      expect(await open({ changes: { lookups: { ...lookups, cached } } })).toEqual([
        ['views.open', false],
        ['views.update', true],
      ]);
    expect(await open(STORE_AWAY)).toEqual([
      ['views.open', false],
      ['views.update', false],
    ]);
  });
});

describe('“Diagnose snapshot” on a message that names several', () => {
  test('opens a form that knows where the answer goes, and is acknowledged', async () => {
    const here = listening(asking);
    const message = { text: '26808463 26808470', thread_ts: '1.1' };
    const who = { channel: { id: 'C1' }, user: { id: 'U1' }, trigger_id: 'a trigger' };
    await here.shortcut({ ...who, message, message_ts: '5.5', response_url: RESPONSE_URL });
    const view = here.calls[0]?.args.view as { private_metadata: string } | undefined;
    expect(JSON.parse(view?.private_metadata ?? '')).toEqual({
      ...{ channel: 'C1', threadTs: '1.1', hasThread: true },
      response: { url: RESPONSE_URL, expiresAt: NOW + 1_800_000 },
    });
    expect(here.of('ack')).toHaveLength(1);
  });
});

test('“Look up a new snapshot” asks for its id, for an answer in the thread of the reminder', async () => {
  const { click, calls } = listening(asking);
  await click('open-look-up', { container: IN_THREAD });
  await click('open-look-up');
  const opened = calls.map(({ args }) =>
    JSON.parse((args.view as { private_metadata: string }).private_metadata),
  );
  expect(opened).toEqual([{ channel: 'C1', threadTs: '1.1', hasThread: true }, { channel: 'C1' }]);
});
