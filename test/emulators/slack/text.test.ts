import { expect, test } from 'vitest';
import { plain } from './blocks/samples.ts';
import type { Json } from './json.ts';
import type { VisibleMessage } from './model.ts';
import { renderText } from './text.ts';

const names = new Map([
  ['U0BOT', 'snapshot'],
  ['U0ANA', 'ana'],
  ['C0SUPPORT', 'support'],
]);

function message(changes: Partial<VisibleMessage>): VisibleMessage {
  return {
    channel: 'C',
    ts: '1.000001',
    user: 'U0BOT',
    text: '',
    blocks: [],
    at: 0,
    history: [],
    ...changes,
  };
}

const markup = (text: string) => ({ type: 'mrkdwn', text });

test('markup in text is shown as people read it', () => {
  const text = '*<@U0ANA>* in <#C0SUPPORT>: <https://a.example/x|K1> &lt;b&gt; &amp; 2*3*4 *more*';
  expect(renderText(message({ text }), names)).toBe(
    'snapshot\n@ana in #support: K1 (https://a.example/x) <b> & 2*3*4 more',
  );
});

test('each kind of block has its lines', () => {
  const blocks: Json[] = [
    { type: 'header', text: plain('Snapshot 1') },
    { type: 'section', text: markup('*12 hits*'), accessory: { type: 'overflow', options: [] } },
    { type: 'section', fields: [plain('one'), plain('two')] },
    { type: 'divider' },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'see ' },
            { type: 'user', user_id: 'U0ANA' },
          ],
        },
        {
          type: 'rich_text_list',
          style: 'ordered',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] }],
        },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'a\nb' }] },
        { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said' }] },
      ],
    },
    { type: 'context', elements: [plain('Page 1'), markup('asked by <@U0ANA>')] },
    {
      type: 'actions',
      elements: [
        { type: 'button', text: plain('Details'), action_id: 'a' },
        { type: 'button', text: plain('K1'), url: 'https://a.example' },
        { type: 'static_select', placeholder: plain('Filter'), options: [] },
      ],
    },
  ];
  expect(renderText(message({ blocks, ephemeral: true, edited: true }), names).split('\n')).toEqual([
    'snapshot · Only visible to you',
    'Snapshot 1',
    '══════════',
    '12 hits',
    '[ ⋯ ]',
    '  one',
    '  two',
    '────────────────────────────────────────',
    'see @ana',
    '1. first',
    '    a',
    '    b',
    '│ said',
    '  Page 1  asked by @ana',
    '[ Details ] [ K1 ↗ ] [ Filter ▾ ]',
    '(edited)',
  ]);
});

test('long lines are wrapped at 88 columns, with their indent', () => {
  const blocks = [{ type: 'context', elements: [plain('word '.repeat(40).trim())] }];
  const lines = renderText(message({ blocks }), names).split('\n').slice(1);
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.length <= 88 && line.startsWith('  word'))).toBe(true);
});
