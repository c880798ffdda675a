import { describe, expect, test } from 'vitest';
import { cveIdsIn } from '../../../src/core/naming.ts';
import { search } from '../../../src/core/searching.ts';
import { cutBefore, idsOfTerm, isIssueId, withWholeIds } from '../../../src/core/texts.ts';
import { readDocument } from '../../../src/service/document.ts';
import { fc } from '../../support/fast-check.ts';

test.each([
  ['CVE-2026-1000', true],
  ['cve-2026-12345678', true],
  ['CVE-2026-100', false],
  ['xCVE-2026-1000', false],
  ['CVE-2026-1000x', false],
  ['K1234', true],
  ['K123', false],
  ['OK1234', false],
  ['K1234x', false],
  ['D000162521', true],
  ['H770025-12', true],
  ['H770025-', false],
  ['AD1234', false],
  ['D1234-1x', false],
  ['core', false],
  ['CVE', false],
  ['cve-2026', false],
  ['26808463', false],
  ['cve-1999-0001', true],
  ['H00040234', true],
])('That %s is an id: %s', (term, isId) => {
  expect(isIssueId(term)).toBe(isId);
});

test.each([
  ['cve_2026_10005', ['CVE-2026-10005']],
  ['CVE-2026-10018/10019', ['CVE-2026-10018', 'CVE-2026-10019']],
  ['CVE-2026-010018', ['CVE-2026-10018']],
  ['CVE-2014-00160', ['CVE-2014-0160']],
  ['CVE-26-10018', ['CVE-2026-10018']],
  ['CVE-99-1021', ['CVE-1999-1021']],
  ['CVE-90-1021', ['CVE-1990-1021']],
  ['sol15483.html', ['K15483']],
  ['h770025-1', ['H770025-1']],
  ['https://support.acme.example/kb/15000/sol15483.html?x=1', ['K15483']],
  ['http://support.acme.example/s/article/000100020', ['K000100020']],
  ['https://support.acme.example/s/articles/000100020', ['K000100020']],
  ['https://support.acme.example/K000100010/K000100020', ['K000100020']],
  ['https://support.acme.example/s/%4B000100020', ['K000100020']],
  ['https://support.acme.example/s/articles/Guide-K000100020', ['K000100020']],
  ['https://support.acme.example/s/article/K000100020?from=K000100021#K000100022', ['K000100020']],
  ['https://support.acme.example/snapshots/26808463', []],
  ['https://support.acme.example/cases?article=K000100020', []],
  ['https://nvd.example/vuln/detail/CVE-2026-10018', ['CVE-2026-10018']],
  ['https://www.cve.example/CVERecord?id=CVE-2026-10018', ['CVE-2026-10018']],
  ['CVE-2026-10018/19', ['CVE-2026-10018', 'CVE-2026-10019']],
  ['K000100010/11/-12', ['K000100010', 'K000100011', 'K000100012']],
  ['K000100010/000100012', ['K000100010', 'K000100012']],
  ['CVE202610018', ['CVE-2026-10018']],
  ['KB000100032', ['K000100032']],
  ['KB-000100032', ['K000100032']],
])('What is typed as %s means %j', (typed, ids) => {
  expect(idsOfTerm(typed).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ['26808463 CVE 2026-10004', '26808463 CVE-2026-10004'],
  ['cves: 2026 10004, cve_2026_10005', 'CVE-2026-10004, CVE-2026-10005'],
  ['26808463 cve', '26808463 cve'],
  ['cve 1010 1011', 'cve 1010 1011'],
  ['CVE - 2026 - 10018', 'CVE-2026-10018'],
  ['cve 20261234', 'cve 20261234'],
  ['kb 26808463', 'kb 26808463'],
  ['https://acme.example/K000100010/11', 'https://acme.example/K000100010/11'],
  ['CVE-2026-10018/19/ and K000100010/11-12', 'CVE-2026-10018/19/ and K000100010/11-12'],
])('%s is read as %s', (typed, whole) => {
  expect(withWholeIds(typed)).toBe(whole);
});

describe('The CVEs that a text names', () => {
  test.each([
    ['A leak (CVE-2026-10001)', ['CVE-2026-10001']],
    ['cve\u20112026\u201110001 and CVE\u20132026\u20131234567', ['CVE-2026-10001', 'CVE-2026-1234567']],
    ['CVE-2026-1000, CVE-2026-1000 again', ['CVE-2026-1000']],
    ['CVE-2026-123', []],
    ['CVE-26-10001 and CVE 26 2026-10002', ['CVE-2026-10001']],
    ['CVE-20266-10001', []],
    ['XCVE-2026-10001 and CVE-2026-10002x', ['CVE-2026-10001', 'CVE-2026-10002x']],
    ['CVE 2026 10001', ['CVE-2026-10001']],
    [
      'CVE-2026-10018/10019, 2025-10020 and -10021',
      ['CVE-2026-10018', 'CVE-2026-10019', 'CVE-2025-10020', 'CVE-2025-10021'],
    ],
    [
      'CVE-2026-10018|2026-10019 & 2026-10020; 2026-10021 or 2026-10022',
      ['CVE-2026-10018', 'CVE-2026-10019', 'CVE-2026-10020', 'CVE-2026-10021', 'CVE-2026-10022'],
    ],
    ['CVE-2026-1001?, 2026-10020', ['CVE-2026-1001?', 'CVE-2026-10020']],
    ['CVE-2026-10018 since 2026-11-22, -1.5 V, 10019 or - 10020', ['CVE-2026-10018']],
    ['x%20CVE%2D2026%2D10001 and %2543VE-2026-10002', ['CVE-2026-10001', 'CVE-2026-10002']],
    ['%E0%A4%A CVE-2026-10001', ['CVE-2026-10001']],
    [
      'CVE 2026-10001, CVE_2026_10002 and CVE: 2026-10003',
      ['CVE-2026-10001', 'CVE-2026-10002', 'CVE-2026-10003'],
    ],
    ['CVEs 2026-10001 and (CVE\u20142026\u221210002)', ['CVE-2026-10001', 'CVE-2026-10002']],
    ['CVE-2026- 10001 and CVE\uff0d2026\u00ad-10002', ['CVE-2026-10001', 'CVE-2026-10002']],
    ['A leak of CVE-2026-10001Attackers can use', ['CVE-2026-10001']],
    ['CVE-2026-1000X and CVE-2026-12345678901234567890', ['CVE-2026-1000x']],
    ['2026-10001 is a date, CVE 17 no year', []],
    ['CVE-abcd-efgh', []],
    ['CVE-2026-10015 through CVE-2026-10020', ['CVE-2026-10015 to CVE-2026-10020']],
    [
      'CVE-2026-10015 \u2013 CVE-2026-10020, 2026-10022',
      ['CVE-2026-10015 to CVE-2026-10020', 'CVE-2026-10022'],
    ],
    ['between CVE-2026-10015 and CVE-2026-10020', ['CVE-2026-10015 to CVE-2026-10020']],
    ['between the CVE-2026-10015 and CVE-2026-10020', ['CVE-2026-10015 to CVE-2026-10020']],
    [
      'CVE-2026-1001 thru 1002; CVE-2026-1003 till 1004; CVE-2026-1005 until 1006',
      ['CVE-2026-1001 to CVE-2026-1002', 'CVE-2026-1003 to CVE-2026-1004', 'CVE-2026-1005 to CVE-2026-1006'],
    ],
    [
      'CVE-2026-1007 all the way to 1008 and CVE-2026-1009 up to incl 1010',
      ['CVE-2026-1007 to CVE-2026-1008', 'CVE-2026-1009 to CVE-2026-1010'],
    ],
    ['CVE-2026-10015 and CVE-2026-10020', ['CVE-2026-10015', 'CVE-2026-10020']],
    ['CVE-2026-10020 to CVE-2026-10015', ['CVE-2026-10020', 'CVE-2026-10015']],
    ['CVE-2026-1001[5-9]', ['CVE-2026-1001[5-9]']],
    ['CVE-2026-1001{8,9}, CVE-2026-xxxxx', ['CVE-2026-1001{8,9}', 'CVE-2026-xxxxx']],
    ['CVE IDs 2026-10018 through 2026-10020', ['CVE-2026-10018 to CVE-2026-10020']],
    [
      '**CVE-2026-10018** and https://acme.example/CVE-2026-10019?lang=en',
      ['CVE-2026-10018', 'CVE-2026-10019'],
    ],
    ['CVE-2026-10018, similar to CVE-2026-10020', ['CVE-2026-10018', 'CVE-2026-10020']],
    [
      'CVE-2026-1001?, CVE-2026-10018[1] and CVE-2026-10019(2)',
      ['CVE-2026-1001?', 'CVE-2026-10018', 'CVE-2026-10019'],
    ],
    ['', []],
  ])('%j: %j', (text, ids) => {
    expect(cveIdsIn(text)).toEqual(ids);
  });
});

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
const percent = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** Each text of a document in which an id may stand, and whether lines of it stay lines. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  title: (text) => `<results><h_header>${text}</h_header></results>`,
  summary: (text) => `<results><h_summary>${text}</h_summary></results>`,
  action: (text) => `<results><h_action>${text}</h_action></results>`,
  evidence: (text) => `<output>one</output><output>${text}</output>`,
  link: (text) => `<results><h_sols><solution>https://acme.example/${text}</solution></h_sols></results>`,
  'link id': (text) =>
    `<results><h_sols><solution id="${text}">https://acme.example/</solution></h_sols></results>`,
};
const OF_LINES = ['summary', 'action', 'evidence'];

async function outcomeOf(id: string, inside: string): Promise<string | undefined> {
  const run = '<run_data><match>true</match></run_data>';
  const xml = `<diagnostic_output><diagnostics><diagnostic name="Z1">${run}${inside}</diagnostic></diagnostics></diagnostic_output>`;
  return (await search(readDocument(xml).diagnostics, [id])).verdicts[0]?.outcome;
}

const year = fc.integer({ min: 1999, max: 2030 }).map(String);
const digits = fc.integer({ min: 1_000, max: 9_999_999 }).map(String);
const gap = fc.constantFrom(
  '-',
  '_',
  ' ',
  ': ',
  '\u2011',
  '\u2013',
  '.',
  '/',
  '-\n',
  ' -',
  '\u00ad-',
  '\uff0d',
);
const before = fc.constantFrom(
  '',
  'vulnerability',
  'x',
  'see ',
  '(',
  '"',
  '\n',
  'https://acme.example/',
  'CVE-2020-7777, ',
);
const after = fc.constantFrom(
  '',
  'An attacker',
  'for',
  ')',
  '.',
  '_',
  '/',
  ' 5',
  '.html',
  ', CVE-2020-7777',
  '\n',
);

const aCve = fc
  .record({ year, number: digits, first: fc.oneof(gap, fc.constant('')), second: gap, other: digits })
  .chain(({ year: y, number, first, second, other }) => {
    const plain = `CVE-${y}-${number}`;
    return fc
      .constantFrom(
        ...[plain, `CVE${first}${y}${second}${number}`, `cve${first}${y}${second}${number}`, percent(plain)],
        ...[
          `CVE-${y}-${other}/${number}`,
          `CVE-${y}-${other}, -${number}`,
          `CVE-${y}-${other} and ${number}`,
        ],
        ...[`CVEs ${y}: ${other}, ${number}`, `${y}-${number}`, `CVE${y}${number}`],
      )
      .map((text) => ({ id: plain, text }));
  });
const anArticle = digits.chain((number) =>
  fc
    .constantFrom(
      `K${number}`,
      `k${number}`,
      `sol${number}.html`,
      `KB${number}`,
      `KB-${number}`,
      `s/article/${number}`,
      percent(`K${number}`),
    )
    .map((text) => ({ id: `K${number}`, text })),
);
const aName = digits.chain((number) =>
  fc
    .constantFrom(`D${number}`, `h${number}-12`, `H${number}`)
    .map((text) => ({ id: `${text[0]}${number}`, text })),
);
/** A range whose ends are named in any way, and an id within. */
const aRange = fc
  .record({
    ...{ year, number: fc.integer({ min: 10_100, max: 99_800 }), below: fc.nat(90), above: fc.nat(90) },
    to: fc.constantFrom(
      '-',
      ' - ',
      '\u2013',
      ' \u2013 ',
      '..',
      '...',
      '\u2026',
      ' to ',
      ' through ',
      '\nthrough ',
      ' up to ',
      ' up to and including ',
      ' through to ',
      ' upto ',
      ' \u2192 ',
      ' -> ',
    ),
  })
  .chain(({ year: y, number, below, above, to }) => {
    const [first, last] = [number - below, number + above];
    const [cve, article, start] = [`CVE-${y}-${first}`, `K${first}`, String(number).slice(0, -1)];
    const end = String(number).slice(-2);
    return fc.oneof(
      fc
        .constantFrom(
          ...[`${cve}${to}CVE-${y}-${last}`, `${cve}${to}${y}-${last}`, `${cve}${to}${last}`],
          ...[`between ${cve} and CVE-${y}-${last}`, `CVE-${y}-9999, ${y}-${first}${to}${y}-${last}`],
          ...[`CVE-${y}-${start}[0-9]`, `CVE-${y}-${start}x,`, `CVE-${y}-${start}?`, `CVE-${y}-${start}*`],
          ...[`CVE-${y}-${start.slice(0, -1)}xx,`, `CVE-${y}-${start}{0,1,2,3,4,5,6,7,8,9}`],
          ...[`CVE-${y}-${start}[0123456789]`, `CVE-${y}-${start}(0|1|2|3|4|5|6|7|8|9)`, `CVE-${y}-*`],
          ...[`CVE IDs ${y}-${first}${to}${y}-${last}`, `CVE-${y}-xxxxx,`, `CVE-${y}-#####,`],
          ...['/', '/-', ', ', ' and ', ' & ', '/00/'].map((gap) => `CVE-${y}-${start}0${gap}${end}`),
        )
        .map((text) => ({ id: `CVE-${y}-${number}`, text })),
      fc
        .constantFrom(
          ...[`${article}${to.trim()}K${last}`, `D${first} ${to.trim()} D${last}`],
          ...[`${article}/${number}`, `K${start}0/${end}`, `K${start}0/00/${end}`],
        )
        .map((text) => ({ id: `${text.charAt(0)}${number}`, text })),
    );
  });
const spelled = fc.record({ named: fc.oneof(aCve, aRange, anArticle, aName), before, after });

test('Whatever spelling an id has, in any text of a document, it is never said not to be mentioned', async () => {
  const place = fc.constantFrom(...Object.keys(PLACES));
  await fc.assert(
    fc.asyncProperty(spelled, place, async (all, where) => {
      const inside = PLACES[where]?.(escaped(`${all.before}${all.named.text}${all.after}`)) ?? '';
      expect(await outcomeOf(all.named.id, inside)).not.toBe('absent');
    }),
    { numRuns: 3_000 },
  );
});

test('Nor where a line ends anywhere in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('CVE-2026-10003', 'K000100013', 'D000162521'),
      fc.nat(),
      fc.constantFrom('\n', '\n    '),
      fc.constantFrom(...OF_LINES),
      async (id, place, end, where) => {
        const at = 1 + (place % (id.length - 1));
        const inside = PLACES[where]?.(`found ${id.slice(0, at)}${end}${id.slice(at)} here`) ?? '';
        expect(await outcomeOf(id, inside)).not.toBe('absent');
      },
    ),
  );
});

test('A digit beside an id makes it another one, and a number alone means none', async () => {
  const other = fc.constantFrom(
    ...['CVE-2026-100031', 'CVE-12026-10003', 'CVE-2025-10003', 'K0001000131', '1K000100013', 'K1000100013'],
    ...['D0001625211', '3D000162521', 'found 10003 of 000100013', 'sol0001000131.html', 'on 2026-10-03'],
  );
  const sought = fc.constantFrom('CVE-2026-10003', 'K000100013', 'D000162521');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('title', 'summary', 'evidence'),
      other,
      sought,
      async (where, text, id) => {
        expect(await outcomeOf(id, PLACES[where]?.(text) ?? '')).toBe('absent');
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['CVE-2026-10006, -10007 and 10008', 'CVE-2026-10007', 'hit'],
  ['CVE-2026-10006, -10007 and 10008', 'CVE-2026-10008', 'perhaps'],
  ['CVE-2026-1000x', 'CVE-2026-1000', 'perhaps'],
  ['CVE-2026-10015 through CVE-2026-10020', 'CVE-2026-10018', 'perhaps'],
  ['CVE-2026-10015 through CVE-2026-10020', 'CVE-2026-10021', 'absent'],
  ['CVE-2026-10015 through CVE-2026-10020', 'CVE-2025-10018', 'absent'],
  // Each id of a list begins a range of its own.
  ['CVE-2026-10010/10019 to 10025', 'CVE-2026-10022', 'perhaps'],
  ['CVE-2026-10010/10019 to 10025', 'CVE-2026-10015', 'absent'],
  ['CVE-2026-10015-20', 'CVE-2026-10018', 'perhaps'],
  ['CVE-2026-10015 - 20 packages', 'CVE-2026-10018', 'absent'],
  ['CVE-2026-1015 - 2026-11-22', 'CVE-2026-1018', 'absent'],
  ['CVE-2026-10015 and CVE-2026-10020', 'CVE-2026-10018', 'absent'],
  ['CVE-2026-10015 to CVE-2026-10020', 'K10018', 'absent'],
  ['H770015-20 found', 'H770018', 'absent'],
  ['vulnerabilityCVE-2026-10002', 'CVE-2026-10002', 'hit'],
  ['*CVE-2026-10002*', 'CVE-2026-10002', 'hit'],
  ['CVE-2026-10018[1] and CVE-2026-10019(2)', 'CVE-2026-10018', 'hit'],
  ['CVE-2026-1001{8,9}', 'CVE-2026-1001', 'perhaps'],
  ['CVE-2026-1001(8|9)', 'CVE-2026-1001', 'perhaps'],
  ['CVE-2026-1001[89]', 'CVE-2026-1001', 'perhaps'],
  ['CVE-2026-1001*', 'CVE-2026-1001', 'perhaps'],
  ['CVE-2026-1001?', 'CVE-2026-1001', 'perhaps'],
  ['CVE-2026-10x19', 'CVE-2026-10019', 'perhaps'],
  ['CVE-2026-10018, 19.2 MB', 'CVE-2026-10019', 'absent'],
  ['disk10011 full', 'K10011', 'perhaps'],
  ['guid10011', 'D10011', 'perhaps'],
  ['arch10011', 'H10011', 'perhaps'],
  ['kb10011', 'K10011', 'perhaps'],
  ['resol10011', 'K10011', 'perhaps'],
  ['the KB says 10011', 'K10011', 'perhaps'],
  ['kbps 10011', 'K10011', 'absent'],
  ['SOL 10011', 'K10011', 'perhaps'],
  ['article no. 10011', 'K10011', 'perhaps'],
  ['article=10011', 'K10011', 'mentioned'],
  ['diag 10011', 'D10011', 'perhaps'],
  ['CVE202510018', 'CVE-2026-10018', 'absent'],
  ['CVE ids are 2026-10018', 'CVE-2026-10018', 'perhaps'],
  ['CVE ids are 2025-10018', 'CVE-2026-10018', 'absent'],
  ['10018 of no CVE', 'CVE-2026-10018', 'absent'],
  ['K9998 to K10002', 'K10000', 'perhaps'],
  ['SOL10010 to SOL10012', 'K10011', 'perhaps'],
  ['K10010 or 11', 'K10011', 'perhaps'],
  ['K10010+15', 'K10015', 'perhaps'],
  ['K10010+15', 'K10012', 'absent'],
  ['CVE-2026-10018, 19:30', 'CVE-2026-10019', 'absent'],
  ['CVE-2026-1001x', 'CVE-2026-100155', 'absent'],
  ['CVE-2026-1001x', 'CVE-2025-10015', 'absent'],
  ['CVE-2026-100xx', 'CVE-2026-1001', 'absent'],
])('In the title %j, %s is found as: %s', async (title, id, outcome) => {
  expect(await outcomeOf(id, PLACES.title?.(title) ?? '')).toBe(outcome);
});

test('An id that ends where a slice of a long text does is read whole', async () => {
  // The place at which the first slice ends is passed from behind the id to before it.
  const filler = '. '.repeat(12_500);
  for (let shift = 0; shift < 40; shift += 1) {
    const text = `${filler}${'x'.repeat(470)} ${'y'.repeat(530 - shift)} CVE-2026-10008${filler}`;
    const inside = PLACES.evidence?.(text) ?? '';
    expect(await outcomeOf('CVE-2026-10008', inside)).toBe('mentioned');
    expect(await outcomeOf('CVE-2026-1000', inside)).toBe('absent');
  }
});

test('Nothing that begins where a slice of a long text does is taken out of its word', async () => {
  // The place at which the second slice begins is passed from behind the word to before it.
  const filler = '. '.repeat(12_500);
  for (let shift = 0; shift < 16; shift += 1) {
    const inside = (word: string) => PLACES.evidence?.(`${filler.slice(shift)}${word} ${filler}`) ?? '';
    expect(await outcomeOf('K000100012', inside('disk000100012'))).toBe('perhaps');
    expect(await outcomeOf('D000162521', inside('99d000162521'))).toBe('absent');
  }
});

test('A text is cut between words, or anywhere in one that is longer than any id', () => {
  expect(cutBefore('see CVE-2026-10008', 16)).toBe(4);
  expect(cutBefore('see K1234, then', 11)).toBe(11);
  expect(cutBefore('z'.repeat(300), 200)).toBe(200);
});
