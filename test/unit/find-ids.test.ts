import { expect, test } from 'vitest';
import { findIds } from '../../src/slack/commands/sentences.ts';
import { fc } from '../support/fast-check.ts';
import { hostileText } from '../support/hostile-text.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

test.for([
  ['a number of the usual length', { text: 'see 26808463.' }, ['26808463']],
  ['such numbers in their order, once', { text: '26808463, 2680846 (26808463)' }, ['26808463', '2680846']],
  ['links first', { text: '26808463 <https://d.example/26808470/hits|this>' }, ['26808470', '26808463']],
  ['a link without a usual id', { text: '<https://d.example.com/s/1012>' }, ['1012']],
  ['a link whose label says the same', { text: '<https://d.example.com/26808463|26808463>' }, ['26808463']],
  [
    'a link and another id as its label',
    { text: '<https://d.example.com/26808463|26808470>' },
    ['26808463', '26808470'],
  ],
  ['a link in quotes', { text: 'see "https://d.example.com/26808463"' }, ['26808463']],
  ['no other number of a link', { text: 'https://d.example.com/s/26808463?t=17636000' }, ['26808463']],
  ['no short number of a link', { text: '<https://d.example.com/s/17>' }, []],
  ['blocks', { text: '', blocks: [section('*26808463*')] }, ['26808463']],
  ['blocks with words', { text: '', blocks: [section('id: 26808463')] }, ['26808463']],
  ['a shorter number, when there is nothing better', { text: 'snapshot 1012' }, ['1012']],
  ['no shorter number beside something better', { text: 'snapshot 26808463 on port 8443' }, ['26808463']],
  [
    'no date, time, version, amount, article or telephone number',
    {
      text: '2026-11-20 10:30:15 17.1.3 1,234,567 K000162521 D000162521 +49-30-1234567 20261120_103015 a1b2c3d4 #1234567',
    },
    [],
  ],
  [
    'no number beside a sign that makes another one of it',
    { text: '+1234567 a/1234567 a:1234567 a,1234567 a.1234567 1234567/a 1234567:1 1234567,1 1234567.1' },
    [],
  ],
  ['no time as Slack writes it', { text: '<!date^1795167300^{date}|today>' }, []],
  ['no number of six or ten digits beside a usual one', { text: '268084, 2680846300, 2680846' }, ['2680846']],
  ['a number of as many digits as an id has', { text: '12345678901234567890' }, ['12345678901234567890']],
  ['no number of more digits than an id has', { text: `of ${'1'.repeat(21)} and 123` }, []],
  ['no mention', { text: '<@U12345678> <#C12345678|12345678>' }, []],
  ['no other field', { ts: '1795167300.000100', user: 'U26808463', client_msg_id: '26808463' }, []],
  ['nothing in nothing', undefined, []],
] as const)('finds %s', ([, message, ids]) => {
  expect(findIds(message)).toEqual(ids);
});

test('finds the id beside any text, and no more than a person wants to choose from', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { maxLength: 5 }), (texts) => {
      const ids = findIds({
        text: '26808463',
        blocks: texts.map(section),
        files: texts.map((name) => ({ name })),
      });
      expect(ids).toContain('26808463');
      expect(ids.length).toBeLessThanOrEqual(20);
    }),
  );
  const many = Array.from({ length: 500 }, (_, index) => 10_000_000 + index).join(' ');
  expect(findIds({ text: many })).toHaveLength(20);
});
