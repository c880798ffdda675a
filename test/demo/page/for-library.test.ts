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

test('an escaped mention is none', () => {
  const mrkdwn = (text: string) => shown({ type: 'mrkdwn', text });
  expect(mrkdwn('at a.example&lt;!here&gt;, asked by <@U0ANA>')).toEqual(
    mrkdwn('at a.example<\u2060!here&gt;, asked by <@U0ANA>'),
  );
});

test.each([
  [0, 'looked up {date_short_pretty}', 'looked up today'],
  [-1, 'looked up {date_pretty}', 'looked up yesterday'],
  [1, 'on {date_long_pretty} at {time}', 'on tomorrow at {time}'],
  [-2, 'looked up {date_short_pretty}', 'looked up {date_short_pretty}'],
  [0, '{date_short_pretty} {time}', '{date_short_pretty} {time}'],
])(
  'of a day that is %i days off, %s begins with a capital letter only where it begins',
  (days, format, expected) => {
    const day = new Date();
    day.setDate(day.getDate() + days);
    const timestamp = Math.floor(day.getTime() / 1_000);
    expect(shown({ type: 'date', timestamp, format })).toEqual({ type: 'date', timestamp, format: expected });
    expect(shown({ type: 'mrkdwn', text: `<!date^${timestamp}^${format}|then>` })).toEqual({
      type: 'mrkdwn',
      text: `<!date^${timestamp}^${expected}|then>`,
    });
  },
);

test('everything else goes through as it is', () => {
  const block = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: ':a:' }] }],
  };
  expect(shown(block)).toEqual(block);
});
