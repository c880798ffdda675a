import { expect, test } from 'vitest';
import { OpenedValues } from '../../../src/storage/backend/opened-values.ts';

test('A value is found by its name and by what exactly is stored', () => {
  const opened = new OpenedValues<string>();
  opened.remember('name', 'sealed', 'value');
  expect(opened.find('name', 'sealed')).toBe('value');
  expect(opened.find('name', 'altered')).toBeUndefined();
  expect(opened.find('other', 'sealed')).toBeUndefined();
  opened.remember('name', 'sealed anew', 'next');
  expect(opened.find('name', 'sealed')).toBeUndefined();
  opened.forget('name');
  expect(opened.find('name', 'sealed anew')).toBeUndefined();
});

test('Only the latest are remembered, and nothing that is long', () => {
  const opened = new OpenedValues<number>();
  for (let index = 0; index <= 50; index += 1) opened.remember(`${index}`, 'sealed', index);
  expect(opened.find('0', 'sealed')).toBeUndefined();
  expect(opened.find('50', 'sealed')).toBe(50);
  const long = 'x'.repeat(300_001);
  opened.remember('50', long, 51);
  expect(opened.find('50', long)).toBeUndefined();
});
