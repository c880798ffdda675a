import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { documentXml, type SnapshotDocument } from './document.ts';
import { BAD_SHAPES, GOOD_SHAPES } from './shapes.ts';
import { demoShelf } from './shelf.ts';
import { isHit } from './snapshot.ts';

const shelf = demoShelf();

function documentOf(id: string): SnapshotDocument {
  const document = shelf[id]?.document;
  if (!document) throw new Error(`no document for ${id}`);
  return typeof document === 'function' ? document(0) : document;
}

function hitsOf(id: string) {
  return (documentOf(id).diagnostics ?? []).filter(isHit);
}

function countBy(values: (string | undefined)[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((v) => v === value).length]),
  );
}

test('an absent field is no element, an empty one is an empty element', () => {
  const xml = documentXml({
    diagnostics: [{ name: 'D1', summary: '', solutions: [], outputs: [''] }],
    sha1: '',
  });
  expect(xml.replace(/\n/g, '')).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><diagnostic_output><diagnostics><diagnostic name="D1"><output/><results><h_sols/><h_summary/></results></diagnostic></diagnostics><sha1/></diagnostic_output>',
  );
  expect(documentXml({})).toContain('<diagnostic_output/>');
  expect(documentXml({ diagnostics: [] })).toContain('<diagnostics/>');
});

test('every optional part is written where the real service has it', () => {
  const xml = documentXml(documentOf('1012')).replace(/\n/g, '');
  expect(xml).toContain('<h_cve_ids><h_cve_ids>CVE-2026-10001</h_cve_ids></h_cve_ids>');
  expect(xml).toContain(
    '<fixedInVersions><version><major>17</major><minor>1</minor><maintenance>4</maintenance><point/><fix/></version></fixedInVersions>',
  );
  expect(xml).toContain(
    '<h_sols><solution id="K000162521">https://support.acme.example/s/article/K000162521</solution></h_sols>',
  );
});

test('any text survives, apart from characters that XML cannot hold', () => {
  const text = ' <a href="x">&amp;\' ]]> \r\n\t\u0085\u{1F6A8} ';
  const parser = new XMLParser({ ignoreAttributes: false, trimValues: false, htmlEntities: true });
  const parsed = parser.parse(
    documentXml({ diagnostics: [{ name: text, outputs: [text] }], sha1: 'a\u0000b' }),
  );
  expect(parsed.diagnostic_output.sha1).toBe('a\uFFFDb');
  const { diagnostic } = parsed.diagnostic_output.diagnostics;
  expect(diagnostic.output).toBe(text);
  expect(diagnostic['@_name']).toBe(text);
});

test('the realistic snapshot has the sizes and the mixture of real ones', () => {
  const hits = hitsOf('1001');
  const all = documentOf('1001').diagnostics ?? [];
  expect([hits.length, all.length, new Set(all.map(({ name }) => name)).size]).toEqual([37, 247, 247]);
  expect(countBy(hits.map(({ importance }) => importance))).toEqual({
    CRITICAL: 2,
    HIGH: 11,
    MEDIUM: 16,
    LOW: 8,
  });
  for (const { name, header = '', summary = '', action = '' } of all) {
    expect(name).toMatch(/^(?:D\d{9}|H\d{8}|H\d{6}-\d)$/);
    expect(header.length).toSatisfy((length: number) => length >= 32 && length <= 136);
    expect(summary.length).toSatisfy((length: number) => length >= 80 && length <= 917);
    expect(action.length).toSatisfy((length: number) => length >= 56 && length <= 116);
  }
  expect(new Set(hits.map(({ header }) => header)).size).toBe(36);
  expect(new Set(hits.map(({ solutions }) => solutions?.length))).toEqual(new Set([0, 1, 2]));
  expect(Math.max(...hits.map(({ outputs = [] }) => outputs.length))).toBeGreaterThan(15);
  expect(documentOf('26808463')).toEqual(documentOf('1001'));
});

test('each other snapshot holds what its purpose says', () => {
  expect([hitsOf('1002').length, documentOf('1002').diagnostics?.length]).toEqual([0, 180]);
  expect(hitsOf('1009').length).toBe(2_000);
  const before = new Map(hitsOf('1010').map((hit) => [hit.name, hit]));
  const after = hitsOf('1011');
  const stayed = after.filter(({ name }) => before.has(name));
  expect([before.size, stayed.length, after.length - stayed.length]).toEqual([30, 10, 3]);
  const regraded = stayed.filter(({ name, importance }) => before.get(name)?.importance !== importance);
  expect(regraded.map(({ importance }) => importance).sort()).toEqual(['HIGH', 'MEDIUM']);
  expect(documentOf('1010').version?.version).not.toBe(documentOf('1011').version?.version);
  const outputs = hitsOf('1008').flatMap((hit) => hit.outputs ?? []);
  expect(Math.max(...outputs.map(({ length }) => length))).toBe(300_000);
});

test.each(Object.keys(shelf).filter((id) => shelf[id]?.document))('snapshot %s is well-formed', (id) => {
  expect(XMLValidator.validate(documentXml(documentOf(id)))).toBe(true);
});

test.each(Object.entries(GOOD_SHAPES))('the good shape %s is well-formed', (_, xml) => {
  expect(XMLValidator.validate(xml)).toBe(true);
});

test('of the bad shapes, only these pass for well-formed XML', () => {
  const looksGood = Object.entries(BAD_SHAPES)
    .filter(([, body]) => XMLValidator.validate(body) === true)
    .map(([name]) => name);
  expect(looksGood.sort()).toEqual([
    'absentDiagnostics',
    'billionLaughs',
    'deepNesting',
    'doctype',
    'emptyRoot',
    'errorBesideNoChecks',
    'errorInstead',
    'errorInsteadOfChecks',
    'externalEntity',
    'textInsteadOfChecks',
    // Not well-formed, but this validator lets it pass.
    'twoRoots',
    'wrongRoot',
    'wrongRootInside',
  ]);
});
