import { expect, test } from 'vitest';
import { align, compareHits, type Named } from '../../src/core/comparing.ts';
import { levelOf } from '../../src/core/importance.ts';
import { fc } from '../support/fast-check.ts';

function hits(...all: string[]): Named[] {
  return all.map((one) => {
    const [name = '', importance = 'HIGH'] = one.split(' ');
    return { name, importance };
  });
}

const CHANGES = ['new', 'changed', 'cleared', 'unlisted', 'unchanged'] as const;
const ALL: ReadonlySet<string> = new Set(['D1', 'D2', 'D3', 'D4', 'constructor', 'toString', '']);

/** The changes of hits in a short form, such as `new: D1; cleared: D2`. */
function became(before: Named[], after: Named[], passed = ALL): string {
  const comparison = compareHits(before, after, passed);
  return CHANGES.filter((change) => comparison[change].length > 0)
    .map((change) => `${change}: ${comparison[change].map(({ hit, was }) => short(hit, was)).join(' ')}`)
    .join('; ');
}

function short(hit: Named, was?: Named): string {
  return was === undefined || was.importance === hit.importance ? hit.name : `${hit.name}<${was.importance}`;
}

test.each([
  ['nothing and nothing', [], [], ''],
  ['a hit that came', [], ['D1'], 'new: D1'],
  ['a hit that went', ['D1'], [], 'cleared: D1'],
  ['a hit that stayed', ['D1'], ['D1'], 'unchanged: D1'],
  ['a hit of another importance', ['D1 LOW'], ['D1 HIGH'], 'changed: D1<LOW'],
  ['an importance in another case', ['D1 LOW'], ['D1 low'], 'unchanged: D1<LOW'],
  ['most important first', [], ['D1 LOW', 'D2 CRITICAL', 'D3 Odd', 'D4 HIGH'], 'new: D2 D4 D1 D3'],
  ['cleared ones of a level in their order', ['D2', 'D1', 'D3', 'D1'], [], 'cleared: D2 D1 D3 D1'],
  ['cleared ones by importance too', ['D1 LOW', 'D2 CRITICAL'], [], 'cleared: D2 D1'],
  ['a name that came twice', ['D1'], ['D1', 'D1'], 'new: D1; unchanged: D1'],
  ['a name of which one went', ['D1', 'D1'], ['D1'], 'cleared: D1; unchanged: D1'],
  ['namesakes', ['D1 HIGH', 'D1 LOW'], ['D1 HIGH', 'D1 MEDIUM'], 'changed: D1<LOW; unchanged: D1'],
  ['a hit that the later one does not list', ['D9', 'D1'], [], 'cleared: D1; unlisted: D9'],
  ['names of any object', ['constructor'], ['__proto__'], 'new: __proto__; cleared: constructor'],
] as const)('Two analyses with %s', (_name, before, after, expected) => {
  expect(became(hits(...before), hits(...after))).toBe(expected);
});

test('If several hits have the same name, the first hit of one analysis is paired with the first of the other', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((title) => ({
    name: 'D1',
    importance: 'HIGH',
    title,
  }));
  const [first, second] = ['first', 'second'].map((title) => ({ name: 'D1', importance: 'HIGH', title }));
  if (!one || !two || !three || !first || !second) throw new Error('five hits');
  const { unchanged, cleared } = compareHits([one, two, three], [first, second], ALL);
  expect(unchanged).toEqual([
    { hit: first, was: one },
    { hit: second, was: two },
  ]);
  expect(cleared).toEqual([{ hit: three }]);
  const lower = [first, second].map((hit) => ({ ...hit, importance: 'LOW' }));
  expect(compareHits([one, two, three], lower, ALL).changed.map(({ was }) => was)).toEqual([one, two]);
});

test('If several hits have the same name, the first hits of all analyses share a row, then the second hits', () => {
  const analyses = [hits('D1', 'D1 MEDIUM'), hits('D1', 'D1 LOW'), hits('D1 MEDIUM', 'D1 LOW')];
  const rows = align(analyses).map(({ cells }) => cells.map((cell) => cell?.importance));
  expect(rows).toEqual([
    ['HIGH', 'HIGH', 'MEDIUM'],
    ['MEDIUM', 'LOW', 'LOW'],
  ]);
});

const anyHits = fc.array(
  fc.record({
    name: fc.constantFrom('D1', 'D2', 'D3', 'toString', ''),
    importance: fc.constantFrom('CRITICAL', 'high', 'HIGH ', '', 'Odd'),
  }),
  { maxLength: 12 },
);

test('Each hit of both analyses occurs once, and only hits with the same name are paired', () => {
  fc.assert(
    fc.property(anyHits, anyHits, (before, after) => {
      const comparison = compareHits(before, after, ALL);
      const { new: added, changed, unchanged } = comparison;
      const cleared = [...comparison.cleared, ...comparison.unlisted];
      const kept = [...changed, ...unchanged];
      expect(new Set([...added, ...kept].map(({ hit }) => hit))).toEqual(new Set(after));
      expect(added.length + kept.length).toBe(after.length);
      expect(cleared.length + kept.length).toBe(before.length);
      expect(kept.every(({ hit, was }) => hit.name === was?.name)).toBe(true);
      const isSame = ({ hit, was }: (typeof kept)[number]) => was && levelOf(hit).key === levelOf(was).key;
      expect(unchanged.every(isSame)).toBe(true);
      expect(changed.some(isSame)).toBe(false);
      const gone = new Set(cleared.map(({ hit }) => hit.name));
      expect(added.filter(({ hit }) => gone.has(hit.name))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
