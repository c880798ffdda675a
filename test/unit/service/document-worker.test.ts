import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/service/document.ts';
import type { ReadingReport } from '../../../src/service/document-reader.ts';
import { reports } from '../../../src/service/document-worker.ts';
import { documentAround } from '../../emulators/diagnostics-service/shapes.ts';

type Lengths = [summary: number, action: number, one: number, other: number];

const FIELDS = ['h_summary', 'h_action'] as const;

function reportsOf(xml: string | Buffer, charset?: string): ReadingReport[] {
  return [...reports({ body: Buffer.from(xml), charset })];
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
function portions(xml: string): string[] {
  return reportsOf(xml).flatMap((report) =>
    'portion' in report ? `${report.portion.length}${report.isLast ? ', the last' : ''}` : [],
  );
}

describe('A document is reported', () => {
  test('as its head, and then its diagnostics in their order', () => {
    const xml = listing(weighing(1, 2, 130_000, 3), weighing(130_000, 1, 1, 1), weighing(1, 1, 1, 1));
    const { diagnostics, ...head } = readDocument(xml);
    const [first, ...rest] = reportsOf(xml);
    expect(first).toEqual({ head });
    expect(rest).toEqual([
      { portion: diagnostics.slice(0, 2), isLast: false },
      { portion: diagnostics.slice(2), isLast: true },
    ]);
  });

  test('with a last portion, if that is empty', () => {
    expect(portions(listing())).toEqual(['0, the last']);
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
  ] satisfies [Lengths, string[]][])('in portions by the weight of its texts (%j)', (lengths, expected) => {
    expect(portions(listing(weighing(...lengths)))).toEqual(expected);
  });

  test('anew in each portion', () => {
    const one = weighing(249_500, 0, 0, 0);
    expect(portions(listing(one, one, one, weighing(1, 0, 0, 0)))).toEqual(['1', '1', '1', '1, the last']);
  });
});

test('A bug is thrown, and not reported', () => {
  const task = { body: undefined as unknown as Uint8Array, charset: undefined, asked: 'all' } as const;
  expect(() => [...reports(task)]).toThrow(TypeError);
});
