import { describe, expect, test } from 'vitest';
import { viewValue } from '../../../../src/slack/blocks/action-values.ts';
import { compare } from '../../../../src/slack/features/compare/index.ts';
import { asking, listening, RESPONSE_URL, waiting } from '../../../support/listening.ts';
import { openedFrom } from '../../../support/shown-results.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const ASKED = { question: { snapshotId: snapshotId('26808463'), set: 'all' } } as const;
const form = { values: { id: { id: { value: '26808463' } } } };
const diagnosed = {
  ...{ channel: { id: 'C1' }, user: { id: 'U1' }, trigger_id: 'a trigger', response_url: RESPONSE_URL },
  ...{ message: { text: '26808463' }, message_ts: '5.5' },
};

describe('A request is stored before it is acknowledged, and once', () => {
  test('by a command, a form, a shortcut', async () => {
    const commanded = listening(asking);
    await commanded.command('26808463');
    await commanded.command('26808463');
    expect(commanded.done.map(([what]) => what)).toEqual(['accept', 'ack', 'ack']);
    const shortcut = listening(asking);
    await shortcut.shortcut(diagnosed);
    expect(shortcut.done.map(([what]) => what)).toEqual(['accept', 'ack']);
    expect(shortcut.of('accept')).toMatchObject([[ASKED]]);
    const submitted = listening(asking);
    await submitted.submit('look-up', form);
    expect(submitted.done.map(([what]) => what)).toEqual(['accept', 'ack']);
  });

  test('by “Try again”', async () => {
    const here = listening(waiting);
    await here.click('ask-again', { value: viewValue(ASKED) });
    expect(here.done.map(([what]) => what)).toEqual(['accept', 'ack']);
  });

  test('by one press of “Compare”, whose delivery comes twice, and by each of two presses, also on two messages', async () => {
    const here = listening(compare.listen);
    const value = viewValue(ASKED);
    for (const user of ['U1', 'U1', 'U2']) await here.click('compare-last', { value, user });
    expect(here.done[0]?.[0]).toBe('accept');
    expect(here.of('accept')).toHaveLength(2);
    const container = { channel_id: 'C1', message_ts: '9.9' };
    await here.click('compare-last', { value, container, trigger: 'another' });
    expect(here.of('accept')).toHaveLength(3);
  });

  test('by “Try again”, whoever presses it within two seconds', async () => {
    const here = listening(waiting);
    for (const user of ['U1', 'U2']) await here.click('ask-again', { value: viewValue(ASKED), user });
    expect(here.of('accept')).toHaveLength(1);
    await here.click('ask-again', {
      value: viewValue(ASKED),
      container: { channel_id: 'C1', message_ts: '9.9' },
    });
    expect(here.of('accept')).toHaveLength(2);
  });
});

describe('What is no request', () => {
  test('in a form is refused at its field', async () => {
    const here = listening(asking);
    const asked = (id: string, search = '') => ({
      values: { id: { id: { value: id } }, 'search-for': { 'search-for': { value: search } } },
    });
    for (const values of [
      asked('none'),
      asked('26808463 me'),
      asked('26808463', 'one two three four five six seven eight nine'),
      asked('compare 26808463 26808470', 'tmm'),
      asked('help'),
      asked('status'),
      asked('watch 26808463'),
    ])
      await here.submit('look-up', values);
    expect(here.of('ack').map(([answer]) => answer)).toEqual(
      [
        { id: expect.any(String) },
        { id: expect.stringContaining('instead of typing “me”') },
        { 'search-for': expect.stringContaining('at most 8 words') },
        { 'search-for': expect.stringContaining('A comparison can’t be searched') },
        { id: 'The id is missing.' },
        { id: expect.stringContaining('status') },
        { id: expect.stringContaining('To follow its snapshot') },
      ].map((errors) => ({ response_action: 'errors', errors })),
    );
    expect(here.of('accept')).toEqual([]);
  });

  test('is a conversation that is not the one for which Slack gave a response URL', async () => {
    const here = listening(asking);
    await here.submit('look-up', {
      values: { ...form.values, where: { where: { selected_conversation: 'C2' } } },
      more: { response_urls: [{ channel_id: 'C1', response_url: RESPONSE_URL }] },
    });
    const errors = { where: expect.stringContaining('can’t post there') };
    expect(here.done).toEqual([['ack', { response_action: 'errors', errors }]]);
  });

  test('of a comparison is a word that asks for help', async () => {
    const here = listening(compare.listen);
    const values = { 'other-id': { 'other-id': { value: 'help' } } };
    await here.submit('compare', { values, metadata: openedFrom() });
    const errors = { 'other-id': expect.stringContaining('one snapshot id') };
    expect(here.done).toEqual([['ack', { response_action: 'errors', errors }]]);
  });
});
