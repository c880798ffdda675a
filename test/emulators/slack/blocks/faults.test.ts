import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { blockFaults, blockWeight } from './faults.ts';
import type { Surface } from './schema.ts';

const x = (length: number): string => 'x'.repeat(length);
const plain = (text = 'a'): Json => ({ type: 'plain_text', text });
const markup = (text = 'a'): Json => ({ type: 'mrkdwn', text });
const option = (changes: Json = {}): Json => ({ text: plain(), value: 'a', ...changes });
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const section = (changes: Json = {}): Json => ({ type: 'section', text: markup(), ...changes });
const actions = (...elements: Json[]): Json => ({ type: 'actions', elements });
const button = (changes: Json = {}): Json => ({ type: 'button', action_id: 'go', text: plain(), ...changes });
const select = (changes: Json = {}) =>
  actions({ type: 'static_select', action_id: 's', options: [option()], ...changes });
const overflow = (...options: Json[]) => actions({ type: 'overflow', options });
const input = (element: Json): Json => ({ type: 'input', label: plain(), element });
const textInput = (changes: Json = {}) => input({ type: 'plain_text_input', ...changes });
const part = (type: string, ...elements: Json[]): Json => ({
  type: 'rich_text',
  elements: [{ type, elements }],
});
const rich = (...elements: Json[]) => part('rich_text_section', ...elements);
const raw = (text: string): Json => ({ type: 'raw_text', text });
const table = (rows: readonly unknown[]): Json => ({ type: 'table', rows });

/** The golden messages test that valid blocks are accepted. */
test.each<[name: string, blocks: Json[], surface?: Surface]>([
  ['a header', [{ type: 'header', text: plain(x(150)), block_id: x(255) }]],
  ['a section with a button', [section({ text: markup(x(3000)), accessory: button() })]],
  ['25 buttons', [actions(...many(25, (i) => button({ action_id: `go-${i}`, value: x(2000) })))]],
  ['a link', [actions(button({ url: `https://a.example/${x(2000)}` }))]],
  ['a menu', [select({ initial_option: option(), options: many(100, () => option()) })]],
  ['radio buttons', [actions({ type: 'radio_buttons', options: [option({ text: markup() })] })]],
  ['an input', [textInput({ multiline: true, max_length: 3000 })], 'modal'],
  ['a table', [table(many(100, () => [raw('a'), rich({ type: 'text', text: 'b' })]))]],
  ['50 blocks of a message', many(50, () => section())],
  ['one action_id in two blocks', [actions(button()), actions(button())]],
])('Slack takes %s', (_name, blocks, surface = 'message') => {
  expect(blockFaults(blocks, surface)).toEqual([]);
});

const [inline, element, options] = ['/0/elements/0/elements/0', '/0/elements/0', '/0/elements/0/options'];
const focused = textInput({ focus_on_load: true });

test.each<[name: string, place: string, blocks: unknown, surface?: Surface]>([
  ['a long header', '/0/text/text', [{ type: 'header', text: plain(x(151)) }]],
  ['markup in a header', '/0/text/type', [{ type: 'header', text: markup() }]],
  ['a long section', '/0/text/text', [section({ text: markup(x(3001)) })]],
  ['an empty text', '/0/text/text', [section({ text: markup('') })]],
  ['an unknown field', '/0', [section({ tint: 1 })]],
  ['an unknown block', '/0/type', [{ type: 'hologram' }]],
  ['an unknown element', `${element}/type`, [actions({ type: 'slider' })]],
  ['a text as an accessory', '/0/accessory/type', [section({ accessory: plain() })]],
  ['a button in a context', `${element}/type`, [{ type: 'context', elements: [button()] }]],
  ['11 texts in a context', '/0/elements', [{ type: 'context', elements: many(11, () => plain()) }]],
  ['26 buttons', '/0/elements', [actions(...many(26, (i) => button({ action_id: `${i}` })))]],
  ['no buttons', '/0/elements', [actions()]],
  ['an action_id twice in a block', '/0', [actions(button(), button())]],
  ['a long label', `${element}/text/text`, [actions(button({ text: plain(x(76)) }))]],
  ['a long value', `${element}/value`, [actions(button({ value: x(2001) }))]],
  ['a long action_id', `${element}/action_id`, [actions(button({ action_id: x(256) }))]],
  ['a long address', `${element}/url`, [actions(button({ url: `https://${x(3000)}` }))]],
  ['an address that is a script', `${element}/url`, [actions(button({ url: 'javascript:a' }))]],
  ['an unknown style', `${element}/style`, [actions(button({ style: 'red' }))]],
  ['a text input among buttons', `${element}/type`, [actions({ type: 'plain_text_input' })]],
  ['an overflow menu as an input', '/0/element/type', [input({ type: 'overflow' })], 'modal'],
  ['an input for too much', '/0/element/max_length', [textInput({ max_length: 3001 })], 'modal'],
  [
    'a response URL outside of modals',
    element,
    [actions({ type: 'conversations_select', response_url_enabled: true })],
  ],
  ['101 options', options, [select({ options: many(101, () => option()) })]],
  ['no options', options, [select({ options: [] })]],
  ['6 options in an overflow menu', options, [overflow(...many(6, () => option()))]],
  ['a long option', `${options}/0/text/text`, [overflow(option({ text: plain(x(76)) }))]],
  ['an option with a long value', `${options}/0/value`, [overflow(option({ value: x(76) }))]],
  ['a choice that is not offered', element, [select({ initial_option: option({ value: 'b' }) })]],
  ['an empty rich text', `${inline}/text`, [rich({ type: 'text', text: '' })]],
  ['a mention of everybody', `${inline}/type`, [rich({ type: 'broadcast', range: 'here' })]],
  ['a mention in code', `${inline}/type`, [part('rich_text_preformatted', { type: 'user', user_id: 'U1' })]],
  ['an empty cell', '/0/rows/0/0/text', [table([[raw('')]])]],
  ['101 rows', '/0/rows', [table(many(101, () => [raw('a')]))]],
  ['21 columns', '/0/rows/0', [table([many(21, () => raw('a'))])]],
  ['rows of different lengths', '/0', [table([[raw('a')], [raw('a'), raw('b')]])]],
  ['a table that is too long', '/0', [table([[raw(x(5_000)), raw(x(5_001))]])]],
  ['two tables', '', [table([[raw('a')]]), table([[raw('b')]])]],
  ['51 blocks in a message', '', many(51, () => section())],
  ['101 blocks in a modal', '', many(101, () => section()), 'modal'],
  ['a block_id twice', '', [section({ block_id: 'a' }), section({ block_id: 'a' })]],
  ['two elements that take the focus', '', [focused, focused], 'modal'],
  ['no list', '', {}],
])('Slack refuses %s and names the place %s', (_name, place, blocks, surface = 'message') => {
  expect(blockFaults(blocks, surface)).toEqual([expect.stringContaining(`[json-pointer:/blocks${place}]`)]);
});

test('The weight of blocks counts their texts with escapes, and each block', () => {
  expect(blockWeight([section({ text: markup('&<>') }), section()])).toBe('&amp;&lt;&gt;a'.length + 2 * 100);
});
