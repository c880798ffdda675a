import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult } from '../../../src/core/diagnostics.ts';
import { readDocument } from '../../../src/service/document.ts';
import { documentAround, documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';
import { FIELDS, SILENT } from '../../support/every-field.ts';

const EMPTY = { ...SILENT, name: 'D000162521', title: 'D000162521' };
const HIT: Diagnostic = { ...EMPTY, match: 'hit', importance: 'MEDIUM' };
const FULL: Diagnostic = { ...HIT, title: 'A header', summary: 'A summary' };
const K1 = 'https://support.acme.example/s/article/K1';
const K2 = 'https://support.acme.example/s/article/K2';

const RUN_DATA = '<run_data><h_importance>MEDIUM</h_importance><match>true</match></run_data>';

function results(xml: string): string {
  return documentWithHit(
    `${RUN_DATA}<results><h_header>A header</h_header><h_summary>A summary</h_summary>${xml}</results>`,
  );
}

function withSummary(xml: string): string {
  return documentWithHit(`${RUN_DATA}<results><h_summary>${xml}</h_summary></results>`);
}

/** Results that are unusual but good (specification 2.3: every multiplicity), and what each says. */
const GOOD_SHAPES: Readonly<Record<string, readonly [xml: string, said: readonly Diagnostic[]]>> = {
  emptyDiagnostics: [documentAround('<diagnostics/>'), []],
  openDiagnostics: [documentAround('<diagnostics>\n</diagnostics>'), []],
  countedDiagnostics: [
    documentAround('<diagnostics hit_count="0" miss_count="247" filter="hit"></diagnostics>'),
    [],
  ],
  emptyDiagnostic: [
    documentAround('<diagnostics><diagnostic/></diagnostics>'),
    [{ ...EMPTY, name: 'unnamed', title: 'unnamed' }],
  ],
  actions: [
    results('<h_action>Upgrade the device.</h_action>'),
    [{ ...FULL, action: 'Upgrade the device.' }],
  ],
  otherName: [results('<h_name>H770025-1</h_name>'), [{ ...FULL, otherName: 'H770025-1' }]],
  passedCheck: [
    documentWithHit('<run_data><h_importance>MEDIUM</h_importance><match>false</match></run_data>'),
    [{ ...HIT, match: 'miss' }],
  ],
  emptySolutions: [results('<h_sols/>'), [FULL]],
  openEmptySolutions: [results('<h_sols></h_sols>'), [FULL]],
  absentSolutions: [results(''), [FULL]],
  oneSolution: [
    results('<h_sols><solution>https://support.acme.example/s/article/K1</solution></h_sols>'),
    [{ ...FULL, solutions: [{ url: K1 }] }],
  ],
  manySolutions: [
    results(
      '<h_sols><solution id="K1">https://support.acme.example/s/article/K1</solution><solution/><solution id="K2">https://support.acme.example/s/article/K2</solution></h_sols>',
    ),
    [
      {
        ...FULL,
        solutions: [
          { url: K1, id: 'K1' },
          { url: K2, id: 'K2' },
        ],
      },
    ],
  ],
  absentRunData: [
    documentWithHit('<results><h_header>A header</h_header></results>'),
    [{ ...EMPTY, title: 'A header' }],
  ],
  emptyRunData: [
    documentWithHit('<run_data/><results><h_header>A header</h_header></results>'),
    [{ ...EMPTY, title: 'A header' }],
  ],
  absentResults: [documentWithHit(RUN_DATA), [HIT]],
  emptyResults: [documentWithHit(`${RUN_DATA}<results/>`), [HIT]],
  noOutput: [documentWithHit(RUN_DATA), [HIT]],
  emptyOutput: [documentWithHit(`<output/>${RUN_DATA}`), [HIT]],
  oneOutput: [documentWithHit(`<output>first</output>${RUN_DATA}`), [{ ...HIT, output: ['first'] }]],
  manyOutputs: [
    documentWithHit(
      `<output>first</output><output/><output>  third,\twith\n  space  </output>${RUN_DATA}<output>fourth</output>`,
    ),
    [{ ...HIT, output: ['first', '  third,\twith\n  space', 'fourth'] }],
  ],
  numericTexts: [
    documentWithHit(`<output>007</output><output>1e3</output><output>0x1F</output>${RUN_DATA}`),
    [{ ...HIT, output: ['007', '1e3', '0x1F'] }],
  ],
  unshownElements: [
    results(
      '<h_notes>Also <i id="K1">CVE-2026-10003</i></h_notes><h_notes>A\n header</h_notes><h_header>Another header</h_header><h_sols>K2</h_sols>',
    ),
    [{ ...FULL, unshown: 'Also\nK1\nCVE-2026-10003\nAnother header\nK2' }],
  ],
  otherCveItems: [
    results('<h_cve_ids><cve>CVE-2026-10001</cve><cve>CVE-2026-10002</cve></h_cve_ids>'),
    [{ ...FULL, cveIds: ['CVE-2026-10001', 'CVE-2026-10002'] }],
  ],
  noCveIds: [results('<h_cve_ids/>'), [FULL]],
  oneCveId: [
    results('<h_cve_ids><h_cve_ids>CVE-2026-10001</h_cve_ids></h_cve_ids>'),
    [{ ...FULL, cveIds: ['CVE-2026-10001'] }],
  ],
  manyCveIds: [
    results(
      '<h_cve_ids><h_cve_ids>CVE-2026-10001</h_cve_ids><h_cve_ids>CVE-2026-10002</h_cve_ids></h_cve_ids>',
    ),
    [{ ...FULL, cveIds: ['CVE-2026-10001', 'CVE-2026-10002'] }],
  ],
  fixedInVersions: [
    documentWithHit(
      `<fixedInVersions><version><major>17</major><minor>1</minor><maintenance>3</maintenance><point>4</point><fix/></version><version><major>16</major><minor/></version></fixedInVersions>${RUN_DATA}`,
    ),
    [{ ...HIT, fixedIn: ['17.1.3.4', '16'] }],
  ],
  noFixedInVersions: [documentWithHit(`<fixedInVersions/>${RUN_DATA}`), [HIT]],
  /** After decoding the XML alone, these read `&lsquo;`, `&#39;`, `&amp;#39;`, `&amp;#8217;` and `&amp;amp;#8217;`. */
  entities: [
    withSummary('&amp;lsquo; &amp;#39; &amp;amp;#39; &amp;amp;#8217; &amp;amp;amp;#8217;'),
    [{ ...HIT, summary: "‘ ' ' ’ ’" }],
  ],
  cdata: [
    withSummary('<![CDATA[Use <b> & "quotes" with &amp;amp; care]]> and more'),
    [{ ...HIT, summary: 'Use <b> & "quotes" with & care and more' }],
  ],
  comments: [withSummary('before<!-- a comment -->after'), [{ ...HIT, summary: 'beforeafter' }]],
  numericReferences: [withSummary('&#65;&#x1F6A8;&#13;&#10;'), [{ ...HIT, summary: 'A🚨' }]],
  byteOrderMark: [`\uFEFF${documentAround('<diagnostics/>')}`, []],
  noDeclaration: [documentAround('<diagnostics/>').replace(/^<\?xml.*\?>\n/, ''), []],
  unknownElements: [
    documentAround('<diagnostics/><future><is>here</is></future>').replace(
      '<diagnostic_output>',
      '<diagnostic_output schema="2">',
    ),
    [],
  ],
  repeatedDiagnosticNames: [
    documentAround(
      `<diagnostics><diagnostic name="H00040234">${RUN_DATA}</diagnostic><diagnostic name="H00040234">${RUN_DATA}</diagnostic></diagnostics>`,
    ),
    [
      { ...HIT, name: 'H00040234', title: 'H00040234' },
      { ...HIT, name: 'H00040234', title: 'H00040234' },
    ],
  ],
  prototypeNames: [
    documentWithHit(
      `${RUN_DATA}<__proto__><polluted>yes</polluted></__proto__><constructor>x</constructor><results><toString>y</toString></results>`,
    ),
    [{ ...HIT, unshown: 'yes\nx\ny' }],
  ],
};

test.each(Object.entries(GOOD_SHAPES))(
  'The unusual but good document %s is read as it stands',
  (shape, [xml, diagnostics]) => {
    const result = readDocument(xml);
    expect(result).toEqual({
      sha1: 'd41d8cd98f00b204e9800998ecf8427e',
      device: { hostname: 'edge-7.example.com', chassisSerial: 'chs600777s', platform: 'C117' },
      software: { product: 'Product', version: '17.1.3', edition: 'Point Release 3', built: '240216' },
      stated: shape === 'countedDiagnostics' ? { hits: 0, misses: 247 } : {},
      diagnostics,
    } satisfies DiagnosticsResult);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  },
);

const SHAPED = Object.values(GOOD_SHAPES).flatMap(([, said]) => said);

test.each(Object.keys(FIELDS) as (keyof Diagnostic)[])(
  'The reading of the field %s is tried with a shape',
  (name) => {
    const isSaid = (diagnostic: Diagnostic) => !isDeepStrictEqual(diagnostic[name], SILENT[name]);
    expect(SHAPED.some(isSaid)).toBe(true);
  },
);

test.each([
  ['&#x200b;&#x2060;', 'Two', 'Two'],
  ['&#x3164;', '&#x200b;', 'D000162521'],
  ['&#x202e;&#xad;', '', 'D000162521'],
  ['&#x200b;K', 'Two', '\u200bK'],
  ['&#x115f;&#x1160;&#x2800;&#xffa0;', 'Two', 'Two'],
  ...['7', '?', '\u2192'].map((header) => [header, 'Two', header]),
])('A diagnostic with the header “%s” and the second name “%s” is called “%s”', (header, second, title) => {
  const results = `<results><h_header>${header}</h_header><h_name>${second}</h_name></results>`;
  expect(readDocument(documentWithHit(results)).diagnostics[0]?.title).toBe(title);
});

test.each([
  '<__proto__/>',
  '<constructor a="1">x</constructor>',
  '<x:prototype xmlns:x="y"><prototype>z</prototype></x:prototype>',
  '<x __proto__="1" constructor="2" toString="3" hasOwnProperty="4"/>',
  '<valueOf/><hasOwnProperty>1</hasOwnProperty><length>2</length>',
])('The unknown element %s changes nothing', (xml) => {
  expect(readDocument(documentAround(`${xml}<diagnostics/>`))).toEqual(
    readDocument(documentAround('<diagnostics/>')),
  );
});
