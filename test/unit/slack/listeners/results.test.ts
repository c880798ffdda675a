import { describe, expect, test } from 'vitest';
import { readShow, stateValue } from '../../../../src/slack/blocks/action-values.ts';
import { aResult } from '../../../support/a-diagnostic.ts';
import { IN_THREAD, listening, menus, NOW, PRIVATE, RESPONSE_URL } from '../../../support/listening.ts';
import { objectsIn } from '../../../support/message-parts.ts';
import {
  BEFORE,
  COMPARING,
  IN_PROCESS,
  openedFrom,
  QUESTION,
  STATE,
  STORE_AWAY,
  stateOf,
  THERE,
} from '../../../support/shown-results.ts';

const AWAY = expect.stringMatching(/can’t reach its (?:own )?storage/);

const posted = (here: ReturnType<typeof listening>) => here.of('post').map(([, message]) => message);

describe('The controls of a result', () => {
  const controls = () => listening(menus, THERE);

  test.each([
    ['page-next', {}, { page: 2 }],
    ['page-previous', {}, { page: 0 }],
    ['filter', { option: 'high/' }, { page: 0, filter: { levels: ['high'] } }],
  ])('%s edits the message that was clicked', async (name, more, expected) => {
    const here = controls();
    await here.click(name, { blockId: stateValue(STATE), ...more });
    expect(here.done[0]).toEqual(['ack']);
    expect(here.of('post')).toEqual([
      [{ url: RESPONSE_URL, replaces: true, expiresAt: expect.any(Number) }, expect.anything()],
    ]);
    // Slack wants another id for the same block in another edit.
    expect(stateOf(posted(here)[0])).toMatchObject({ ...expected, askedBy: 'U1', turn: 4 });
  });

  test('begin with what the message shows that Slack sends, whatever block they stand in', async () => {
    const here = controls();
    const message = { text: '', blocks: [{ type: 'actions', block_id: stateValue(STATE), elements: [] }] };
    await here.click('page-next', { blockId: stateValue({ ...STATE, page: 0 }), message });
    expect(stateOf(posted(here)[0])).toMatchObject({ page: 2 });
  });

  test.each([PRIVATE, IN_THREAD])('open windows that name the device of a message: %j', async (container) => {
    const known = aResult([]);
    const result = { ...known, device: { ...known.device, hostname: 'edge-7.example.com' } };
    const cached = async () => ({ kind: 'ready', result, readAt: NOW });
    const here = listening(menus, { changes: { lookups: { ...THERE.changes.lookups, cached } } });
    const message = {
      text: 'Snapshot 26808463 · edge-7.example.com: 40 hits',
      blocks: [{ block_id: stateValue(STATE) }],
    };
    // Slack sends no text of a message that one person sees.
    const sent = container === PRIVATE ? {} : { message };
    await here.click('more', { blockId: stateValue(STATE), option: 'search', container, ...sent });
    expect(here.calls[0]?.args.view).toMatchObject({ title: { text: '26808463 · edge-7' } });
  });

  test('“Show all hits” and another kind of change begin at the first page', async () => {
    const searched = controls();
    const search = ['issue'];
    const blockId = stateValue({ ...STATE, search } as never);
    await searched.click('whole-result', { blockId });
    expect(stateOf(posted(searched)[0])).toMatchObject({ page: 0 });
    expect(stateOf(posted(searched)[0])).not.toHaveProperty('search');
    const compared = controls();
    await compared.click('show', { blockId: stateValue({ ...COMPARING, show: 'cleared' }), option: 'new' });
    expect(stateOf(posted(compared)[0])).toMatchObject({ page: 0, show: 'new', before: BEFORE });
    await compared.click('show', { blockId: stateValue({ ...COMPARING, show: 'new' }), option: 'changes' });
    expect(stateOf(posted(compared)[1])).not.toHaveProperty('show');
  });

  test('a private message keeps its offer, with the thread that it belongs to', async () => {
    for (const [state, container, thread] of [
      [STATE, PRIVATE, undefined],
      [STATE, { ...PRIVATE, thread_ts: '1.1' }, '1.1'],
      [{ ...STATE, threadTs: '7.7' }, { ...PRIVATE, thread_ts: '1.1' }, '7.7'],
    ] as const) {
      const here = controls();
      await here.click('page-next', { blockId: stateValue(state), container });
      const offer = objectsIn(posted(here)).find(({ action_id }) => action_id === 'show-to-everyone');
      expect(readShow(String(offer?.value)).threadTs).toBe(thread);
    }
    const here = controls();
    await here.click('page-next', { blockId: stateValue(STATE) });
    expect(JSON.stringify(posted(here))).not.toContain('show-to-everyone');
  });

  test.each([
    ['the store is away', STORE_AWAY, AWAY],
    ['the snapshot is processed again', IN_PROCESS, expect.stringContaining('26808463')],
  ])('say so to the one who clicked when %s, in the thread', async (_what, changes, text) => {
    const here = listening(menus, changes);
    await here.click('page-next', { blockId: stateValue(STATE), container: IN_THREAD });
    expect(here.of('tell')).toEqual([[{ responseUrl: RESPONSE_URL, threadTs: '1.1' }, { text }]]);
    expect(here.of('post')).toEqual([]);
  });
});

describe('That nothing changed since a message was made', () => {
  const unchanged = { new: [], changed: [], cleared: [], unchanged: [] };
  const history = { record: async () => undefined, changesSince: async () => unchanged };
  const reading = () => listening(menus, { changes: { ...THERE.changes, history } });
  const blockId = stateValue({ ...STATE, madeAt: NOW - 60_000 });

  test.each([
    ['is said to who reads it anew', 'more', 'refresh', true],
    ['is not said on another page', 'page-next', undefined, false],
  ])('%s', async (_what, name, option, isSaid) => {
    const here = reading();
    await here.click(name, { blockId, ...(option && { option }) });
    expect(JSON.stringify(posted(here)).includes('Nothing changed since')).toBe(isSaid);
  });

  test('is not said to who reads it alone', async () => {
    const here = reading();
    await here.click('page-next', { blockId, user: 'U2' });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.open']);
    expect(JSON.stringify(here.calls)).not.toContain('Nothing changed');
  });
});

describe('“Swap before and after”', () => {
  test('exchanges both snapshots with the times at which they were read, and begins at the first page', async () => {
    const here = listening(menus, THERE);
    await here.click('more', { blockId: stateValue(COMPARING), option: 'swap' });
    expect(stateOf(posted(here)[0])).toMatchObject({
      ...{ question: BEFORE, madeAt: NOW - 5_000, before: QUESTION, beforeMadeAt: NOW, page: 0 },
    });
  });
});

describe('“Search…”', () => {
  const values = { 'search-for': { 'search-for': { value: 'issue' } } };

  test('shows the first page of what it finds in the message, and a private one keeps its offer', async () => {
    const here = listening(menus, THERE);
    await here.submit('search', { values, metadata: openedFrom() });
    expect(here.done[0]).toEqual(['ack']);
    expect(here.of('post')).toEqual([
      [{ url: RESPONSE_URL, expiresAt: NOW, replaces: true }, expect.anything()],
    ]);
    expect(stateOf(posted(here)[0])).toMatchObject({ page: 0, turn: 4, search: [expect.anything()] });
    expect(JSON.stringify(posted(here))).not.toContain('show-to-everyone');
    await here.submit('search', {
      values,
      metadata: openedFrom({ messageTs: undefined, isPrivate: true }),
      viewId: 'V2',
    });
    const offer = objectsIn(posted(here)[1]).find(({ action_id }) => action_id === 'show-to-everyone');
    expect(readShow(String(offer?.value)).threadTs).toBe('1.1');
  });
});
