import { expect, test } from 'vitest';
import { answerTo, readChoice, usageMessage } from '../../../../src/slack/answer/usage-message.ts';
import { objectsIn, textsOf } from '../../../support/message-parts.ts';

const USAGE = { kind: 'usage' } as const;

test('The help teaches the status to admins alone', () => {
  for (const help of [usageMessage('/check'), answerTo(USAGE, '/check')])
    expect(textsOf(help.blocks, 'text')).not.toContain('/check status');
  for (const help of [usageMessage('/check', undefined, true), answerTo(USAGE, '/check', '1.1', true)])
    expect(textsOf(help.blocks, 'text')).toContain('/check status');
});

test('What was typed is text: beside the blocks it can mention nobody', () => {
  const problem = '“<!here>” is not a snapshot id.';
  const offers = [{ label: '1010', form: '1010' }];
  for (const { text } of [usageMessage('/check', problem), answerTo({ ...USAGE, problem, offers }, '/check')])
    expect(text).toMatch(/^“&lt;!here&gt;” is not a snapshot id\./);
});

test('An offer asks for its form as it would be typed here, and is read aloud', () => {
  const offers = [
    { label: 'Look up 1010', spoken: 'Look up 1010: 1010 “core dump”', form: '1010 “core dump”' },
    { label: '1011', form: '1011' },
  ];
  const { blocks } = answerTo({ ...USAGE, problem: 'Which?', offers }, '@Snapshot', '1.1');
  const buttons = objectsIn(blocks).filter(({ type }) => type === 'button');
  expect(buttons.map(({ value }) => readChoice(String(value)))).toEqual(
    offers.map(({ form }) => ({ form, command: '@Snapshot', thread: '1.1' })),
  );
  expect(buttons.map(({ accessibility_label: spoken }) => spoken)).toEqual([offers[0]?.spoken, undefined]);
  expect(new Set(buttons.map(({ action_id: id }) => id)).size).toBe(2);
});

test.each([
  [undefined, 'Which?'],
  [{ form: '1010' }, 'Which? Did you mean “/check 1010”?'],
  [
    { form: '1010 hit', typed: 'hti' },
    'Did you mean “/check 1010 hit”? To search for “hti”, put it in quotes.',
  ],
])('What may be meant is asked in one line: %o', (meant, question) => {
  const offers = [{ label: '1010', form: '1010' }];
  const { text } = answerTo({ ...USAGE, problem: 'Which?', offers, ...(meant && { meant }) }, '/check');
  expect(text).toBe(question);
});
