import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { blockFaults } from './faults.ts';
import {
  actions,
  button,
  group,
  input,
  many,
  markup,
  option,
  plain,
  rich,
  richParts,
  section,
  select,
  x,
} from './samples.ts';
import type { Surface } from './schema.ts';
import { blockWeight } from './weight.ts';

const raw = (text: string): Json => ({ type: 'raw_text', text });
const times = <T>(size: number, make: () => T) => Array.from({ length: size }, make);
const table = (rows: readonly unknown[]): Json => ({
  type: 'table',
  column_settings: [{ align: 'right' }],
  rows,
});

/** What Slack takes at most; the golden messages show that it takes what the bot sends. */
const good: [name: string, block: Json, surface?: Surface][] = [
  ['header', { type: 'header', text: plain(x(150)), block_id: x(255) }],
  ['section', section({ text: markup(x(3000)) })],
  ['section with a button', section({ accessory: button() })],
  ['actions', actions(...many(25, (i) => button({ action_id: `go-${i}`, value: x(10) })))],
  ['link button', actions(button({ url: `https://a.example/${x(2000)}` }))],
  ['menu', actions(select({ initial_option: option(), placeholder: plain(x(150)) }))],
  ['menu in groups', actions(select({ options: undefined, option_groups: [group(100)] }))],
  ['radio buttons', actions({ type: 'radio_buttons', options: [option({ text: markup() })] })],
  ['input', input({ type: 'plain_text_input', multiline: true, max_length: 3000 }), 'modal'],
  ['table', table(times(100, () => [raw('a'), rich({ type: 'text', text: 'b' })]))],
];

test.each(good)('A block that Slack takes has no fault: %s', (_name, block, surface = 'message') => {
  expect(blockFaults([block], surface)).toEqual([]);
});

type Bad = [name: string, block: Json, says: string, at: string, surface?: Surface];
const element = (changes: Json) => actions(changes);
const overflow = (changes: Json) => element({ type: 'overflow', options: [option()], ...changes });
const firstOption = '/elements/0/options/0';
const inline = '/elements/0/elements/0';
const code = { type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] };

const refused: Bad[] = [
  ['long header', { type: 'header', text: plain(x(151)) }, 'less than 151', '/text/text'],
  ['markup in a header', { type: 'header', text: markup() }, 'plain_text', '/text/type'],
  ['table with an empty cell', table([[raw('')]]), 'more than 0', '/rows/0/0/text'],
  ['table of 101 rows', table(times(101, () => [raw('a')])), 'than 100', '/rows'],
  ['table of 21 columns', table([many(21, () => raw('a'))]), 'than 20', '/rows/0'],
  ['table with uneven rows', table([[raw('a')], [raw('a'), raw('b')]]), 'same number', ''],
  ['table of 10,001 characters', table([[raw(x(5_000)), raw(x(5_001))]]), 'all cells', ''],
  ['table in a window', table([[raw('a')]]), 'unsupported type', '', 'modal'],
  ['long block_id', section({ block_id: x(256) }), 'less than 256', '/block_id'],
  ['empty section', { type: 'section' }, 'text object', '/text'],
  ['section with a text for a button', section({ accessory: plain() }), 'unsupported type', '/accessory'],
  ['long section', section({ text: markup(x(3001)) }), 'less than 3001', '/text/text'],
  ['empty text', section({ text: markup('') }), 'more than 0', '/text/text'],
  ['text that is none', section({ text: 'a' }), 'text object', '/text'],
  ['emoji in markup', section({ text: { ...markup(), emoji: true } }), 'property: emoji', '/text'],
  ['11 in context', { type: 'context', elements: many(11, () => plain()) }, 'than 10', '/elements'],
  ['button in context', { type: 'context', elements: [button()] }, 'plain_text', '/elements/0/type'],
  ['26 buttons', actions(...many(26, (i) => button({ action_id: `${i}` }))), 'than 25', '/elements'],
  ['no buttons', actions(), 'at least 1', '/elements'],
  ['same action_id', actions(button(), button()), 'already exists', '/elements/1'],
  ['unknown block', { type: 'hologram' }, 'unsupported type: "hologram"', ''],
  ['unknown field of a block', section({ tint: 1 }), 'property: tint', ''],
  ['long label', actions(button({ text: plain(x(76)) })), 'than 76', '/elements/0/text/text'],
  ['markup in a label', actions(button({ text: markup() })), 'plain_text', '/elements/0/text/type'],
  ['long value', actions(button({ value: x(2001) })), 'than 2001', '/elements/0/value'],
  ['long action_id', actions(button({ action_id: x(256) })), 'than 256', '/elements/0/action_id'],
  ['long url', actions(button({ url: `https://${x(3000)}` })), 'than 3001', '/elements/0/url'],
  ['script url', actions(button({ url: 'javascript:a' })), 'http or https', '/elements/0/url'],
  ['style', actions(button({ style: 'red' })), 'one of primary', '/elements/0/style'],
  ['unknown field', actions(button({ tint: 1 })), 'property: tint', '/elements/0'],
  ['unknown element', element({ type: 'slider' }), 'unsupported type: "slider"', '/elements/0'],
  ['text input in actions', element({ type: 'plain_text_input' }), 'cannot be in', '/elements/0'],
  ['overflow as input', input({ type: 'overflow' }), 'cannot be in', '/element', 'modal'],
  ['long text', input({ type: 'plain_text_input', max_length: 3001 }), 'to 3000', '/element/max_length'],
  ['no date', element({ type: 'datepicker', initial_date: '1.2.26' }), 'match', '/elements/0/initial_date'],
  [
    'response URL',
    element({ type: 'conversations_select', response_url_enabled: true }),
    'modals',
    '/elements/0',
  ],
  ['101 options', actions(select({ options: many(101, () => option()) })), 'than 100', '/elements/0/options'],
  ['no options', actions(select({ options: [] })), 'at least 1', '/elements/0/options'],
  ['no list', actions(select({ options: undefined })), 'either options', '/elements/0'],
  ['two lists', actions(select({ option_groups: [group(1)] })), 'either options', '/elements/0'],
  [
    'long option',
    overflow({ options: [option({ text: plain(x(76)) })] }),
    'than 76',
    `${firstOption}/text/text`,
  ],
  ['long value', overflow({ options: [option({ value: x(76) })] }), 'than 76', `${firstOption}/value`],
  ['strange choice', actions(select({ initial_option: option({ value: 'b' }) })), 'match', '/elements/0'],
  ['link', actions(select({ options: [option({ url: 'https://a.b' })] })), 'property: url', firstOption],
  ['6 in overflow', overflow({ options: many(6, () => option()) }), 'than 5', '/elements/0/options'],
  ['empty rich text', rich({ type: 'text', text: '' }), 'more than 0', `${inline}/text`],
  ['unknown part', rich({ type: 'smell' }), 'unsupported type', inline],
  ['a broadcast', rich({ type: 'broadcast', range: 'here' }), 'unsupported type', inline],
  ['style', rich({ type: 'text', text: 'a', style: { huge: true } }), 'property: huge', `${inline}/style`],
  ['link', rich({ type: 'link', url: 'ftp://a' }), 'http or https', `${inline}/url`],
  ['mention in code', richParts(code), 'unsupported type', inline],
  ['unknown paragraph', richParts({ type: 'rich_text_poem' }), 'unsupported type', '/elements/0'],
];

test.each(refused)(
  'A block that Slack refuses has a fault, which says where: %s',
  (_name, block, says, at, surface = 'message') => {
    const faults = blockFaults([block], surface);
    expect(faults).toEqual([expect.stringContaining(says)]);
    expect(faults[0]).toContain(`[json-pointer:/blocks/0${at}]`);
  },
);

const placeholder = actions(select({ placeholder: plain(x(151)) }));
const same = section({ block_id: 'a' });
const focused = input({ type: 'plain_text_input', focus_on_load: true });
const heavy = many(5, () => section({ text: markup(x(2900)) }));

test.each<[name: string, blocks: unknown, surface: Surface, says: string]>([
  ['a long placeholder', [placeholder], 'message', 'than 151'],
  ['51 in a message', many(51, () => section()), 'message', 'no more than 50'],
  ['101 in a modal', many(101, () => section()), 'modal', 'no more than 100'],
  ['101 in a Home tab', many(101, () => section()), 'home', 'no more than 100'],
  ['one id twice', [same, same], 'message', '"a" already exists'],
  ['two that take the focus', [focused, focused], 'modal', 'focus_on_load'],
  ['too heavy ones', heavy, 'message', 'msg_blocks_too_long: 15000'],
  ['no list', {}, 'message', 'an array'],
  ['lists in a list', [[1]], 'message', 'a block'],
])('Blocks that Slack refuses together have one fault: %s', (_name, blocks, surface, says) => {
  expect(blockFaults(blocks, surface)).toEqual([expect.stringContaining(says)]);
});

test('As many and as heavy blocks as Slack takes have no fault, with one action_id in two of them too', () => {
  expect(
    blockFaults(
      many(50, () => section()),
      'message',
    ),
  ).toEqual([]);
  expect(blockFaults(heavy.slice(0, 4), 'message')).toEqual([]);
  expect(blockFaults(heavy, 'modal')).toEqual([]);
  expect(blockFaults([actions(button()), actions(button())], 'message')).toEqual([]);
  expect(blockWeight([section({ text: markup('&<>') }), section()])).toBe('&amp;&lt;&gt;a'.length + 2 * 100);
});

test('A second table in a message is a fault', () => {
  expect(blockFaults([table([[raw('a')]]), table([[raw('b')]])], 'message')).toEqual([
    'only_one_table_allowed [json-pointer:/blocks]',
  ]);
});
