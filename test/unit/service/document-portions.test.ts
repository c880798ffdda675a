import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/service/document.ts';
import type { ReadingReport } from '../../../src/service/document-reader.ts';
import { reports } from '../../../src/service/document-reader.ts';
import { documentAround } from '../../emulators/diagnostics-service/shapes.ts';

type Lengths = [summary: number, action: number, one: number, other: number];

const FIELDS = ['h_summary', 'h_action'] as const;

function reportsOf(xml: string): Promise<ReadingReport[]> {
  return Array.fromAsync(reports({ body: Buffer.from(xml), charset: undefined }));
}

/** A diagnostic whose summary, action and two blocks of evidence are so long. */
function weighing(
  ...lengths: readonly [summary: number, action: number, one: number, other: number]
): string {
  const [summary, action, one, other] = lengths.map((length) => 'x'.repeat(length));
  const results = FIELDS.map((name, index) => `<${name}>${[summary, action][index]}</${name}>`).join('');
  const output = `<output>${one}</output><output>${other}</output>`;
  return `<diagnostic><results>${results}</results>${output}</diagnostic>`;
}

function listing(...diagnostics: readonly string[]): string {
  return documentAround(`<diagnostics hit_count="3">${diagnostics.join('')}</diagnostics>`);
}

/** How many diagnostics each portion has, and which one is the last. */
async function portions(xml: string): Promise<string[]> {
  return (await reportsOf(xml)).flatMap((report) =>
    'portion' in report ? `${report.portion.length}${report.isLast ? ', the last' : ''}` : [],
  );
}

describe('A document is reported', () => {
  test('as its head, and then its diagnostics in their order', async () => {
    const xml = listing(weighing(1, 2, 130_000, 3), weighing(130_000, 1, 1, 1), weighing(1, 1, 1, 1));
    const { diagnostics, ...head } = readDocument(xml);
    const [first, ...rest] = await reportsOf(xml);
    expect(first).toEqual({ head });
    expect(rest).toEqual([
      { portion: diagnostics.slice(0, 2), isLast: false },
      { portion: diagnostics.slice(2), isLast: true },
    ]);
  });

  test('with a last portion, if that is empty', async () => {
    expect(await portions(listing())).toEqual(['0, the last']);
  });

  // A portion has 250,000 characters, of which each diagnostic counts for 500 besides its texts.
  test.each([
    [
      [249_000, 200, 200, 100],
      ['1', '0, the last'],
    ],
    [[249_000, 200, 200, 99], ['1, the last']],
    [[100, 249_000, 200, 199], ['1, the last']],
    [
      [100, 200, 249_000, 200],
      ['1', '0, the last'],
    ],
  ] satisfies [Lengths, string[]][])(
    'in portions by the weight of its texts (%j)',
    async (lengths, expected) => {
      expect(await portions(listing(weighing(...lengths)))).toEqual(expected);
    },
  );

  test('anew in each portion', async () => {
    const one = weighing(249_500, 0, 0, 0);
    expect(await portions(listing(one, one, one, weighing(1, 0, 0, 0)))).toEqual([
      '1',
      '1',
      '1',
      '1, the last',
    ]);
  });
});

test('A bug is thrown, and not reported', async () => {
  const task = { body: undefined as unknown as Uint8Array, charset: undefined };
  await expect(Array.fromAsync(reports(task))).rejects.toThrow(TypeError);
});
