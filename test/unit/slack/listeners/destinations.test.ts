import { describe, expect, test } from 'vitest';
import { viewValue } from '../../../../src/slack/blocks/action-values.ts';
import { compare } from '../../../../src/slack/features/compare/index.ts';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import type { Listeners } from '../../../../src/slack/front/listeners.ts';
import {
  asking,
  IN_THREAD,
  listening,
  NOW,
  PRIVATE,
  RESPONSE_URL,
  waiting,
} from '../../../support/listening.ts';
import { openedFrom } from '../../../support/shown-results.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const ASKED = { question: { snapshotId: snapshotId('26808463'), set: 'all' } } as const;
const ASKING = viewValue(ASKED);
const RESPONSE = { url: RESPONSE_URL, expiresAt: NOW + 1_800_000 };
const BESIDE = { response: { ...RESPONSE, replaces: false } };
const ROOT = { ...IN_THREAD, thread_ts: '2.2' };
const PRIVATE_IN_THREAD = { ...PRIVATE, thread_ts: '1.1' };

type Listen = (on: Listeners, context: ListenerContext) => void;
type Delivery = (here: ReturnType<typeof listening>) => Promise<void>;
type Row = [what: string, listen: Listen, delivery: Delivery, destination: object];

const typed = (id: string, metadata?: object): Delivery => {
  const values = { id: { id: { value: id } } };
  return ({ submit }) => submit('look-up', { values, metadata: JSON.stringify(metadata ?? {}) });
};
/** The form is filled in where nothing says where it was opened. */
const chosen = (channel: string): Delivery => {
  const where = { where: { where: { selected_conversation: channel } } };
  const response_urls = ['C7', channel].map((id) => ({ channel_id: id, response_url: RESPONSE_URL }));
  const values = { id: { id: { value: '26808463' } }, ...where };
  return ({ submit }) => submit('look-up', { values, more: { response_urls } });
};
const compared = (metadata: object): Delivery => {
  const values = { 'other-id': { 'other-id': { value: '26808400' } } };
  const asked = openedFrom({ messageTs: undefined, threadTs: undefined, ...metadata });
  return ({ submit }) => submit('compare', { values, metadata: asked });
};
const onMessage = (message: object): Delivery => {
  const shortcut = { ...{ channel: { id: 'C1' }, user: { id: 'U1' }, trigger_id: 'a trigger' }, message };
  return ({ shortcut: use }) => use({ ...shortcut, message_ts: '5.5', response_url: RESPONSE_URL });
};

const ROWS: Row[] = [
  ['the form with a chosen conversation', asking, chosen('C2'), { channel: 'C2', ...BESIDE }],
  ['the form without one', asking, chosen(''), { channel: 'U1' }],
  ['a command', asking, ({ command }) => command('26808463'), BESIDE],
  [
    '“Compare” on a result in a thread',
    compare.listen,
    ({ click }) => click('compare-last', { value: ASKING, container: IN_THREAD }),
    { threadTs: '1.1', hasThread: true, ...BESIDE },
  ],
  [
    '“Compare” on a private result in a thread',
    compare.listen,
    ({ click }) => click('compare-last', { value: ASKING, container: PRIVATE_IN_THREAD }),
    { threadTs: '1.1', hasThread: true, ...BESIDE },
  ],
  ['“Compare with…” on a private result', compare.listen, compared({}), {}],
  ['“Compare with…”', compare.listen, compared({ messageTs: '2.2' }), { threadTs: '2.2' }],
  [
    '“Compare with…” in a direct message',
    compare.listen,
    compared({ channel: 'D1', messageTs: '2.2' }),
    { channel: 'D1' },
  ],
  [
    '“Compare with…” in a thread',
    compare.listen,
    compared({ threadTs: '1.1' }),
    { threadTs: '1.1', hasThread: true },
  ],
  [
    '“Try again” in a thread',
    waiting,
    ({ click }) => click('ask-again', { value: ASKING, container: IN_THREAD }),
    { threadTs: '1.1', hasThread: true, messageTs: '2.2' },
  ],
  [
    '“Try again” on the first message of a thread',
    waiting,
    ({ click }) => click('ask-again', { value: ASKING, container: ROOT }),
    { messageTs: '2.2' },
  ],
  [
    'the form of a message in a thread',
    asking,
    typed('26808463', { channel: 'C1', threadTs: '1.1', hasThread: true, response: RESPONSE }),
    { threadTs: '1.1', hasThread: true, ...BESIDE },
  ],
  [
    '“Diagnose snapshot” on a message in a thread',
    asking,
    onMessage({ text: '26808463', thread_ts: '1.1' }),
    { threadTs: '1.1', hasThread: true, ...BESIDE },
  ],
];

describe('Where an answer goes', () => {
  test.each(ROWS)('that %s asks for', async (_what, listen, delivery, destination) => {
    const here = listening(listen);
    await delivery(here);
    expect(here.of('accept').map(([request]) => request)).toMatchObject([{ askedBy: 'U1' }]);
    const [[request] = []] = here.of('accept') as [{ destination: object }][];
    expect(request?.destination).toEqual({ channel: 'C1', user: 'U1', ...destination });
  });
});
