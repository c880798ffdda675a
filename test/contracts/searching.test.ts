import { describe, expect, test } from 'vitest';
import type { Diagnostic, Match } from '../../src/core/diagnostics.ts';
import { search } from '../../src/core/searching.ts';
import { aDiagnostic } from '../support/a-diagnostic.ts';
import { fc } from '../support/fast-check.ts';

async function names(diagnostics: readonly Diagnostic[], ...terms: string[]): Promise<string[]> {
  const { matches } = await search(diagnostics, terms);
  return diagnostics.filter((each) => matches.has(each)).map(({ name }) => name);
}

/** The verdict on an id as `outcome: names`, with the names of the diagnostics that give it. */
async function verdict(diagnostics: readonly Diagnostic[], id: string): Promise<string> {
  const { verdicts } = await search(diagnostics, [id]);
  return verdicts.map(({ outcome, saidBy }) => `${outcome}: ${saidBy.map(({ name }) => name)}`).join('; ');
}

describe('a search looks into', () => {
  const article = 'https://support.acme.example/s/article/K000100032?lang=en';
  test.each([
    ['the name', { name: 'D000162521' }, 'd000162521'],
    ['the second name', { otherName: 'H770025-1' }, 'h770025-1'],
    ['every version with a fix', { fixedIn: ['17.1.3', '17.1.4'] }, '17.1.4'],
    ['an address as it stands', { solutions: [{ url: 'https://acme.example/a%20b' }] }, 'a%20b'],
    ['every piece of evidence', { output: ['one', 'two', 'pool_checkout'] }, 'pool_checkout'],
    ['every CVE', { cveIds: ['CVE-2026-1', 'CVE-2026-10000'] }, 'cve-2026-10000'],
    ['the id of a solution', { solutions: [{ url: '', id: 'K000100032' }] }, 'K000100032'],
    ['the address of a solution', { solutions: [{ url: article }] }, 'K000100032'],
    ['what is typed with accents', { title: 'Systeme' }, 'système'],
  ] as const)('%s', async (_where, said, term) => {
    expect(await names([aDiagnostic({ name: 'D1', ...said })], term)).toHaveLength(1);
    expect(await names([aDiagnostic({ name: 'D1' })], term)).toEqual([]);
  });
});

test('A search for “hit” or “high” finds no diagnostic by its side or level', async () => {
  const all = [aDiagnostic({ name: 'D1' })];
  expect([...(await names(all, 'hit')), ...(await names(all, 'high'))]).toEqual([]);
});

test('All words have to occur, wherever in the diagnostic each of them does', async () => {
  const both = aDiagnostic({ name: 'D1', title: 'A certificate', output: ['it has expired'] });
  const one = aDiagnostic({ name: 'D2', title: 'A certificate' });
  expect(await names([both, one], 'certificate', 'expired')).toEqual(['D1']);
  expect(await names([both, one], 'certificate')).toEqual(['D1', 'D2']);
  expect(await names([both, one])).toEqual(['D1', 'D2']);
});

test('A search for several ids finds hits with any of them, and words narrow the search', async () => {
  const hits = [
    aDiagnostic({ name: 'D1', cveIds: ['CVE-2026-10000'], title: 'In the shell' }),
    aDiagnostic({ name: 'D2', cveIds: ['CVE-2026-10001'], title: 'In the web page' }),
    aDiagnostic({ name: 'D3', title: 'In the shell' }),
  ];
  expect(await names(hits, 'CVE-2026-10000', 'CVE-2026-10001')).toEqual(['D1', 'D2']);
  expect(await names(hits, 'CVE-2026-10000', 'CVE-2026-10001', 'shell')).toEqual(['D1']);
});

test('An id is found as a whole only', async () => {
  const longer = aDiagnostic({
    name: 'H770025-1',
    title: 'CVE-2026-10000',
    output: ['K0001000321'],
  });
  expect(await names([longer], 'CVE-2026-1000')).toEqual([]);
  expect(await names([longer], 'K000100032')).toEqual([]);
  expect(await names([longer], 'H77002')).toEqual([]);
  expect(await names([longer], 'H770025')).toEqual(['H770025-1']);
  expect(await names([longer], 'H770025-1')).toEqual(['H770025-1']);
  // The id occurs as a part of a longer id, and then by itself.
  const both = aDiagnostic({ output: ['CVE-2026-10000, CVE-2026-1000'] });
  expect(await names([both], 'CVE-2026-1000')).toHaveLength(1);
});

describe('the verdict', () => {
  const hit = aDiagnostic({
    name: 'D000000001',
    cveIds: ['CVE-2026-10000'],
    solutions: [{ url: 'https://support.acme.example/K000100032?for=CVE-2026-10000' }],
    summary: 'Not to be confused with CVE-2026-20000, see K000999999.',
  });
  const passed = aDiagnostic({
    name: 'D000000002',
    match: 'miss',
    title: 'Shell vulnerability CVE-2026-30000',
  });
  const again = aDiagnostic({ name: 'D000000003', match: 'miss', cveIds: ['CVE-2026-10000'] });
  const all = [passed, again, hit];
  test.each([
    ['CVE-2026-10000', 'hit: D000000001'],
    ['cve-2026-10000', 'hit: D000000001'],
    ['K000100032', 'hit: D000000001'],
    ['D000000001', 'hit: D000000001'],
    ['CVE-2026-30000', 'passed: D000000002'],
    ['D000000002', 'passed: D000000002'],
    ['CVE-2026-20000', 'mentioned: D000000001'],
    ['K000999999', 'mentioned: D000000001'],
    ['CVE-2026-40000', 'absent: '],
    ['D000000004', 'absent: '],
  ])('on %s is %s', async (id, expected) => {
    expect(await verdict(all, id)).toBe(expected);
  });

  test('exists for each id, in the typed order, and for no word', async () => {
    const { verdicts } = await search(all, ['CVE-2026-40000', 'shell', 'D000000002']);
    expect(verdicts.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'CVE-2026-40000 absent',
      'D000000002 passed',
    ]);
  });
});

test('The bare number of an id that does not occur is looked for in all texts', async () => {
  const said = [{ output: ['port 10018'] }, { summary: '110018' }].map(aDiagnostic);
  expect((await search(said, ['CVE-2026-10018'])).verdicts).toEqual([
    { id: 'CVE-2026-10018', outcome: 'perhaps', saidBy: said.slice(0, 1), number: '10018' },
  ]);
  const named = [...said, aDiagnostic({ summary: 'CVE-2026-10018' })];
  expect((await search(named, ['CVE-2026-10018'])).verdicts).toMatchObject([{ outcome: 'mentioned' }]);
});

test('Text of many megabytes is searched whole', async () => {
  const filler = 'x'.repeat(249_995);
  const long = aDiagnostic({ output: [`${filler}core dump${filler.repeat(8)}last words`] });
  expect(await names([long], 'core dump', 'last words')).toHaveLength(1);
});

/** A word, in its plain form or with accents, capitals or odd spaces. */
const word = fc.constantFrom(
  'core',
  'dump',
  'tmm',
  'port',
  'portal',
  'is',
  'a',
  '(',
  'k0001',
  'cve-2026-1000',
);
const decorated = fc
  .tuple(fc.array(word, { maxLength: 6 }), fc.infiniteStream(fc.nat(3)))
  .map(([list, dice]) => {
    const plain = list.join(' ');
    const dressed = [...plain].map((character) => {
      const how = dice.next().value;
      if (how === 1) return character.toUpperCase();
      if (how === 2 && /[aeiou]/.test(character)) return `${character}\u0301`.normalize('NFC');
      return how === 3 && character === ' ' ? '\n\u00a0' : character;
    });
    return { plain, dressed: dressed.join('') };
  });

const anyPair = fc
  .record({
    title: decorated,
    summary: decorated,
    action: decorated,
    output: fc.array(decorated, { maxLength: 3 }),
    match: fc.constantFrom<Match>('hit', 'miss'),
  })
  .map(({ title, summary, action, output, match }) => ({
    plain: [title, summary, action, ...output].map((text) => text.plain),
    diagnostic: aDiagnostic({
      match,
      title: title.dressed,
      summary: summary.dressed,
      action: action.dressed,
      output: output.map((text) => text.dressed),
    }),
  }));

test('In any document, a search finds exactly what a plain search of the plain texts finds', async () => {
  const sought = fc.array(fc.constantFrom('core', 'port', 'portal', 'core dump', 'TMM', 'is a', '('), {
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyPair, { maxLength: 8 }), sought, async (pairs, terms) => {
      const { matches } = await search(
        pairs.map(({ diagnostic }) => diagnostic),
        terms,
      );
      const expected = pairs.filter(({ plain }) =>
        terms.every((term) => plain.some((text) => text.includes(term.toLowerCase()))),
      );
      expect([...matches]).toEqual(expected.map(({ diagnostic }) => diagnostic));
    }),
    { numRuns: 400 },
  );
});
