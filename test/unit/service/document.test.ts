import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult } from '../../../src/core/diagnostics.ts';
import type { NotADocument } from '../../../src/core/faults.ts';
import { readDocument } from '../../../src/service/document.ts';
import {
  BAD_SHAPES,
  documentAround,
  documentWithHit,
  GOOD_SHAPES,
} from '../../emulators/diagnostics-service/shapes.ts';
import { aDiagnostic } from '../../support/a-diagnostic.ts';
import { refusalOf } from '../../support/refusal-of.ts';

const EMPTY = aDiagnostic({ name: 'D000162521', match: 'unstated', importance: '', title: 'D000162521' });
const HIT: Diagnostic = { ...EMPTY, match: 'hit', importance: 'MEDIUM' };
const FULL: Diagnostic = { ...HIT, title: 'A header', summary: 'A summary' };
const K1 = 'https://support.acme.example/s/article/K1';
const K2 = 'https://support.acme.example/s/article/K2';

/** What each good shape says. */
const SAID: Record<keyof typeof GOOD_SHAPES, readonly Diagnostic[]> = {
  emptyDiagnostics: [],
  openDiagnostics: [],
  countedDiagnostics: [],
  emptyDiagnostic: [{ ...EMPTY, name: 'unnamed', title: 'unnamed' }],
  actions: [{ ...FULL, action: 'Upgrade the device.' }],
  otherName: [{ ...FULL, otherName: 'H770025-1' }],
  passedCheck: [{ ...HIT, match: 'miss' }],
  emptySolutions: [FULL],
  openEmptySolutions: [FULL],
  absentSolutions: [FULL],
  oneSolution: [{ ...FULL, solutions: [{ url: K1 }] }],
  manySolutions: [
    {
      ...FULL,
      solutions: [
        { url: K1, id: 'K1' },
        { url: K2, id: 'K2' },
      ],
    },
  ],
  absentRunData: [{ ...EMPTY, title: 'A header' }],
  emptyRunData: [{ ...EMPTY, title: 'A header' }],
  absentResults: [HIT],
  emptyResults: [HIT],
  noOutput: [HIT],
  emptyOutput: [HIT],
  oneOutput: [{ ...HIT, output: ['first'] }],
  manyOutputs: [{ ...HIT, output: ['first', '  third,\twith\n  space', 'fourth'] }],
  numericTexts: [{ ...HIT, output: ['007', '1e3', '0x1F'] }],
  unshownElements: [{ ...FULL, unshown: 'Also\nK1\nCVE-2026-10003\nAnother header\nK2' }],
  otherCveItems: [{ ...FULL, cveIds: ['CVE-2026-10001', 'CVE-2026-10002'] }],
  noCveIds: [FULL],
  oneCveId: [{ ...FULL, cveIds: ['CVE-2026-10001'] }],
  manyCveIds: [{ ...FULL, cveIds: ['CVE-2026-10001', 'CVE-2026-10002'] }],
  fixedInVersions: [{ ...HIT, fixedIn: ['17.1.3.4', '16'] }],
  noFixedInVersions: [HIT],
  entities: [{ ...HIT, summary: "‘ ' ' ’ ’" }],
  cdata: [{ ...HIT, summary: 'Use <b> & "quotes" with & care and more' }],
  comments: [{ ...HIT, summary: 'beforeafter' }],
  numericReferences: [{ ...HIT, summary: 'A🚨' }],
  byteOrderMark: [],
  noDeclaration: [],
  unknownElements: [],
  repeatedDiagnosticNames: [
    { ...HIT, name: 'H00040234', title: 'H00040234' },
    { ...HIT, name: 'H00040234', title: 'H00040234' },
  ],
  prototypeNames: [{ ...HIT, unshown: 'yes\nx\ny' }],
};

const shapes = Object.entries(SAID) as [keyof typeof GOOD_SHAPES, readonly Diagnostic[]][];

test.each(shapes)('The unusual but good document %s is read as it stands', (shape, diagnostics) => {
  const result = readDocument(GOOD_SHAPES[shape]);
  expect(result).toEqual({
    sha1: 'd41d8cd98f00b204e9800998ecf8427e',
    device: { hostname: 'edge-7.example.com', chassisSerial: 'chs600777s', platform: 'C117' },
    software: { product: 'Product', version: '17.1.3', edition: 'Point Release 3', built: '240216' },
    stated: shape === 'countedDiagnostics' ? { hits: 0, misses: 247 } : {},
    diagnostics,
  } satisfies DiagnosticsResult);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test.each([
  ['&#x200b;&#x2060;', 'Two', 'Two'],
  ['&#x3164;', '&#x200b;', 'D000162521'],
  ['&#x202e;&#xad;', '', 'D000162521'],
  ['&#x200b;K', 'Two', '\u200bK'],
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
    readDocument(GOOD_SHAPES.emptyDiagnostics),
  );
});

/** Why each bad shape is refused. */
const REFUSED: Record<keyof typeof BAD_SHAPES, NotADocument['reason']> = {
  empty: 'empty',
  blank: 'empty',
  plainText: 'not-xml',
  signInPage: 'html',
  json: 'json',
  wrongRoot: 'wrong-root',
  wrongRootInside: 'wrong-root',
  absentDiagnostics: 'no-diagnostics',
  errorInstead: 'no-diagnostics',
  textInsteadOfChecks: 'no-diagnostics',
  errorInsteadOfChecks: 'no-diagnostics',
  errorBesideNoChecks: 'no-diagnostics',
  emptyRoot: 'no-diagnostics',
  twoRoots: 'wrong-root',
  truncatedInTag: 'broken',
  truncatedInText: 'broken',
  truncatedAfterStart: 'broken',
  unclosedTag: 'broken',
  crossedTags: 'broken',
  doctype: 'doctype',
  billionLaughs: 'doctype',
  externalEntity: 'doctype',
  deepNesting: 'broken',
  binary: 'not-xml',
};

test('An empty list beside one that holds a text in place of checks does not say that there are none', () => {
  const xml = documentAround('<diagnostics/><diagnostics>no license</diagnostics>');
  expect(refusalOf(xml)).toBe('no-diagnostics');
});

test.each(Object.entries(REFUSED))('The body %s is no result, for this reason: %s', (shape, reason) => {
  expect(refusalOf(BAD_SHAPES[shape as keyof typeof BAD_SHAPES])).toBe(reason);
});

test.each([
  ['<diagnostics hit_count="0">\n<note/></diagnostics>', 0],
  ['<diagnostics hit_count="3"/><error>Too large.</error>', 0],
  ['<diagnostics/><diagnostics><diagnostic name="D1"/></diagnostics><error>Cut.</error>', 1],
  ['<diagnostics><!-- none --></diagnostics>', 0],
])('A list that is counted, filled or merely empty is one, whatever stands beside it: %s', (xml, count) => {
  expect(readDocument(documentAround(xml)).diagnostics).toHaveLength(count);
});
