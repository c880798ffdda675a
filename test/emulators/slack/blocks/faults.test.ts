import { describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import type { Surface } from './check.ts';
import { blockFaults } from './faults.ts';
import {
  actions,
  button,
  group,
  image,
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
import { blockWeight } from './weight.ts';

const confirm = { title: plain(), text: markup(), confirm: plain(), deny: plain() };
const bullets = { type: 'rich_text_list', style: 'bullet', indent: 1 };

const good: [name: string, block: Json, surface?: Surface][] = [
  ['header', { type: 'header', text: plain(x(150)), block_id: x(255) }],
  ['section', section({ text: markup(x(3000)), fields: many(10, () => markup(x(2000))).slice(0, 4) })],
  ['section with a button', section({ accessory: button({ confirm, style: 'danger' }) })],
  ['section with an image', section({ accessory: image() })],
  ['context', { type: 'context', elements: [plain(), markup(), image()] }],
  ['divider', { type: 'divider' }],
  ['actions', actions(...many(25, (i) => button({ action_id: `go-${i}`, value: x(10) })))],
  ['link button', actions(button({ url: `https://a.example/${x(2000)}` }))],
  ['menu', actions(select({ initial_option: option(), placeholder: plain(x(150)) }))],
  ['menu in groups', actions(select({ options: undefined, option_groups: [group(100)] }))],
  ['overflow', actions({ type: 'overflow', options: many(5, () => option({ url: 'https://a.example' })) })],
  ['users', actions({ type: 'users_select', initial_user: 'U1' })],
  ['channels', actions({ type: 'channels_select' })],
  ['conversations', actions({ type: 'conversations_select', filter: { include: ['im'] } })],
  ['check boxes', actions({ type: 'checkboxes', options: many(10, () => option({ text: markup() })) })],
  ['radio buttons', actions({ type: 'radio_buttons', options: [option({ description: plain() })] })],
  ['input', input({ type: 'plain_text_input', multiline: true, max_length: 3000 }), 'modal'],
  ['image', image({ title: plain() })],
  ['alert', { type: 'alert', text: plain(), level: 'warning' }, 'modal'],
  ['rich text', rich({ type: 'text', text: 'a', style: { bold: true } }, { type: 'emoji', name: 'wave' })],
  [
    'rich links',
    rich({ type: 'link', url: 'https://a.example', text: 'a' }, { type: 'color', value: '#a1b2c3' }),
  ],
  ['rich mentions', rich({ type: 'user', user_id: 'U1' }, { type: 'channel', channel_id: 'C1' })],
  ['rich pages', rich({ type: 'usergroup', usergroup_id: 'S1' }, { type: 'broadcast', range: 'here' })],
  ['rich date', rich({ type: 'date', timestamp: 1, format: '{date}' })],
  ['rich list', richParts({ ...bullets, elements: [{ type: 'rich_text_section', elements: [] }] })],
  ['rich quote', richParts({ type: 'rich_text_quote', elements: [{ type: 'text', text: 'a' }] })],
  ['code', richParts({ type: 'rich_text_preformatted', border: 1, elements: [{ type: 'text', text: 'a' }] })],
];

test.each(good)('takes %s', (_name, block, surface = 'message') => {
  expect(blockFaults([block], surface)).toEqual([]);
});

describe('all blocks together', () => {
  const divider = { type: 'divider' };

  test.each([
    { surface: 'message', most: 50 },
    { surface: 'modal', most: 100 },
    { surface: 'home', most: 100 },
  ] as const)('no more than $most in a $surface', ({ surface, most }) => {
    expect(
      blockFaults(
        many(most, () => divider),
        surface,
      ),
    ).toEqual([]);
    const tooMany = many(most + 1, () => divider);
    expect(blockFaults(tooMany, surface)).toEqual([expect.stringContaining(`no more than ${most}`)]);
  });

  test('block ids are unique', () => {
    const same = { ...divider, block_id: 'a' };
    expect(blockFaults([same, same], 'message')).toEqual([expect.stringContaining('"a" already exists')]);
  });

  test('the same action_id may be used in two blocks', () => {
    expect(blockFaults([actions(button()), actions(button())], 'message')).toEqual([]);
  });

  test('only one element may take the focus', () => {
    const focused = input({ type: 'plain_text_input', focus_on_load: true });
    expect(blockFaults([focused, focused], 'modal')).toEqual([expect.stringContaining('focus_on_load')]);
  });

  test('blocks that are too heavy together are refused in a message, but not in a modal', () => {
    const heavy = many(5, () => section({ text: markup(x(2900)) }));
    expect(blockFaults(heavy.slice(0, 4), 'message')).toEqual([]);
    expect(blockFaults(heavy, 'message')).toEqual([expect.stringContaining('msg_blocks_too_long: 15000')]);
    expect(blockFaults(heavy, 'modal')).toEqual([]);
  });

  test('the weight counts escaped characters, and an overhead for each block', () => {
    expect(blockWeight([section({ text: markup('&<>') }), divider])).toBe('&amp;&lt;&gt;'.length + 2 * 100);
  });

  test.each([undefined, 'blocks', {}, 1, [[1]]])('%j is no list of blocks', (blocks) => {
    expect(blockFaults(blocks, 'message')).toHaveLength(1);
  });
});
