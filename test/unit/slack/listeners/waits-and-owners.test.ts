import { describe, expect, test } from 'vitest';
import { stateValue, waitValue } from '../../../../src/slack/blocks/action-values.ts';
import { onIt } from '../../../../src/slack/features/on-it/index.ts';
import { listening, NOW, PRIVATE, RESPONSE_URL, waiting } from '../../../support/listening.ts';
import { openedFrom, STATE, THERE } from '../../../support/shown-results.ts';

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
    const claimed: unknown[] = [];
    const claim = async (...given: unknown[]) => {
      claimed.push(...given);
      return before;
    };
    const owners = { of: async () => undefined, claim };
    const here = listening(onIt.listen, { changes: { ...THERE.changes, owners } });
    await here.click('on-it', { blockId, message: SHOWN });
    expect(claimed).toEqual([
      { channel: 'C1', ts: '2.2' },
      { user: 'U1', since: NOW },
    ]);
    expect(here.of('audit')).toEqual(noted);
    expect(here.of('post')).toHaveLength(1);
  });

  test('does nothing on what one person sees', async () => {
    const hidden = listening(onIt.listen, THERE);
    await hidden.click('on-it', { blockId, container: PRIVATE });
    expect(hidden.done).toEqual([['ack']]);
  });
});

describe('“Hand over…”', () => {
  const OWNED = { text: '', blocks: [{ type: 'actions', block_id: stateValue(STATE), elements: [] }] };
  const unsaid = () => Promise.reject(new Error('Slack is away'));

  /** What is stored, noted, posted and said after a choice, while Slack says this of who reads there. */
  async function chosen(actionId: string, value?: string, reads: () => Promise<boolean> = async () => true) {
    const stored: unknown[] = [];
    const replace = async (_message: object, owner: unknown) => void stored.push(owner);
    const owners = { of: async () => undefined, kept: async () => OWNED, keep: async () => {}, replace };
    const access = { isForAll: async () => true, rules: { channels: [] }, reads };
    const here = listening(onIt.listen, { changes: { ...THERE.changes, owners, access } });
    const view = { id: 'V1', private_metadata: openedFrom({ host: 'edge-7' }) };
    await here.click(actionId, { ...(value !== undefined && { value }), view });
    const outcomes = here.of('audit').map(([entry]) => (entry as { outcome: string }).outcome);
    const posted = here.of('posted').map(([, message]) => (message as { text: string }).text);
    return { stored, outcomes, posted, said: JSON.stringify(here.calls.at(-1)?.args.view) };
  }

  test.each([
    ['to somebody', 'hand-over-to', 'U2', 'U2', 'handed to U2', 1],
    [
      'to oneself, also where Slack does not say who reads there',
      'take-over',
      undefined,
      'U1',
      'handed to U1',
      0,
    ],
    ['to nobody', 'release', undefined, undefined, 'taken back', 0],
    ['to nobody who was chosen', 'hand-over-to', '', undefined, 'taken back', 0],
  ])('gives it %s', async (what, actionId, value, user, outcome, mentions) => {
    const reads = what.includes('Slack') ? unsaid : undefined;
    const { stored, outcomes, posted } = await chosen(actionId, value, reads);
    expect([stored, outcomes]).toEqual([[user && { user, since: NOW }], [outcome]]);
    const mention = '<@U2>: <@U1> handed snapshot 26808463 · edge-7 over to you.';
    expect(posted).toEqual(mentions === 1 ? [mention] : []);
  });

  test('gives nothing to somebody of whom Slack does not say whether they read there', async () => {
    const { stored, outcomes, said } = await chosen('hand-over-to', 'U2', unsaid);
    expect([stored, outcomes]).toEqual([[], []]);
    expect(said).toContain('Slack doesn’t say now who reads this conversation');
  });
});
