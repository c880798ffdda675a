import { describe, expect, test } from 'vitest';
import { showValue, stateValue } from '../../../../src/slack/blocks/action-values.ts';
import { ResponseUrlFailed } from '../../../../src/slack/delivery/slack-errors.ts';
import { browse } from '../../../../src/slack/features/browse/index.ts';
import { asking, away, listening, NOW, PRIVATE, RESPONSE_URL } from '../../../support/listening.ts';
import { QUESTION, STATE, stateOf, THERE } from '../../../support/shown-results.ts';

describe('A result in a modal of one’s own', () => {
  const metadata = JSON.stringify({ channel: 'C1' });
  const submit = (here: ReturnType<typeof listening>, value: string) =>
    here.submit('browse', {
      values: { 'search-3': { 'search-for': { value } } },
      ...{ metadata, blocks: [{}, { block_id: stateValue(STATE) }] },
    });

  test('is searched from its first page on, and says where it was opened in all that can be used', async () => {
    const here = listening(browse.listen, THERE);
    await submit(here, 'issue');
    expect(JSON.stringify(here.of('ack'))).not.toContain('action_id');
    const view = here.calls.at(-1)?.args.view as { private_metadata: string };
    expect(view.private_metadata).toBe(metadata);
    expect(stateOf(view)).toMatchObject({ page: 0, turn: 4, search: [expect.anything()], askedBy: 'U1' });
    // Slack shows what was typed into a block with the same id, not what is searched for.
    expect(JSON.stringify(view)).toContain('"search-4"');
  });

  test('says at the field that a search is too long', async () => {
    const here = listening(browse.listen, THERE);
    await submit(here, 'one two three four five six seven eight nine');
    expect(here.of('ack')).toEqual([
      [{ response_action: 'errors', errors: { 'search-3': expect.stringContaining('at most 8 words') } }],
    ]);
    expect(here.calls).toEqual([]);
  });

  test('may be closed meanwhile; any other refusal of Slack is an error', async () => {
    const closed = listening(browse.listen, { ...THERE, slack: () => 'not_found' });
    await submit(closed, 'issue');
    const broken = listening(browse.listen, { ...THERE, slack: () => 'invalid_arguments' });
    await expect(submit(broken, 'issue')).rejects.toThrow('invalid_arguments');
  });
});

test('“me” is noted in the audit, for the conversation where it was typed, and opens one window', async () => {
  const here = listening(asking, THERE);
  await here.command('26808463 me');
  await here.command('26808463 me');
  expect(here.done.map(([what]) => what)).toEqual(['ack', 'audit', 'ack']);
  expect(here.of('audit')).toEqual([[{ event: 'browsed', user: 'U1', channel: 'C1', snapshot: '26808463' }]]);
  expect(here.calls.map(({ method }) => method)).toEqual(['views.open']);
});

describe('“Show to everyone”', () => {
  const value = showValue({ question: QUESTION }, '7.7');

  test('posts the first page in the thread of the answer once, and then removes the private message', async () => {
    const here = listening(browse.listen, THERE);
    await here.click('show-to-everyone', { value, container: PRIVATE });
    await here.click('show-to-everyone', { value, container: PRIVATE, user: 'U2' });
    expect(here.done.map(([what]) => what)).toEqual(['ack', 'show', 'audit', 'remove', 'ack']);
    expect(here.of('show')).toEqual([[RESPONSE_URL, expect.anything(), '7.7']]);
    expect(stateOf(here.of('show')[0]?.[1])).toMatchObject({ page: 0, turn: 0, askedBy: 'U1', madeAt: NOW });
    expect(here.of('audit')).toEqual([
      [{ event: 'shared', user: 'U1', channel: 'C1', snapshot: '26808463' }],
    ]);
  });

  test('posts each private message, one that names no thread in its own', async () => {
    const here = listening(browse.listen, THERE);
    await here.click('show-to-everyone', { value, container: PRIVATE });
    const other = { ...PRIVATE, message_ts: '9.9', thread_ts: '1.1' };
    const threadless = showValue({ question: QUESTION }, undefined);
    await here.click('show-to-everyone', { value: threadless, container: other });
    expect(here.of('show').map(([, , thread]) => thread)).toEqual(['7.7', '1.1']);
  });

  test('leaves the private message where Slack takes no more through its address', async () => {
    const responses = { show: async () => false, remove: away };
    const here = listening(browse.listen, { changes: { ...THERE.changes, responses } });
    const click = () => here.click('show-to-everyone', { value, container: PRIVATE });
    // Nothing was done: another press, which has an address of its own, does it.
    for (const press of [click, click]) await expect(press()).rejects.toThrow(ResponseUrlFailed);
    expect(here.of('audit')).toEqual([]);
  });
});
