import { expect, test } from 'vitest';
import { forLibrary } from './for-library.ts';

const shown = (block: Record<string, unknown>) => forLibrary([block])[0];

test('plain text becomes rich text, where nothing is markup', () => {
  const text = { type: 'plain_text', text: 'at 12:30:45 *b*' };
  expect(shown({ type: 'section', text })).toEqual({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'at 12:30:45 *b*' }] }],
  });
});

test('a link with a port stays a link', () => {
  const text = { type: 'mrkdwn', text: 'at <https://localhost:4000>, *now*', verbatim: true };
  expect(shown({ type: 'section', text })).toEqual({
    type: 'section',
    text: { type: 'mrkdwn', text: 'at <https://localhost:4000|https∶//localhost∶4000>, *now*' },
  });
});

test('everything else goes through as it is', () => {
  const block = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: ':a:' }] }],
  };
  expect(shown(block)).toEqual(block);
});
