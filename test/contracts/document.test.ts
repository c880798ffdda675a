import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { isFault } from '../../src/core/faults.ts';
import { readDocument } from '../../src/service/document.ts';
import { readBody } from '../../src/service/reading.ts';
import { processingReason } from '../../src/service/text.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { BAD_SHAPES, documentAround, documentWithHit } from '../emulators/diagnostics-service/shapes.ts';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { fc } from '../support/fast-check.ts';
import { hostileText } from '../support/hostile-text.ts';
import { refusalOf } from '../support/refusal-of.ts';

const MB = 1024 * 1024;
const EMPTY = documentAround('<diagnostics/>');
const BARE: Diagnostic = {
  ...{ name: 'D000162521', match: 'miss', importance: '', title: 'D000162521', summary: '', action: '' },
  ...{ output: [], solutions: [], cveIds: [], fixedIn: [] },
};

/** The only diagnostic of a document that contains `inside`. Its check passed unless `inside` says otherwise. */
function diagnostic(inside: string): Diagnostic {
  const [only] = readDocument(
    documentWithHit(`${inside}<run_data><match>false</match></run_data>`),
  ).diagnostics;
  if (only === undefined) throw new Error('no diagnostic');
  return only;
}
const results = (inside: string) => diagnostic(`<results>${inside}</results>`);
const summary = (xml: string) => results(`<h_summary>${xml}</h_summary>`).summary;
const output = (xml: string) => diagnostic(`<output>${xml}</output>`).output;
const escaped = (xml: string) => xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

describe('A document', () => {
  test('has a device, its software and what the service counted', () => {
    expect(readDocument(documentAround('<diagnostics hit_count="0" miss_count="247"/>'))).toEqual({
      sha1: 'd41d8cd98f00b204e9800998ecf8427e',
      device: { hostname: 'edge-7.example.com', chassisSerial: 'chs600777s', platform: 'C117' },
      software: { product: 'Product', version: '17.1.3', edition: 'Point Release 3', built: '240216' },
      stated: { hits: 0, misses: 247 },
      diagnostics: [],
    });
  });

  test.each([
    ['<diagnostics/>', {}],
    ['<diagnostics hit_count="3x" miss_count=""></diagnostics>', {}],
    ['<diagnostics hit_count="1234567890"></diagnostics>', {}],
    ['<diagnostics hit_count="3">an error</diagnostics>', { hits: 3 }],
  ])('with an empty list is read as one without diagnostics: %s', (xml, stated) => {
    expect(readDocument(documentAround(xml))).toMatchObject({ diagnostics: [], stated });
  });

  test.each(Object.entries(BAD_SHAPES))('%s is refused', (_shape, xml) => {
    expect(refusalOf(xml)).toBeDefined();
  });

  test.each([
    ['', 'empty'],
    ['\uFEFF\n', 'empty'],
    ['\n[1]', 'json'],
    ['Busy', 'not-xml'],
    ['<!doctype html><p>', 'html'],
    ['<!-- a --><?b c?> <head>', 'html'],
    ['<form action="/login">', 'html'],
    ['<form-data/>', 'wrong-root'],
    ['<!-- never closed', 'broken'],
    [EMPTY.replace('?>\n', '?>\n<!DOCTYPE diagnostic_output>\n'), 'doctype'],
    ['<!-- a --><!DOCTYPE html PUBLIC "x"><html></html>', 'html'],
    [documentAround(''), 'no-diagnostics'],
    [documentAround('<diagnostics><error>failed</error></diagnostics>'), 'no-diagnostics'],
    [documentWithHit('<output>3 < 5</output>'), 'broken'],
    [`${EMPTY}<b/>`, 'wrong-root'],
    [
      documentAround('<diagnostics><diagnostic><output></diagnostic><diagnostic/></output></diagnostics>'),
      'broken',
    ],
  ])('of another kind is refused by what it is: %j is %s', (xml, reason) => {
    expect(refusalOf(xml)).toBe(reason);
  });

  test('that is cut anywhere is refused', () => {
    const xml = documentXml(realisticDocument());
    const cuts = Array.from({ length: 200 }, (_, at) => Math.floor((xml.trimEnd().length * at) / 200));
    expect(cuts.filter((at) => refusalOf(xml.slice(0, at)) === undefined)).toEqual([]);
  });

  test.each([
    ['a byte order mark and white space before it', `\uFEFF \n${EMPTY}`],
    ['no declaration', EMPTY.replace(/^<\?xml.*\?>\n/, '')],
    [
      'a DOCTYPE in a comment and an instruction',
      EMPTY.replace('?>\n', '?>\n<!-- <!DOCTYPE x> -->\n<?style <!DOCTYPE?>\n'),
    ],
    ['an element of the future', documentAround('<future a="1"><is>here</is></future><diagnostics/>')],
    ['a prefix of a namespace', EMPTY.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')],
    [
      'names that every object has',
      documentAround('<toString/><length>2</length><valueOf hasOwnProperty="1"/><diagnostics/>'),
    ],
  ])('with %s is read like any other', (_what, xml) => {
    expect(readDocument(xml)).toEqual(readDocument(EMPTY));
  });

  test('lists the diagnostics of all its lists, in their order, and twice what stands there twice', () => {
    const list = (...names: string[]) =>
      `<diagnostics>${names.map((name) => `<diagnostic name="${name}"/>`).join('')}</diagnostics>`;
    const { diagnostics } = readDocument(documentAround(list('A') + list('B', 'A')));
    expect(diagnostics.map(({ name }) => name)).toEqual(['A', 'B', 'A']);
  });

  test('may have 5,000 diagnostics; a name of its device is cut at 500 characters', () => {
    const many = (count: number) =>
      documentAround(`<diagnostics>${'<diagnostic/>'.repeat(count)}</diagnostics>`);
    expect(readDocument(many(5_000)).diagnostics).toHaveLength(5_000);
    expect(() => readDocument(many(5_001))).toThrow(
      expect.objectContaining({ code: 'too-many-diagnostics', limit: 5_000 }),
    );
    const long = EMPTY.replace('edge-7', 'x'.repeat(600));
    expect(readDocument(long).device.hostname).toBe(`${'x'.repeat(500)}…`);
  });

  test('expands nothing that a DOCTYPE in the wrong place defines', () => {
    const xml = documentWithHit('<!DOCTYPE x [<!ENTITY a "bomb">]><output>&a;&amp;a;</output>');
    if (refusalOf(xml) === undefined) expect(readDocument(xml).diagnostics[0]?.output).toEqual(['&a;&a;']);
  });
});

describe('A diagnostic', () => {
  test.each<[inside: string, said: Partial<Diagnostic>]>([
    ['', {}],
    ['<output/><results/>', {}],
    ['<results><h_header/><h_sols/><h_cve_ids/></results><fixedInVersions/>', {}],
    ['<output>first</output><output/><output>  b,\tc\n  d  </output>', { output: ['first', '  b,\tc\n  d'] }],
    ['<output>007</output><output>1e3</output><output>None</output>', { output: ['007', '1e3', 'None'] }],
    ['<run_data><h_importance>HIGH</h_importance></run_data>', { importance: 'HIGH' }],
    ['<results><h_header>None</h_header><h_summary> n/a.</h_summary></results>', {}],
    [
      '<results><h_header/><h_header>H</h_header><h_name>N</h_name></results>',
      { title: 'H', otherName: 'N' },
    ],
    ['<results><h_name>N</h_name></results>', { title: 'N', otherName: 'N' }],
    ['<results><h_name>D000162521</h_name></results>', {}],
    [
      '<results><h_summary>One</h_summary></results><results><h_summary>Two</h_summary><h_action>Do</h_action></results>',
      { summary: 'One\nTwo', action: 'Do' },
    ],
    [
      '<results><h_sols><solution id="K1"/><solution id="K1"/><solution>https://a.example/?a=1&amp;copy=2</solution><solution/>' +
        '<solution id=" K2 "> https://b.example/&#x202E;x\n</solution></h_sols></results>',
      {
        solutions: [
          { url: '', id: 'K1' },
          { url: 'https://a.example/?a=1&copy=2' },
          { url: 'https://b.example/x', id: 'K2' },
        ],
      },
    ],
    [
      '<results><h_header>CVE-2026-11111</h_header></results>',
      { title: 'CVE-2026-11111', cveIds: ['CVE-2026-11111'] },
    ],
    [
      '<results><h_header>CVE-2026-1111</h_header><h_cve_ids>Pending<h_cve_ids/><h_cve_ids>CVE-2026-2222</h_cve_ids><cve>CVE_2026_3333</cve></h_cve_ids></results>',
      { title: 'CVE-2026-1111', cveIds: ['CVE-2026-2222', 'CVE-2026-3333'] },
    ],
    ['<results><h_summary>CVE-2026-1111</h_summary></results>', { summary: 'CVE-2026-1111', cveIds: [] }],
  ])('says what stands there: %s', (inside, said) => {
    expect(diagnostic(inside)).toEqual({ ...BARE, ...said });
  });

  test('without a name is unnamed, or has its second one', () => {
    const named = (xml: string) =>
      readDocument(documentAround(`<diagnostics>${xml}</diagnostics>`)).diagnostics;
    expect(named('<diagnostic/>')).toMatchObject([{ name: 'unnamed', title: 'unnamed' }]);
    const second = '<diagnostic name=" "><results><h_name>N</h_name></results></diagnostic>';
    expect(named(second)).toMatchObject([{ name: 'N', title: 'N' }]);
  });

  test.each([
    ...['true', 'TRUE', 'yes', '1', ' true\n'].map((match) => [match, { match: 'hit' }] as const),
    ...['false', 'No', '0', 'off'].map((match) => [match, { match: 'miss' }] as const),
    ...['xtrue', '10', 'none', '', 'perhaps'].map(
      (match) => [match, { match: 'hit', isMatchUnstated: true }] as const,
    ),
  ])('whose match is %j is %j', (stated, expected) => {
    const xml = documentWithHit(`<run_data><match>${stated}</match></run_data>`);
    expect(readDocument(xml).diagnostics).toStrictEqual([{ ...BARE, ...expected }]);
  });

  test.each([
    ['<version>17.1.3</version><version/><version>17.1.3</version>', ['17.1.3']],
    [numbered('17', '1', '3', '4', ''), ['17.1.3.4']],
    [numbered('16', '', '', '', ''), ['16']],
    [numbered('11', '6', '1', '', '2'), ['11.6.1 HF2']],
    [numbered('11', '6', '1', '', 'HF2'), ['11.6.1 HF2']],
    [numbered('17', '1', '', '4', ''), ['17.1.?.4']],
    [numbered('11', '6', '', '', '2'), ['11.6.? HF2']],
  ])('is fixed in what its versions say: %s', (versions, expected) => {
    const xml = `<fixedInVersions>${versions}</fixedInVersions>`;
    expect([results(xml).fixedIn, diagnostic(xml).fixedIn]).toEqual([expected, expected]);
  });
});

function numbered(...parts: string[]): string {
  const names = ['major', 'minor', 'maintenance', 'point', 'fix'];
  return `<version>${names.map((name, at) => `<${name}>${parts[at]}</${name}>`).join('')}</version>`;
}

describe('A text', () => {
  test.each([
    ['&amp;lsquo; &amp;#39; &amp;amp;#39; &amp;amp;amp;#8217;', "‘ ' ' ’"],
    ['&amp;amp;amp;amp;lt;', '&lt;'],
    ['a & b &foo; ?id=1&amp;copy=1&amp;lt=3 &amp;copy;', 'a & b &foo; ?id=1&copy=1&lt=3 ©'],
    [
      '<![CDATA[Use <b> & "quotes" with &amp;amp; care]]> and<!-- c --> more',
      'Use <b> & "quotes" with & care and more',
    ],
    ['&#65;&#x1F6A8;&#13;&#10;', 'A🚨'],
    ['Clock advanced by &lt;number&gt; ticks, if 1 &lt; 2', 'Clock advanced by <number> ticks, if 1 < 2'],
    ['Set <unknown>a <b>b</b></unknown> first', 'Set a b first'],
    ['\n   Do:\r\n\t1.  Stop  it.\r2. Start.  \n\n\n\n  Wait. ', 'Do:\n1. Stop it.\n2. Start.\n\nWait.'],
    ['a&#x2028;b&#x85;c&#12;d', 'a\nb\nc\nd'],
    ['a&#x202E;b&#x2066;c&#x7F;d&amp;#7;e&#x9B;31mf\uD83D', 'abcde31mf\uFFFD'],
    ['There are none', 'There are none'],
    ['a  b ', 'a b'],
  ])('%j reads %j', (xml, text) => {
    expect(summary(xml)).toBe(text);
  });

  test.each([
    ['one<br/>two', 'one\ntwo'],
    ['Do:<ul><li>stop</li><li>start</li></ul>Done.', 'Do:\n- stop\n- start\nDone.'],
    ['a<p>b</p><p>c</p>', 'a\n\nb\n\nc'],
    ['See <a href="https://a.example/K1">the article</a>.', 'See the article (https://a.example/K1).'],
    ['<a href="https://x.example/">https://x.example/</a> <a name="x">here</a>', 'https://x.example/ here'],
    ['<a href="javascript:x">this</a>', 'this'],
  ])('has its markup read, escaped or in CDATA: %s', (xml, text) => {
    expect([summary(escaped(xml)), summary(escaped(escaped(xml))), summary(`<![CDATA[${xml}]]>`)]).toEqual([
      text,
      text,
      text,
    ]);
  });

  test('has the elements read that are markup', () => {
    expect(summary('one<br/>two <a href="https://a.example/">x</a><p>y</p>')).toBe(
      'one\ntwo x (https://a.example/)\n\ny',
    );
  });

  test('of evidence stands as it is: columns, tags, blank lines', () => {
    expect(output('\n \n  a   b\n\n\n c\t\n ')).toEqual(['  a   b\n\n\n c']);
    expect(output(escaped('Set the <p> of <li>, <br> &lsquo;'))).toEqual(['Set the <p> of <li>, <br> ‘']);
    expect(output('a<br/>  b')).toEqual(['a\n  b']);
  });

  test('is plain, whatever anybody writes', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const xml = documentXml({
          diagnostics: [{ name: text, header: text, summary: text, outputs: [text], match: 'true' }],
        });
        const [read] = readDocument(xml).diagnostics;
        const said = [read?.name, read?.title, read?.summary, ...(read?.output ?? [])].join(' ');
        expect(said.isWellFormed()).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for exactly these characters.
        expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
        expect(read?.title).not.toMatch(/[\n\t]/);
      }),
      { numRuns: 200 },
    );
  });
});

test('Whatever is done to a document, it is read or refused', () => {
  const xml = documentXml(realisticDocument()).slice(0, 6_000);
  const parts = [
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&',
    '"',
    '<?',
    '<a>',
    '<__proto__>',
    '\0',
    '<!D',
  ];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5_999), fc.constantFrom(...parts)), { maxLength: 8 }), (changes) => {
      const changed = changes.reduce((text, [at, part]) => text.slice(0, at) + part + text.slice(at), xml);
      try {
        readDocument(`${changed}</diagnostic></diagnostics></diagnostic_output>`);
      } catch (error) {
        expect(isFault(error)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const read = (xml: string) => readBody(Buffer.from(xml));

test('The same bytes are parsed once, and others anew', async () => {
  const [one, other] = [documentWithHit('<output>one</output>'), documentWithHit('<output>two</output>')];
  const result = await read(one);
  expect(await read(one)).toBe(result);
  expect((await read(other)).diagnostics[0]?.output).toEqual(['two']);
});

describe('A large document', () => {
  const padded = (inside: string) => documentWithHit(`${inside}<!--${' '.repeat(MB)}-->`);

  test('is read as a small one is', async () => {
    const xml = padded('<output>zürich 📖</output>');
    expect(await read(xml)).toEqual(readDocument(xml));
  });

  test.each([
    ['that is none', `${' '.repeat(MB)}<html/>`, { code: 'not-a-document', reason: 'html' }],
    [
      'with too many diagnostics',
      documentAround(`<diagnostics>${'<diagnostic/>'.repeat(100_000)}</diagnostics>`),
      { code: 'too-many-diagnostics', limit: 5_000 },
    ],
  ])('%s is refused as a small one is', async (_what, xml, fault) => {
    await expect(read(xml)).rejects.toMatchObject(fault);
  });

  test('of elements without end is refused, and the next one is read', async () => {
    const hostile = documentAround(`<diagnostics>${'<a/>'.repeat(MB)}</diagnostics>`);
    const [outcome, next] = await Promise.allSettled([read(hostile), read(padded(''))]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'too-large' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { diagnostics: [{ match: 'hit' }] } });
  });

  test('of 2 MB does not hold the main thread', async () => {
    const xml = documentAround(`<diagnostics>${documentDiagnostic(2_000).repeat(1_000)}</diagnostics>`);
    await read(padded(''));
    const before = process.threadCpuUsage();
    expect((await read(xml)).diagnostics).toHaveLength(1_000);
    const there = process.threadCpuUsage(before);
    const again = process.threadCpuUsage();
    readDocument(xml);
    // Processor time, because a busy machine can stall this thread for longer than the reading takes.
    expect(there.user).toBeLessThan(process.threadCpuUsage(again).user / 2);
  });
});

function documentDiagnostic(length: number): string {
  return `<diagnostic name="D1"><output>${'evidence '.repeat(length / 9)}</output></diagnostic>`;
}

describe('The reason in a 202', () => {
  test.each([
    ['', ''],
    ['  The analysis\n is  running. ', 'The analysis is running.'],
    ['<html><head><title>x</title></head><script>a()</script><p>Still &amp; busy</p></html>', 'Still & busy'],
    ['{"reason":"Queued"}', 'Queued'],
    ['{"processing_status":"RUNNING","processing_messages":["one","two"]}', 'RUNNING: one: two'],
    ['{"status":"queued","other":1}', 'queued'],
    ['"Queued"', 'Queued'],
    ['[1]', ''],
    ['null', ''],
    ['{"broken"', '{"broken"'],
    ['x'.repeat(400), `${'x'.repeat(299)}…`],
  ])('%j is %j', (body, reason) => {
    expect(processingReason(body)).toBe(reason);
  });
});
