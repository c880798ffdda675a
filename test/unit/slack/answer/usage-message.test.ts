import { expect, test } from 'vitest';
import { usageMessage } from '../../../../src/slack/answer/usage-message.ts';
import { textsOf } from '../../../support/message-parts.ts';

test('The help teaches the status to admins alone', () => {
  expect(textsOf(usageMessage('/check').blocks, 'text')).not.toContain('/check status');
  expect(textsOf(usageMessage('/check', undefined, true).blocks, 'text')).toContain('/check status');
});

test('What was typed is text: beside the blocks it can mention nobody', () => {
  const { text } = usageMessage('/check', '“<!here>” names no snapshot.');
  expect(text).toMatch(/^“&lt;!here&gt;” names no snapshot\./);
});
