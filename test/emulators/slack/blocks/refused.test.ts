import { expect, test } from 'vitest';
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

type Bad = [name: string, block: Json, says: string, at: string, surface?: Surface];

const overflow = (changes: Json) => actions({ type: 'overflow', options: [option()], ...changes });
const halfDialog = { title: plain(), confirm: plain(), deny: plain() };
const inline = '/elements/0/elements/0';

const blocks: Bad[] = [
  ['long header', { type: 'header', text: plain(x(151)) }, 'less than 151', '/text/text'],
  ['markup in a header', { type: 'header', text: markup() }, 'plain_text', '/text/type'],
  ['long block_id', { type: 'divider', block_id: x(256) }, 'less than 256', '/block_id'],
  ['empty section', { type: 'section' }, 'text or fields', ''],
  ['long section', section({ text: markup(x(3001)) }), 'less than 3001', '/text/text'],
  ['empty text', section({ text: markup('') }), 'more than 0', '/text/text'],
  ['text that is none', section({ text: 'a' }), 'text object', '/text'],
  ['emoji in markup', section({ text: { ...markup(), emoji: true } }), 'property: emoji', '/text'],
  ['11 fields', section({ fields: many(11, () => plain()) }), 'no more than 10', '/fields'],
  ['no fields', section({ fields: [] }), 'at least 1', '/fields'],
  ['long field', section({ fields: [plain(x(2001))] }), 'less than 2001', '/fields/0/text'],
  ['11 in context', { type: 'context', elements: many(11, () => plain()) }, 'than 10', '/elements'],
  ['button in context', { type: 'context', elements: [button()] }, 'plain_text', '/elements/0/type'],
  ['26 buttons', actions(...many(26, (i) => button({ action_id: `${i}` }))), 'than 25', '/elements'],
  ['no buttons', actions(), 'at least 1', '/elements'],
  ['same action_id', actions(button(), button()), 'already exists', '/elements/1'],
  ['unknown block', { type: 'hologram' }, 'unsupported type: "hologram"', ''],
  ['unknown field of a block', section({ tint: 1 }), 'property: tint', ''],
  ['alert in a message', { type: 'alert', text: plain() }, 'not allowed in a message', ''],
  ['markdown in a modal', { type: 'markdown', text: 'a' }, 'not allowed in a modal', '', 'modal'],
  ['image without alt text', image({ alt_text: undefined }), 'a string', '/alt_text'],
  ['image without source', image({ image_url: undefined }), 'either image_url', ''],
];

const elements: Bad[] = [
  ['long label', actions(button({ text: plain(x(76)) })), 'than 76', '/elements/0/text/text'],
  ['markup in a label', actions(button({ text: markup() })), 'plain_text', '/elements/0/text/type'],
  ['long value', actions(button({ value: x(2001) })), 'than 2001', '/elements/0/value'],
  ['long action_id', actions(button({ action_id: x(256) })), 'than 256', '/elements/0/action_id'],
  ['long url', actions(button({ url: `https://${x(3000)}` })), 'than 3001', '/elements/0/url'],
  ['script url', actions(button({ url: 'javascript:a' })), 'http or https', '/elements/0/url'],
  ['style', actions(button({ style: 'red' })), 'one of primary', '/elements/0/style'],
  ['half a dialog', actions(button({ confirm: halfDialog })), 'text object', '/elements/0/confirm/text'],
  ['unknown field', actions(button({ tint: 1 })), 'property: tint', '/elements/0'],
  ['unknown element', actions({ type: 'slider' }), 'unsupported type: "slider"', '/elements/0'],
  ['text input in actions', actions({ type: 'plain_text_input' }), 'cannot be in', '/elements/0'],
  ['overflow as input', input({ type: 'overflow' }), 'cannot be in', '/element', 'modal'],
  [
    'long placeholder',
    actions(select({ placeholder: plain(x(151)) })),
    'than 151',
    '/elements/0/placeholder/text',
  ],
];

const options: Bad[] = [
  ['101', actions(select({ options: many(101, () => option()) })), 'than 100', '/elements/0/options'],
  ['none', actions(select({ options: [] })), 'at least 1', '/elements/0/options'],
  ['no list', actions(select({ options: undefined })), 'either options', '/elements/0'],
  ['two lists', actions(select({ option_groups: [group(1)] })), 'either options', '/elements/0'],
  [
    'long text',
    overflow({ options: [option({ text: plain(x(76)) })] }),
    'than 76',
    '/elements/0/options/0/text/text',
  ],
  ['long value', overflow({ options: [option({ value: x(76) })] }), 'than 76', '/elements/0/options/0/value'],
  [
    'strange choice',
    actions(select({ initial_option: option({ value: 'b' }) })),
    'exactly match',
    '/elements/0',
  ],
  [
    'url',
    actions(select({ options: [option({ url: 'https://a.example' })] })),
    'property: url',
    '/elements/0/options/0',
  ],
  ['6 in overflow', overflow({ options: many(6, () => option()) }), 'than 5', '/elements/0/options'],
  [
    '11 boxes',
    actions({ type: 'checkboxes', options: many(11, () => option()) }),
    'than 10',
    '/elements/0/options',
  ],
];

const listless = { type: 'rich_text_list', elements: [{ type: 'rich_text_section', elements: [] }] };
const code = { type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] };

const richTexts: Bad[] = [
  ['empty text', rich({ type: 'text', text: '' }), 'more than 0', `${inline}/text`],
  ['unknown part', rich({ type: 'smell' }), 'unsupported type', inline],
  ['style', rich({ type: 'text', text: 'a', style: { huge: true } }), 'property: huge', `${inline}/style`],
  ['link', rich({ type: 'link', url: 'ftp://a' }), 'http or https', `${inline}/url`],
  ['colour', rich({ type: 'color', value: 'red' }), 'must be #rrggbb', `${inline}/value`],
  ['mention in code', richParts(code), 'unsupported type', inline],
  ['list without style', richParts(listless), 'is missing', '/elements/0/style'],
  ['unknown paragraph', richParts({ type: 'rich_text_poem' }), 'unsupported type', '/elements/0'],
];

function check(_name: string, block: Json, says: string, at: string, surface: Surface = 'message'): void {
  const faults = blockFaults([block], surface);
  expect(faults).toEqual([expect.stringContaining(says)]);
  expect(faults[0]).toContain(`[json-pointer:/blocks/0${at}]`);
}

test.each(blocks)('refuses a block: %s', check);
test.each(elements)('refuses an element: %s', check);
test.each(options)('refuses options: %s', check);
test.each(richTexts)('refuses rich text: %s', check);
