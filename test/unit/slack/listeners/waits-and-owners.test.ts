import { describe, expect, test } from 'vitest';
import { stateValue, waitValue } from '../../../../src/slack/block-kit/action-values.ts';
import { onIt } from '../../../../src/slack/features/on-it/index.ts';
import { listening, PRIVATE, RESPONSE_URL, waiting } from '../../../support/listening.ts';
import { STATE, THERE } from '../../../support/shown-results.ts';

type Here = ReturnType<typeof listening>;

const WAITING = waitValue('first');
const told = (here: Here) => here.of('tell').map(([, said]) => (said as { text: string }).text);

describe('“Cancel”', () => {
  test('is for the one who asked; a private message is then replaced through the address of the click', async () => {
    const here = listening(waiting);
    await here.click('cancel', { value: WAITING });
    await here.click('cancel', { value: WAITING, container: PRIVATE });
    const response = { url: RESPONSE_URL, replaces: true, expiresAt: expect.any(Number) };
    expect(here.of('cancel')).toEqual([
      ['first', undefined],
      ['first', { response }],
    ]);
    await here.click('cancel', { value: WAITING, user: 'U2' });
    expect(here.of('cancel')).toHaveLength(2);
    expect(told(here)).toEqual([expect.stringContaining('Only <@U1>')]);
  });
});

describe('“I’m on it”', () => {
  const blockId = stateValue(STATE);
  const SHOWN = { text: '', blocks: [{ type: 'actions', block_id: blockId, elements: [] }] };

  test.each([
    [undefined, [[{ event: 'on it', user: 'U1', channel: 'C1', snapshot: '26808463', outcome: 'said' }]]],
    [{ user: 'U9', since: 1 }, []],
  ])('draws the message anew, and notes who was the first: %o', async (before, noted) => {
    const owners = { of: async () => undefined, claim: async () => before };
    const here = listening(onIt.listen, { changes: { ...THERE.changes, owners } });
    await here.click('on-it', { blockId, message: SHOWN });
    expect(here.of('audit')).toEqual(noted);
    expect(here.of('post')).toHaveLength(1);
  });

  test('does nothing on what one person sees', async () => {
    const hidden = listening(onIt.listen, THERE);
    await hidden.click('on-it', { blockId, container: PRIVATE });
    expect(hidden.done).toEqual([['ack']]);
  });
});
