import { expect, test } from 'vitest';
import { readable, WIDTH, wrap } from './text-lines.ts';

test('markup in text is shown as people read it', () => {
  const names = new Map(Object.entries({ U0ANA: 'ana', C0SUPPORT: 'support' }));
  const text = '*<@U0ANA>* in <#C0SUPPORT>: <https://a.example/x|K1> &lt;b&gt; &amp; 2*3*4 *more*';
  expect(readable(text, names)).toBe('@ana in #support: K1 (https://a.example/x) <b> & 2*3*4 more');
});

test('long lines are wrapped, with their indent', () => {
  const lines = wrap('word '.repeat(40).trim(), '  ');
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.length <= WIDTH && line.startsWith('  word'))).toBe(true);
});
