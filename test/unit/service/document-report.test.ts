import { expect, test } from 'vitest';
import { readDocument } from '../../../src/service/document.ts';
import { reportOf } from '../../../src/service/document-reader.ts';
import { documentAround } from '../../emulators/diagnostics-service/shapes.ts';

function report(xml: string) {
  return reportOf({ body: Buffer.from(xml), charset: undefined });
}

test('A thread reports the result of a document, or the data of its fault', async () => {
  const xml = documentAround('<diagnostics><diagnostic name="A"/></diagnostics>');
  expect(await report(xml)).toEqual({ result: readDocument(xml) });
  expect(await report('<html/>')).toEqual({ notADocument: 'html' });
  const tooMany = documentAround(`<diagnostics>${'<diagnostic/>'.repeat(2_001)}</diagnostics>`);
  expect(await report(tooMany)).toEqual({ tooManyDiagnostics: 2_000 });
  const named = (length: number) => xml.replace('"A"', `"${'x'.repeat(length)}"`);
  expect(await report(named(2_000_000))).toEqual({ tooLarge: named(2_000_000).length });
});

test('A bug is thrown, and not reported', async () => {
  const task = { body: undefined as unknown as Uint8Array, charset: undefined };
  await expect(reportOf(task)).rejects.toThrow(TypeError);
});
