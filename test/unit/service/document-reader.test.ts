import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { NotADocument, TooLarge, TooManyDiagnostics } from '../../../src/core/faults.ts';
import { readDocument } from '../../../src/service/document.ts';
import { readInThread } from '../../../src/service/document-reader.ts';
import { documentAround, documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';

const MB = 1024 * 1024;
const PADDING = `<!--${' '.repeat(MB)}-->`;

function filled(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / unit.length));
}

function read(xml: string | Buffer, charset?: string) {
  return readInThread(Buffer.from(xml), charset, 'miss');
}

describe('A large document', () => {
  test('is read as a small one is, whatever it holds', async () => {
    const diagnostics = Array.from(
      { length: 700 },
      (_, index) =>
        `<diagnostic name="D${index}"><output>${filled(`evidence ${index} \u00e9\u{1F4D6} `, 1_000)}</output></diagnostic>`,
    );
    const xml = documentAround(`<diagnostics hit_count="3">${diagnostics.join('')}</diagnostics>`);
    expect(Buffer.byteLength(xml)).toBeGreaterThan(512 * 1024);
    expect(await read(xml)).toEqual(readDocument(xml, 'miss'));
  });

  test('is decoded as its header or its declaration says', async () => {
    const xml = documentWithHit(`${PADDING}<output>z\u00fcrich</output>`);
    const declared = xml.replace('UTF-8', 'ISO-8859-1');
    for (const result of [
      await read(Buffer.from(declared, 'latin1')),
      await read(Buffer.from(xml, 'utf16le'), 'utf-16'),
    ]) {
      expect(result.diagnostics[0]?.output).toEqual(['z\u00fcrich']);
    }
  });

  test.each([
    ['that is none', `${PADDING}<html/>`, NotADocument, { reason: 'html' }],
    [
      'with too many diagnostics',
      documentAround(`<diagnostics>${filled('<diagnostic/>', 8 * MB)}</diagnostics>`),
      TooManyDiagnostics,
      { limit: 20_000 },
    ],
    [
      'with too many other elements',
      documentAround(`<diagnostics>${filled('<a/>', 5 * MB)}</diagnostics>`),
      TooLarge,
      {},
    ],
  ])('%s is the fault that a small one is', async (_, xml, kind, data) => {
    const fault = await read(xml).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(kind);
    expect(fault).toMatchObject(data);
  });

  test('leaves the loop to others, and the process alive, whatever it is made of', {
    timeout: 60_000,
  }, async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    // A line of so many characters takes more memory than the thread is given.
    const poison = documentWithHit(`<output>${filled('lorem ipsum ', 30 * MB)}</output>`);
    delay.reset();
    const outcomes = await Promise.allSettled([read(poison), read(documentWithHit(PADDING))]);
    delay.disable();
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: { code: 'too-large' } });
    expect(delay.max / 1e6).toBeLessThan(1_000);
  });
});

test('20,000 diagnostics are read, and one more is not', () => {
  const of = (count: number) => documentAround(`<diagnostics>${'<diagnostic/>'.repeat(count)}</diagnostics>`);
  expect(readDocument(of(20_000), 'all').diagnostics).toHaveLength(20_000);
  expect(() => readDocument(of(20_001), 'all')).toThrow(TooManyDiagnostics);
  const nested = documentWithHit('<diagnostic/>'.repeat(20_000));
  expect(() => readDocument(nested, 'all')).toThrow(TooManyDiagnostics);
});
