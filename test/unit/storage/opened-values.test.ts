import { expect, test } from 'vitest';
import { OpenedValues } from '../../../src/storage/backend/opened-values.ts';

test('A value is found by its name and by what exactly is stored', () => {
  const opened = new OpenedValues<string>();
  opened.remember('name', 'sealed', { value: 'value', length: 5 });
  expect(opened.find('name', 'sealed')).toBe('value');
  expect(opened.find('name', 'altered')).toBeUndefined();
  expect(opened.find('other', 'sealed')).toBeUndefined();
  opened.remember('name', 'sealed anew', { value: 'next', length: 4 });
  expect(opened.find('name', 'sealed')).toBeUndefined();
  opened.forget('name');
  expect(opened.find('name', 'sealed anew')).toBeUndefined();
});

test('Fifty are remembered, the latest ones', () => {
  const opened = new OpenedValues<number>();
  for (let index = 0; index <= 50; index += 1)
    opened.remember(`${index}`, 'sealed', { value: index, length: 1 });
  expect(opened.find('0', 'sealed')).toBeUndefined();
  expect([opened.find('1', 'sealed'), opened.find('50', 'sealed')]).toEqual([1, 50]);
});

test('The latest are remembered, as many as fit, and none that does not fit alone', () => {
  const opened = new OpenedValues<number>();
  const found = () => ['1', '2', '3', '4', '5'].filter((name) => opened.find(name, 'sealed') !== undefined);
  for (const [name, value] of [1, 2, 3, 4].entries()) {
    opened.remember(`${name + 1}`, 'sealed', { value, length: 4_000_000 });
  }
  expect(found()).toEqual(['1', '2', '3', '4']);
  opened.remember('5', 'sealed', { value: 5, length: 4_000_001 });
  expect(found()).toEqual(['3', '4', '5']);
  opened.remember('5', 'sealed', { value: 6, length: 1 });
  opened.forget('3');
  opened.remember('1', 'sealed', { value: 7, length: 11_999_999 });
  expect(found()).toEqual(['1', '4', '5']);
  opened.remember('2', 'sealed', { value: 8, length: 16_000_001 });
  expect(found()).toEqual([]);
});
