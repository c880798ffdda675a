import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../../src/core/faults.ts';
import { viewValue } from '../../../../src/slack/blocks/action-values.ts';
import { compare } from '../../../../src/slack/features/compare/index.ts';
import {
  asking,
  away,
  IN_THREAD,
  listening,
  PRIVATE,
  RESPONSE_URL,
  waiting,
} from '../../../support/listening.ts';
import { openedFrom } from '../../../support/shown-results.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const ASKED = { question: { snapshotId: snapshotId('26808463'), set: 'all' } } as const;
type Here = ReturnType<typeof listening>;

/** What any of these buttons carries. */
const VALUE = JSON.stringify({ ...JSON.parse(viewValue(ASKED)), form: '26808463', command: '/snapshot' });
const PRIVATE_IN_THREAD = { ...PRIVATE, thread_ts: '1.1' };
const AWAY = expect.stringMatching(/can’t reach its (?:own )?storage/);
/** The store is away: nothing can be accepted. */
const STORE_IS_AWAY = { changes: { leases: { acquire: away, release: away }, lookups: { accept: away } } };
/** A message waits for the same in this channel. */
const WAITS = {
  changes: { waitingMessages: { find: async () => ({ channel: 'C1', ts: '3.3', lookupId: 'first' }) } },
  slack: () => ({ permalink: 'https://slack.test/p33' }),
};

const mention = { channel: 'C1', user: 'U1', ts: '4.4', text: '<@U0BOT> 26808463' };
const direct = { channel_type: 'im', channel: 'D1', user: 'U1', text: '26808463' };
const compared = { values: { 'other-id': { 'other-id': { value: '26808400' } } }, metadata: openedFrom() };
const form = { values: { id: { id: { value: '26808463' } } } };
const diagnosed = {
  ...{ channel: { id: 'C1' }, user: { id: 'U1' }, trigger_id: 'a trigger', response_url: RESPONSE_URL },
  ...{ message: { text: '26808463' }, message_ts: '5.5' },
};

describe('While the store is away', () => {
  test('a form says it at its field, and stays open', async () => {
    const looking = listening(asking, STORE_IS_AWAY);
    await looking.submit('look-up', form);
    const searched = { ...form.values, 'search-for': { 'search-for': { value: 'tmm' } } };
    await looking.submit('look-up', { values: searched, viewId: 'V2' });
    const refusal = [{ response_action: 'errors', errors: { id: AWAY } }];
    expect(looking.of('ack')).toEqual([refusal, refusal]);
    const other = listening(compare.listen, STORE_IS_AWAY);
    await other.submit('compare', compared);
    expect(other.of('ack')).toEqual([[{ response_action: 'errors', errors: { 'other-id': AWAY } }]]);
  });

  test('a form that the front has acknowledged meanwhile leaves it to the front: it has no field any more', async () => {
    const here = listening(asking, STORE_IS_AWAY);
    await expect(here.submit('look-up', { ...form, isAcknowledged: true })).rejects.toThrow(StorageFailed);
    expect(here.done).toEqual([]);
  });

  test('every other way to ask leaves it to the front, which tells it, and is not acknowledged as if it were stored', async () => {
    for (const ask of [
      (here: Here) => here.command('26808463'),
      (here: Here) => here.happens('app_mention', mention),
      (here: Here) => here.happens('message', direct),
      (here: Here) => here.shortcut(diagnosed),
    ]) {
      const here = listening(asking, STORE_IS_AWAY);
      await expect(ask(here)).rejects.toThrow(StorageFailed);
      expect(here.done).toEqual([]);
    }
    for (const [listen, name] of [
      [compare.listen, 'compare-last'],
      [waiting, 'ask-again'],
    ] as const) {
      const click = listening(listen, STORE_IS_AWAY).click(name, { value: VALUE, container: IN_THREAD });
      await expect(click).rejects.toThrow(StorageFailed);
    }
  });
});

describe('Who asks for what a message waits for already', () => {
  const pointer = expect.objectContaining({ text: expect.stringContaining('https://slack.test/p33') });

  test('with a mention, a direct message or a form is told so there; Slack may not know the address of that message', async () => {
    const mentioned = listening(asking, {
      ...WAITS,
      slack: ({ method }) => (method === 'chat.getPermalink' ? 'internal_error' : {}),
    });
    await mentioned.happens('app_mention', { ...mention, thread_ts: '1.1' });
    expect(mentioned.calls.at(-1)).toMatchObject({
      method: 'chat.postEphemeral',
      args: { thread_ts: '1.1', text: expect.stringContaining('The message above') },
    });
    const refused = listening(asking, {
      ...WAITS,
      slack: ({ method }) => (method === 'chat.postEphemeral' ? 'user_not_in_channel' : {}),
    });
    await refused.happens('app_mention', mention);
    expect(refused.calls.at(-1)).toMatchObject({
      method: 'chat.postMessage',
      args: { channel: mention.user },
    });
    const written = listening(asking, WAITS);
    await written.happens('message', { ...direct, ts: '4.4' });
    expect(written.calls.at(-1)).toMatchObject({ method: 'chat.postMessage', args: { channel: 'D1' } });
    const other = listening(compare.listen, WAITS);
    await other.submit('compare', compared);
    expect(other.calls.at(-1)).toMatchObject({
      method: 'chat.postEphemeral',
      args: { channel: 'C1', user: 'U1', thread_ts: '1.1' },
    });
  });

  test('with a shortcut or a button is told so in the thread of the message, if there is one', async () => {
    const shortcut = listening(asking, WAITS);
    await shortcut.shortcut({ ...diagnosed, message: { text: '26808463', thread_ts: '1.1' } });
    await shortcut.shortcut({ ...diagnosed, trigger_id: 'another' });
    expect(shortcut.of('tell')).toEqual([
      [{ responseUrl: RESPONSE_URL, threadTs: '1.1' }, pointer],
      [{ responseUrl: RESPONSE_URL, threadTs: undefined }, pointer],
    ]);
    for (const [listen, name] of [[compare.listen, 'compare-last']] as const) {
      const button = listening(listen, WAITS);
      await button.click(name, { value: VALUE, container: PRIVATE_IN_THREAD });
      expect(button.of('tell')).toEqual([[{ responseUrl: RESPONSE_URL, threadTs: '1.1' }, pointer]]);
    }
  });

  test('with the form of a message is told so through its response URL: in a thread that has replies', async () => {
    const here = listening(asking, WAITS);
    const opened = { channel: 'C1', threadTs: '1.1', response: { url: RESPONSE_URL, expiresAt: 9e15 } };
    await here.submit('look-up', { ...form, metadata: JSON.stringify({ ...opened, hasThread: true }) });
    await here.submit('look-up', { ...form, metadata: JSON.stringify(opened), viewId: 'V2' });
    expect(here.of('tell').map(([where]) => where)).toEqual([
      { responseUrl: RESPONSE_URL, threadTs: '1.1' },
      { responseUrl: RESPONSE_URL },
    ]);
    const without = listening(asking, WAITS);
    await without.submit('look-up', {
      ...form,
      metadata: JSON.stringify({ channel: 'C1', threadTs: '1.1', hasThread: true }),
    });
    expect(without.calls.at(-1)).toMatchObject({
      method: 'chat.postEphemeral',
      args: { channel: 'C1', thread_ts: '1.1' },
    });
  });
});
