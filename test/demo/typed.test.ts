import { expect, test } from 'vitest';
import { typed } from './typed.ts';

const directory = {
  users: new Map([
    ['snapshot', 'U0SNAPSHOT'],
    ['ana', 'U0ANA'],
  ]),
  channels: new Map([['support', 'C0SUPPORT']]),
};

test('names become mentions and addresses become links, as in Slack', () => {
  const { text, blocks } = typed('@snapshot see https://x.example/a?b=1&c=2 in #support', directory);
  expect(text).toBe('<@U0SNAPSHOT> see <https://x.example/a?b=1&amp;c=2> in <#C0SUPPORT|support>');
  expect(blocks).toMatchObject([
    {
      elements: [
        {
          elements: [
            { type: 'user', user_id: 'U0SNAPSHOT' },
            { type: 'text', text: ' see ' },
            { type: 'link', url: 'https://x.example/a?b=1&c=2' },
            { type: 'text', text: ' in ' },
            { type: 'channel', channel_id: 'C0SUPPORT' },
          ],
        },
      ],
    },
  ]);
});

test('an escaped command has the labels too', () => {
  expect(typed('@ana https://x.example', directory, true).text).toBe(
    '<@U0ANA|ana> <https://x.example|https://x.example>',
  );
});

test('names that nobody has, and markup, stay text', () => {
  expect(typed('@nobody <!channel> & #nowhere', directory).text).toBe(
    '@nobody &lt;!channel&gt; &amp; #nowhere',
  );
});
