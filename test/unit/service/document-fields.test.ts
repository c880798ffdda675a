import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnostics.ts';
import { readDocument } from '../../../src/service/document.ts';
import { documentAround } from '../../emulators/diagnostics-service/shapes.ts';

/** The only diagnostic of a document, with this inside, or with these attributes. */
function diagnostic(inside: string, attributes = 'name="D1"'): Diagnostic {
  const xml = documentAround(`<diagnostics><diagnostic ${attributes}>${inside}</diagnostic></diagnostics>`);
  const [only] = readDocument(xml).diagnostics;
  if (only === undefined) throw new Error('no diagnostic');
  return only;
}

function results(inside: string): Diagnostic {
  return diagnostic(`<results>${inside}</results>`);
}

describe('The CVEs of a diagnostic', () => {
  test.each([
    ['<h_header>CVE-2026-1111</h_header>', ['CVE-2026-1111']],
    ['<h_header>CVE-2026-1111</h_header><h_cve_ids/>', ['CVE-2026-1111']],
    ['<h_header>CVE-2026-1111</h_header><h_cve_ids> None </h_cve_ids>', ['CVE-2026-1111']],
    ['<h_header>CVE-2026-1111</h_header><h_cve_ids>CVE-2026-2222</h_cve_ids>', ['CVE-2026-2222']],
    [
      '<h_cve_ids>CVE-2026-1, CVE-2026-2;CVE-2026-3\nCVE-2026-1</h_cve_ids>',
      ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'],
    ],
    [
      '<h_cve_ids>CVE-2026-1<h_cve_ids>CVE-2026-2</h_cve_ids><h_cve_ids/></h_cve_ids>',
      ['CVE-2026-1', 'CVE-2026-2'],
    ],
    ['<h_header>CVE-2026-1111</h_header><h_cve_ids>Not assigned, -</h_cve_ids>', ['CVE-2026-1111']],
    ['<h_cve_ids><h_cve_ids>Pending</h_cve_ids><h_cve_ids>VU#1</h_cve_ids></h_cve_ids>', ['VU#1']],
    ['<h_cve_ids>TBD</h_cve_ids>', []],
    ['<h_cve_ids>CVE-2026-10018, 19</h_cve_ids>', ['CVE-2026-10018', 'CVE-2026-10018, 19']],
    [
      '<h_cve_ids>CVE_2026_1111/2222, cve 2026-3333 and 4444</h_cve_ids>',
      ['CVE-2026-1111', 'CVE-2026-2222', 'CVE-2026-3333', 'cve 2026-3333 and 4444'],
    ],
    [
      '<h_summary>CVE-2026-1111</h_summary><h_action>CVE-2026-1111</h_action></results><output>CVE-2026-1111</output><results>',
      [],
    ],
  ])('come from the list, and else from the title: %s', (inside, ids) => {
    expect(results(inside).cveIds).toEqual(ids);
  });
});

describe('A diagnostic', () => {
  test.each([
    ['name="D1"', '<h_name>N</h_name><h_header>H</h_header>', ['D1', 'H', 'N']],
    ['name="D1"', '<h_name>N</h_name>', ['D1', 'N', 'N']],
    ['name="D1"', '<h_name>D1</h_name>', ['D1', 'D1']],
    ['name="D1"', '<h_header/><h_header>H</h_header>', ['D1', 'H']],
    ['name=" "', '<h_name>N</h_name>', ['N', 'N']],
    ['', '<h_header>H</h_header>', ['unnamed', 'H']],
    ['', '', ['unnamed', 'unnamed']],
  ])('with %s and %s is called so', (attributes, inside, expected) => {
    const { name, title, otherName } = diagnostic(`<results>${inside}</results>`, attributes);
    expect([name, title, ...(otherName === undefined ? [] : [otherName])]).toEqual(expected);
  });

  test('has every summary and action, each on lines of its own', () => {
    const { summary, action } = results(
      '<h_summary>One</h_summary><h_summary/><h_action>Do</h_action></results><results><h_summary>Two</h_summary><h_action>Then</h_action>',
    );
    expect([summary, action]).toEqual(['One\nTwo', 'Do\nThen']);
  });

  test.each([
    ...['true', 'TRUE', 'yes', '1', 't', 'Y', 'on', ' true\n'].map((match) => [match, 'hit'] as const),
    ...['false', 'No', '0', 'F', 'n', 'off'].map((match) => [match, 'miss'] as const),
    ...['xtrue', 'truex', 'xfalse', 'falsex', '10', '01', 'none', '', 'perhaps'].map(
      (match) => [match, 'unstated'] as const,
    ),
  ])('whose match is %j is: %s', (match, expected) => {
    expect(diagnostic(`<run_data><match>${match}</match></run_data>`).match).toBe(expected);
  });

  test('has its solutions, each once, with an address, an id or both', () => {
    const { solutions } = results(
      '<h_sols><solution id="K1"/><solution id="K1"/><solution>https://a.<b>example</b>/x?a=1&amp;copy=2</solution><solution/>' +
        '<solution id=" K2 ">https://b.example/</solution><solution>https://b.example/</solution>' +
        '<solution id="K2">https://b.example/</solution></h_sols>',
    );
    expect(solutions).toStrictEqual([
      { url: '', id: 'K1' },
      { url: 'https://a.example/x?a=1&copy=2' },
      { url: 'https://b.example/', id: 'K2' },
      { url: 'https://b.example/' },
    ]);
  });

  test.each([
    ['<version>17.1.3</version>', ['17.1.3']],
    ['<version/>', []],
    ['<version> </version><version>17.5</version>', ['17.5']],
    [
      '<version><fix>4</fix><point>3</point>,<maintenance>2</maintenance><minor>1</minor><major>17</major></version>',
      ['17.1.2.3.4'],
    ],
    ['<version><major>17</major><minor>1</minor></version>', ['17.1']],
    ['<version><major/><major>17</major><major>9</major><minor>1</minor></version>', ['17.1']],
    ['<version><other>17</other></version>', ['17']],
    [numbered('11', '6', '1', '', '2'), ['11.6.1 HF2']],
    [numbered('11', '6', '1', '', 'HF2'), ['11.6.1 HF2']],
    [numbered('17', '1', '3', '', 'eng'), ['17.1.3 eng']],
    [numbered('17', '1', '', '4', ''), ['17.1.?.4']],
    [numbered('11', '6', '', '', '2'), ['11.6.? HF2']],
    [numbered('16', '1', '6', '', ''), ['16.1.6']],
    ['<version>17.5</version><version>17.1</version><version>17.5</version>', ['17.5', '17.1']],
  ])('is fixed in what its versions say: %s', (versions, expected) => {
    expect(results(`<fixedInVersions>${versions}</fixedInVersions>`).fixedIn).toEqual(expected);
    expect(diagnostic(`<fixedInVersions>${versions}</fixedInVersions>`).fixedIn).toEqual(expected);
  });
});

function numbered(...parts: string[]): string {
  const names = ['major', 'minor', 'maintenance', 'point', 'fix'];
  return `<version>${names.map((name, at) => `<${name}>${parts[at]}</${name}>`).join('')}</version>`;
}

describe('What the service counts', () => {
  const stated = (...attributes: string[]) =>
    readDocument(documentAround(attributes.map((each) => `<diagnostics ${each}/>`).join(''))).stated;

  test.each([
    [[''], {}],
    [['hit_count="3" miss_count="0"'], { hits: 3, misses: 0 }],
    [['hit_count="3"'], { hits: 3 }],
    [['miss_count="999999999"'], { misses: 999_999_999 }],
    [['hit_count="1234567890"'], {}],
    [['hit_count="3x" miss_count="x3"'], {}],
    [['hit_count="-3" miss_count=""'], {}],
    [['hit_count="3"', 'hit_count="3"'], { hits: 3 }],
    [['hit_count="3"', 'hit_count="03"'], { hits: 3 }],
    [['hit_count="3"', 'hit_count="4"'], {}],
    [['hit_count="many"', 'hit_count="4"'], { hits: 4 }],
  ])('is stated by %j: %j', (lists, counts) => {
    expect(stated(...lists)).toStrictEqual(counts);
  });
});
