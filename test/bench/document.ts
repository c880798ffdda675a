import { XMLParser } from 'fast-xml-parser';
import { readDocument } from '../../src/service/document.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import type { Measurement } from './row.ts';

const RUNS = 7;
const READINGS = 12;
const BYTES = 300_000;

/** A document of at least 300 KB: the realistic diagnostics, repeated under other names. */
function largeXml(): string {
  const document = realisticDocument();
  const copies = Math.ceil(BYTES / documentXml(document).length);
  const diagnostics = Array.from({ length: copies }, (_, copy) =>
    (document.diagnostics ?? []).map((each) => ({ ...each, name: `${each.name}-${copy}` })),
  ).flat();
  return documentXml({ ...document, diagnostics });
}

function msOf(work: () => unknown): number {
  const began = performance.now();
  for (let index = 0; index < READINGS; index += 1) work();
  return performance.now() - began;
}

/** Compares the bot's reader of documents with fast-xml-parser, which it uses. */
export const DOCUMENT: Measurement = {
  names: ['document'],
  run: async (report) => {
    const xml = largeXml();
    const parser = new XMLParser();
    const values: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const alone = msOf(() => parser.parse(xml));
      const reading = msOf(() => readDocument(xml));
      report(
        `fast-xml-parser ${(alone / READINGS).toFixed(1)} ms, the bot ${(reading / READINGS).toFixed(1)} ms`,
      );
      // The first run lets Node compile the code and does not count.
      if (run > 0) values.push(reading / alone);
    }
    const what = `reading a ${Math.round(xml.length / 1_000)} KB document, beside fast-xml-parser alone`;
    return [{ name: 'document', what, unit: '×', good: 'less', must: 1.3, goal: 1.15, values }];
  },
};
