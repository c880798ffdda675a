import { expect, test } from 'vitest';
import type { DiagnosticsResult } from '../../../src/core/diagnostics.ts';
import { SameDocuments } from '../../../src/service/same-documents.ts';
import { aResult } from '../../support/a-diagnostic.ts';

/** What reads, and how often it did. */
function reader(): { read: () => DiagnosticsResult; times: () => number } {
  let times = 0;
  const read = () => {
    times += 1;
    return aResult([]);
  };
  return { read, times: () => times };
}

test('The same document is read once while its result is in use', () => {
  const documents = new SameDocuments();
  const { read, times } = reader();
  const first = documents.read(Buffer.from('<a/>'), 'utf-8 hit', read);
  expect(documents.read(Buffer.from('<a/>'), 'utf-8 hit', read)).toBe(first);
  expect(times()).toBe(1);
});

test('Another document, and the same one for another question, is read', () => {
  const documents = new SameDocuments();
  const { read, times } = reader();
  const kept = ['<a/>', '<b/>'].flatMap((text) =>
    ['utf-8 hit', 'utf-8 miss'].map((what) => documents.read(Buffer.from(text), what, read)),
  );
  expect(new Set(kept).size).toBe(4);
  expect(times()).toBe(4);
});

test('The end of what is asked is no beginning of a document', () => {
  const documents = new SameDocuments();
  const { read } = reader();
  const first = documents.read(Buffer.from('t<a/>'), 'hi', read);
  expect(documents.read(Buffer.from('<a/>'), 'hit', read)).not.toBe(first);
});

test('A document that could not be read is tried again', () => {
  const documents = new SameDocuments();
  const fail = () => {
    throw new Error('no');
  };
  expect(() => documents.read(Buffer.from('<a/>'), '', fail)).toThrow('no');
  expect(documents.read(Buffer.from('<a/>'), '', () => aResult([]))).toEqual(aResult([]));
});

test('Of many documents only the latest are known', () => {
  const documents = new SameDocuments();
  const { read, times } = reader();
  const kept = Array.from({ length: 51 }, (_, index) => documents.read(Buffer.from(`${index}`), '', read));
  for (const at of [1, 50]) expect(documents.read(Buffer.from(`${at}`), '', read)).toBe(kept[at]);
  expect(documents.read(Buffer.from('0'), '', read)).not.toBe(kept[0]);
  expect(times()).toBe(52);
});
