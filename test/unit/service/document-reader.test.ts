import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { NotADocument, TooLarge, TooManyDiagnostics } from '../../../src/core/faults.ts';
import { readDocument } from '../../../src/service/document.ts';
import { readBody } from '../../../src/service/document-reader.ts';
import { documentAround, documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';

const MB = 1024 * 1024;
const PADDING = `<!--${' '.repeat(MB)}-->`;

function filled(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / unit.length));
}

function read(xml: string | Buffer, charset?: string) {
  return readBody(Buffer.from(xml), charset);
}

describe('A large document', () => {
  test('that takes too long to read is refused, and the next one is read', async () => {
    const xml = documentWithHit(PADDING);
    // Native code can hold a thread: then nothing ends it.
    process.once('worker', (worker) => Object.assign(worker, { terminate: () => new Promise(() => {}) }));
    const late = readBody(Buffer.from(xml), undefined, { ms: 1 });
    const next = read(xml);
    await expect(late).rejects.toMatchObject({ code: 'too-large', limitBytes: xml.length });
    expect((await next).diagnostics).toHaveLength(1);
  });

  test('whose thread ends without a word is refused, and a bug in a thread is told as that', async () => {
    const xml = documentWithHit(PADDING);
    process.once('worker', (worker) => void worker.terminate());
    await expect(read(xml)).rejects.toMatchObject({ code: 'too-large', limitBytes: xml.length });
    const bug = new Error('a bug');
    process.once('worker', (worker) => void worker.emit('error', bug));
    await expect(read(xml)).rejects.toBe(bug);
  });

  test('is read as a small one is, whatever it holds', async () => {
    const diagnostics = Array.from(
      { length: 700 },
      (_, index) =>
        `<diagnostic name="D${index}"><output>${filled(`evidence ${index} \u00e9\u{1F4D6} `, 1_000)}</output></diagnostic>`,
    );
    const xml = documentAround(`<diagnostics hit_count="3">${diagnostics.join('')}</diagnostics>`);
    expect(Buffer.byteLength(xml)).toBeGreaterThan(512 * 1024);
    expect(await read(xml)).toEqual(readDocument(xml));
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

  test('is read after the one before it: many take the memory of one', async () => {
    let threads = 0;
    let most = 0;
    const count = (worker: Worker) => {
      threads += 1;
      most = Math.max(most, threads);
      worker.once('exit', () => {
        threads -= 1;
      });
    };
    process.on('worker', count);
    const xml = documentWithHit(PADDING);
    await Promise.all([read(xml), read(xml), read(xml)]);
    process.off('worker', count);
    expect(most).toBe(1);
  });

  test.each([
    ['that is none', `${PADDING}<html/>`, NotADocument, { reason: 'html' }],
    [
      'with too many diagnostics',
      documentAround(`<diagnostics>${filled('<diagnostic/>', 8 * MB)}</diagnostics>`),
      TooManyDiagnostics,
      { limit: 2_000 },
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

  test('is moved to the thread if it has memory of its own, and copied if others use that too', async () => {
    const xml = Buffer.from(documentWithHit(PADDING));
    const own = new Uint8Array(xml);
    await readBody(own, undefined);
    expect(own.byteLength).toBe(0);
    const shared = new Uint8Array(new ArrayBuffer(xml.length + 8), 0, xml.length);
    shared.set(xml);
    expect((await readBody(shared, undefined)).diagnostics).toHaveLength(1);
    expect(shared.byteLength).toBe(xml.length);
  });

  test.each([
    [400 * 1024, 0],
    [400 * 1024 - 1, 400 * 1024 - 1],
  ])('is one of 400 KB: of %i bytes, %i stay here', async (bytes, left) => {
    const document = documentWithHit('');
    const body = new Uint8Array(Buffer.from(document.padEnd(bytes)));
    expect((await readBody(body, undefined)).diagnostics).toHaveLength(1);
    expect(body.byteLength).toBe(left);
  });
});

test('A document leaves the loop to others, and the process alive, whatever it is made of', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // A line of so many characters takes more memory than the thread is given.
  const poison = documentWithHit(`<output>${filled('lorem ipsum ', 2 * MB)}</output>`);
  delay.reset();
  const little = { memory: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } };
  const outcomes = await Promise.allSettled([
    readBody(Buffer.from(poison), undefined, little),
    read(documentWithHit(PADDING)),
  ]);
  delay.disable();
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(outcomes[0]).toMatchObject({ reason: { code: 'too-large', limitBytes: poison.length } });
  expect(delay.max / 1e6).toBeLessThan(1_000);
});
