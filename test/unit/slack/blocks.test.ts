import { describe, expect, test } from 'vitest';
import { type Filter, LEVEL_GROUPS } from '../../../src/core/importance.ts';
import {
  filterValue,
  hasRoomFor,
  hitValue,
  nameInValue,
  readFilter,
  readHit,
  readShow,
  readState,
  readView,
  readWait,
  showValue,
  stateValue,
  UnreadableValue,
  type View,
  type ViewState,
  viewValue,
  waitValue,
} from '../../../src/slack/blocks/action-values.ts';
import {
  actions,
  button,
  day,
  dayAndTime,
  header,
  linkButton,
  moment,
  overflow,
  plain,
  preformatted,
  richText,
  select,
  slackClock,
  slackTime,
  smallPrint,
  words,
} from '../../../src/slack/blocks/blocks.ts';
import { bytesOf, inert, visible } from '../../../src/slack/blocks/limits.ts';
import {
  destinationOfView,
  messageModalOf,
  messageModalValue,
  modal,
  noticeModal,
  readMessageModal,
  readOrigin,
  titled,
  windowTitle,
  withDestination,
} from '../../../src/slack/blocks/modal.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 14, 30, 999);
const SECONDS = Math.floor(AT / 1_000);
const QUESTION = { snapshotId: snapshotId('26808463'), set: 'hit' as const };
const PLAIN: View = { question: QUESTION };
const FULL: View = {
  question: { ...QUESTION, set: 'all' },
  before: { snapshotId: snapshotId('26808400'), set: 'all' },
  filter: { levels: ['critical', 'unrated'], cve: 'without' },
  show: 'cleared',
  search: ['core dump', 'tmm'],
  againstLast: true,
};
const STATE: ViewState = { ...PLAIN, page: 2, askedBy: 'U1', madeAt: AT, turn: 3 };

describe('What buttons carry', () => {
  test.each<[string, View]>([
    ['little', PLAIN],
    ['all', FULL],
  ])('is read back as it was: %s', (_what, view) => {
    expect(readView(viewValue(view))).toEqual(view);
    expect(readShow(showValue(view, undefined))).toEqual({ view });
    expect(readShow(showValue(view, '1.1'))).toEqual({ view, threadTs: '1.1' });
    const hit = { view, hit: 3, name: 'D1', part: 1 };
    expect(readHit(hitValue(hit))).toEqual(hit);
    const state = { ...STATE, ...view };
    expect(readState(stateValue(state))).toEqual(state);
    const dated = { ...state, beforeMadeAt: AT - 5, threadTs: '1.1' };
    expect(readState(stateValue(dated))).toEqual(dated);
  });

  test('is short where it says nothing', () => {
    expect(viewValue(PLAIN)).toBe('{"id":"26808463","set":"hit"}');
    expect(stateValue(STATE)).toBe(`{"id":"26808463","set":"hit","page":2,"by":"U1","at":${AT},"turn":3}`);
  });

  test('names the thread as long as Slack takes the id of the block', () => {
    const state = (length: number) => ({
      ...STATE,
      askedBy: 'U'.repeat(length),
      threadTs: '1795167300.000100',
    });
    const room = 255 - stateValue(state(0)).length;
    expect(readState(stateValue(state(room))).threadTs).toBe('1795167300.000100');
    expect(stateValue(state(room))).toHaveLength(255);
    expect(readState(stateValue(state(room + 1))).threadTs).toBeUndefined();
  });

  test.each<[string, Filter]>([
    ['a filter', {}],
    ['another filter', { levels: LEVEL_GROUPS, cve: 'without' }],
  ])('has room for %s in the state of a message of several, if for the request', (_which, filter) => {
    const others = Array.from({ length: 7 }, (_, at) => ({
      ...QUESTION,
      snapshotId: snapshotId(`1000000${at}`),
    }));
    const lengths = Array.from({ length: 70 }, (_, at) => at + 1);
    const asked = (length: number) => ({ question: QUESTION, others, filter, search: ['x'.repeat(length)] });
    const longest = lengths.findLast((length) => hasRoomFor(asked(length)));
    expect(longest).toBeLessThan(70);
    const later = {
      show: 'shared',
      page: 999,
      askedBy: 'U'.padEnd(13, '0'),
      madeAt: AT,
      turn: 9_999,
    } as const;
    for (const chosen of [filter, { levels: ['critical', 'high'], cve: 'without' } as const])
      expect(bytesOf(stateValue({ ...asked(longest ?? 70), ...later, filter: chosen }))).toBeLessThan(256);
  });

  test('of a lookup and a message is read back as it was', () => {
    expect(readWait(waitValue('one'))).toBe('one');
    for (const origin of [{ channel: 'C1' }, { channel: 'C1', messageTs: '1.1', threadTs: '0.5' }]) {
      expect(readOrigin(JSON.stringify(origin))).toEqual(origin);
    }
  });

  test.each([{}, { cve: 'with' as const }, { levels: ['high' as const] }, FULL.filter ?? {}])(
    'of a filter is read back as it was: %o',
    (filter) => {
      expect(readFilter(filterValue(filter))).toEqual(filter);
    },
  );

  test('of a filter is short, and nothing is no filter', () => {
    expect(filterValue({ levels: ['critical', 'high'], cve: 'with' })).toBe('critical.high/with');
    expect([filterValue({}), readFilter(undefined), readFilter('')]).toEqual(['/', {}, {}]);
  });

  test('cuts a long name, always in the same way', () => {
    const long = 'n'.repeat(100);
    const { name } = readHit(hitValue({ view: PLAIN, hit: 0, name: long, part: 0 }));
    expect(name).toBe(nameInValue(long));
    expect(name).toHaveLength(60);
    expect(nameInValue('n'.repeat(60))).toHaveLength(60);
  });

  test.each([
    undefined,
    '',
    'no JSON',
    '{}',
    '{"id":"x","set":"hit"}',
    '{"id":"1","set":"some"}',
    '{"id":"1","set":"hit","before":"x"}',
    '{"id":"1","set":"hit","show":"all"}',
    '{"id":"1","set":"hit","filter":"grave/"}',
    '{"id":"1","set":"hit","filter":"/some"}',
    '{"id":"1","set":"hit","last":false}',
    JSON.stringify({ id: '26808463', set: 'hit', with: '1 2 3 4 5 6 7 8' }),
  ])('is refused where it is something else: %s', (value) => {
    for (const read of [readView, readShow]) expect(() => read(value)).toThrow(UnreadableValue);
    const fields = value?.startsWith('{"id') ? value.slice(1, -1) : '"id":"1","set":"hit"';
    for (const wrong of ['"page":-1', '"page":1.5', '"turn":-1', '"at":"1"', '"at":-1', '"at0":9e15']) {
      const rest = '"page":0,"by":"U1","at":1,"turn":0';
      expect(() => readState(`{${fields},${rest},${wrong}}`), wrong).toThrow();
    }
  });

  test.each(['{"hit":-1,"part":0}', '{"hit":0,"part":-1}', '{"hit":0.5,"part":0}'])(
    'of a hit is refused where it counts wrong: %s',
    (counts) => {
      const value = JSON.stringify({ ...JSON.parse(viewValue(PLAIN)), name: '', ...JSON.parse(counts) });
      expect(() => readHit(value)).toThrow();
    },
  );
});

describe('A modal', () => {
  const RESPONSE = { url: 'https://hooks.slack.test/x', expiresAt: AT };
  const view = { type: 'modal' as const, title: plain('A'), blocks: [] };

  const two = { ...PLAIN, before: { ...QUESTION, snapshotId: snapshotId('26808400') } };

  test.each<[View, host: string, title: string]>([
    [PLAIN, 'edge-7.example.com', '26808463 · edge-7'],
    [PLAIN, '192.0.2.17', '26808463 · 192.0.2.17'],
    [PLAIN, '2001:db8::7', '26808463 · 2001:db8::7'],
    [PLAIN, '', 'Snapshot 26808463'],
    [PLAIN, 'thirteen-char.example.com', '26808463 · thirteen-char'],
    [PLAIN, 'fourteen-chars.example.com', 'Snapshot 26808463'],
    [two, 'lb.example.com', '26808400 → 26808463 · lb'],
    [two, 'lb1.example.com', '26808400 → 26808463'],
    [{ ...PLAIN, others: [QUESTION, QUESTION] }, 'edge-7', '3 snapshots'],
  ])('about %j of the device “%s” is called %s', (view, host, title) => {
    expect(windowTitle(view, host)).toBe(title);
  });

  test('keeps as its first line what it is for, with the name of the device; a notice has no purpose', () => {
    const blocks = (window: ReturnType<typeof modal>, host: string) => titled(window, PLAIN, host).blocks;
    const [notice, share] = [noticeModal('Done.'), modal({ title: 'Share' }, [])];
    expect(titled(notice, PLAIN, 'edge-7')).toEqual({ ...notice, title: plain('26808463 · edge-7') });
    const purpose = words('Share', { bold: true });
    expect(blocks(share, '')).toEqual([richText([purpose])]);
    expect(blocks(share, 'edge-7.example.com')).toEqual([
      richText([purpose, words(' · edge-7.example.com')]),
    ]);
    expect(blocks(share, 'x'.repeat(200))).toEqual([richText([purpose, words(` · ${'x'.repeat(99)}…`)])]);
    expect(blocks(titled(share, PLAIN, 'edge-7'), 'edge-7')).toEqual(blocks(share, 'edge-7'));
    expect(modal({ title: 'x'.repeat(30) }, []).title.text).toBe(`${'x'.repeat(23)}…`);
  });

  test('carries where it was opened', () => {
    const opened = { channel: 'C1', threadTs: '1.1', hasThread: true, response: RESPONSE };
    expect(destinationOfView(withDestination(view, opened))).toEqual(opened);
    expect(withDestination(view, opened)).toMatchObject(view);
    for (const text of [undefined, '', 'no JSON', '{}', 'null', '{"channel":1}']) {
      expect(
        destinationOfView({ ...(text === undefined ? {} : { private_metadata: text }) }),
      ).toBeUndefined();
    }
    expect(destinationOfView(undefined)).toBeUndefined();
  });

  test.each([{ channel: 'C1' }, { channel: 'C1', messageTs: '1.1', threadTs: '0.5' }])(
    'of a message carries which one, what it shows and how to change it: %o',
    (origin) => {
      const modal = { ...origin, state: STATE, response: RESPONSE, isPrivate: true, host: 'edge-7' };
      expect(readMessageModal({ private_metadata: messageModalValue(modal) })).toEqual(modal);
      expect(destinationOfView({ private_metadata: messageModalValue(modal) })?.channel).toBe('C1');
    },
  );

  test('that was not opened from a message names no message', () => {
    for (const metadata of ['', '{"channel":"C1"}']) {
      expect(messageModalOf({ private_metadata: metadata })).toBeUndefined();
      expect(() => readMessageModal({ private_metadata: metadata })).toThrow(UnreadableValue);
    }
    const opened = JSON.stringify({ channel: 'C1', response: RESPONSE });
    expect(() => readMessageModal({ private_metadata: opened })).toThrow(UnreadableValue);
  });
});

describe('Text from elsewhere', () => {
  test.each([
    ['<!here> & <@U1>', '&lt;!here&gt; &amp; &lt;＠U1&gt;'],
    ['*b* _i_ ~s~ `c`', '∗b∗ ˍiˍ ∼s∼ ˋcˋ'],
    ['https://x.example', 'https:\u2060//x.example'],
    [':smile: 10:30 a:b', ':\u2060smile: 10:30 a:b'],
    [":+1: :a-b'c:", ":\u2060+1: :\u2060a-b'c:"],
  ])('is inert in mrkdwn: %s', (text, expected) => {
    expect(inert(text)).toBe(expected);
  });

  test('changes no text direction, and holds no broken character', () => {
    const marks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    expect(visible(`a${marks}b`)).toBe('ab');
    expect(inert(`a${marks}b`)).toBe('ab');
    for (const half of ['\ud83d', '\udc00']) expect(visible(`a${half}`)).toBe('a\ufffd');
    expect(visible('a\u200bb')).toBe('a\u200bb');
  });

  test('is visible in every element, and never empty where Slack takes nothing empty', () => {
    const turned = 'a\u202eb';
    expect(words(turned)).toEqual({ type: 'text', text: 'ab' });
    expect(words('', { bold: true })).toEqual({ type: 'text', text: ' ', style: { bold: true } });
    expect(plain(turned)).toEqual({ type: 'plain_text', text: 'ab', emoji: false });
    const block = (text: string) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
    });
    expect(preformatted(turned)).toEqual(block('ab'));
    expect(preformatted('')).toEqual(block(' '));
  });
});

describe('A block', () => {
  test('of rich text begins each paragraph on a line of its own', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((text) => words(text)) as [ReturnType<typeof words>, never, never];
    expect(richText([a, b], [c])).toEqual({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [a, b, words('\n'), c] }],
    });
  });

  test('is as Slack wants it, and cut where Slack takes no more', () => {
    const long = 'x'.repeat(400);
    expect(header(long)).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
    expect(header(long).text.text).toHaveLength(150);
    expect(smallPrint('*a*')).toEqual({ type: 'context', elements: [{ type: 'mrkdwn', text: '*a*' }] });
    expect(button(long, 'go').text.text).toHaveLength(75);
    expect(button('Go', 'go', undefined, long).accessibility_label).toHaveLength(75);
    expect(actions([button('Go', 'go')])).toEqual({ type: 'actions', elements: [button('Go', 'go')] });
    const option = overflow('go', [{ label: long, value: '1' }]).options[0];
    expect([option?.text.text.length, option?.value]).toEqual([75, '1']);
    expect(select(long, 'go', []).placeholder?.text).toHaveLength(150);
  });

  test('of a button carries only what it was given', () => {
    expect(button('Go', 'go')).toEqual({ type: 'button', text: plain('Go'), action_id: 'go' });
    expect(button('Go', 'go', '1', 'Go on')).toEqual({
      type: 'button',
      text: plain('Go'),
      action_id: 'go',
      value: '1',
      accessibility_label: 'Go on',
    });
    expect(linkButton('Go', 'go', 'https://x.example/', 'Go on')).toEqual({
      type: 'button',
      text: plain('Go'),
      action_id: 'go',
      url: 'https://x.example/',
      accessibility_label: 'Go on',
    });
  });

  test('of choices has its groups by name, and none that is empty', () => {
    const choice = { label: 'One', value: '1' };
    expect(
      select('Now', 'go', [
        { name: 'some', choices: [choice] },
        { name: 'none', choices: [] },
      ]),
    ).toEqual({
      type: 'static_select',
      action_id: 'go',
      placeholder: plain('Now'),
      option_groups: [{ label: plain('some'), options: [{ text: plain('One'), value: '1' }] }],
    });
    expect(overflow('go', [choice])).toEqual({
      type: 'overflow',
      action_id: 'go',
      options: [{ text: plain('One'), value: '1' }],
    });
  });
});

test('A time is one that Slack shows in the zone of the reader, in whole seconds', () => {
  const fallback = '2026-11-20 09:14 UTC';
  expect(slackTime(AT)).toBe(`<!date^${SECONDS}^{date_short_pretty} {time}|${fallback}>`);
  expect(slackTime(AT, 'read')).toBe(`<!date^${SECONDS}^read {date_short_pretty} {time}|read ${fallback}>`);
  expect(slackClock(AT)).toBe(`<!date^${SECONDS}^{time}|${fallback}>`);
  const date = { type: 'date', timestamp: SECONDS };
  expect(moment(AT, '{time}')).toEqual({ ...date, format: '{time}', fallback });
  expect(dayAndTime(AT, 'for')).toEqual({
    ...date,
    format: 'for {date_short_pretty} {time}',
    fallback: `for ${fallback}`,
  });
  expect(day(AT, 'looked up')).toEqual({
    ...date,
    format: 'looked up {date_short_pretty}',
    fallback: 'looked up 2026-11-20',
  });
});
