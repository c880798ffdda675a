import { expect, test } from 'vitest';
import { readDocument } from '../../../src/service/document.ts';
import { documentAround, documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';
import { refusalOf } from '../../support/refusal-of.ts';

const GOOD = documentAround('<diagnostics/>');

test.each([
  ['<!DOCTYPE  html>', 'html'],
  ['<!doctype html><p>', 'html'],
  ['<HTML lang="en">', 'html'],
  ['<!-- a --><?b c?> <head>', 'html'],
  ['<title>Sign in</title><form>', 'html'],
  ['<script>location.href="/"</script>', 'html'],
  ['<meta http-equiv="refresh" content="0">', 'html'],
  ['<form action="/login">', 'html'],
  ['<body onload="x()">', 'html'],
  ['<style>', 'html'],
  ['<form-data/>', 'wrong-root'],
  ['<?> <html>', 'broken'],
  ['<!-- <html>', 'broken'],
])('%s is told from a document by its start: %s', (text, reason) => {
  expect(refusalOf(text)).toBe(reason);
});

test.each([
  documentWithHit('<output><![CDATA[<!DOCTYPE html><html>]]></output>'),
  documentWithHit('<!-- <!DOCTYPE x [<!ENTITY a "b">]> --><output>a</output>'),
  GOOD.replace('?>\n', '?>\n<!-- <!DOCTYPE x> -->\n<?style <!DOCTYPE?>\n'),
  documentWithHit('<output>&lt;!DOCTYPE html&gt;</output>'),
  `\uFEFF \n${GOOD}`,
])('A DOCTYPE that is only written about refuses no document (%#)', (xml) => {
  expect(refusalOf(xml)).toBeUndefined();
});

test.each([
  [GOOD.replace('?>\n', '?>\n<!DOCTYPE diagnostic_output>\n'), 'doctype'],
  [GOOD.replace('?>\n', '?><!-- a --><?b c?> <!doctype diagnostic_output>'), 'doctype'],
  ['<!-- a --><!DOCTYPE html><html></html>', 'html'],
  ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html/>', 'html'],
  ['<?xml version="1.0"?><HTML><p>Sign in</HTML>', 'html'],
  ['<htmlx/>', 'wrong-root'],
  ['<!-- never closed', 'broken'],
  ['<?xml never closed', 'broken'],
  ['\n[1]', 'json'],
  ['\uFEFF\n', 'empty'],
  ['x<a/>', 'not-xml'],
])('What stands before the root decides: %j is %s', (xml, reason) => {
  expect(refusalOf(xml)).toBe(reason);
});

test('A DOCTYPE where none may be expands nothing', () => {
  const entity = '<!DOCTYPE x [<!ENTITY a "bomb">]>';
  const inside = documentWithHit(`${entity}<output>&a;&amp;a;</output>`);
  const reason = refusalOf(inside);
  if (reason === undefined) expect(readDocument(inside).diagnostics[0]?.output).toEqual(['&a;&a;']);
  else expect(reason).toBe('broken');
});

test('Every list of diagnostics is read, in their order', () => {
  const list = (...names: string[]) =>
    `<diagnostics>${names.map((name) => `<diagnostic name="${name}"/>`).join('')}</diagnostics>`;
  const { diagnostics } = readDocument(documentAround(list('A') + list('B', 'C')));
  expect(diagnostics.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
});

test('Parts of a diagnostic that come twice are read twice', () => {
  const part = (id: string) =>
    `<results><h_sols><solution>https://a.example/${id}</solution></h_sols><h_sols/><fixedInVersions><version>${id}</version></fixedInVersions></results>`;
  const beside = '<fixedInVersions><version>3</version></fixedInVersions>';
  const [hit] = readDocument(
    documentWithHit(`${beside}${part('1')}<run_data/>${part('2')}<run_data><match>false</match></run_data>`),
  ).diagnostics;
  expect(hit?.solutions).toEqual([{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]);
  expect(hit?.fixedIn).toEqual(['1', '2', '3']);
  expect(hit?.unshown).toBeUndefined();
  expect(hit?.match).toBe('miss');
});
