import { type DocumentDiagnostic, documentXml } from '../emulators/diagnostics-service/document.ts';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { type BenchWorld, openBenchWorld } from './bench-world.ts';
import { ackTimes } from './load.ts';
import type { Measurement } from './row.ts';
import { percentile } from './statistics.ts';

const RUNS = 5;
const EVERY_MS = 20;
const WATCHED_MS = 2_000;
const LARGE_ID = '8001';
const BYTES = 5_000_000;

/**
 * A document of about 5 MB: the realistic diagnostics with more evidence. It is made only once, because this process
 * also measures the acknowledgements, which the work would delay.
 */
function largeDocument(): Buffer {
  const document = realisticDocument();
  const diagnostics = document.diagnostics ?? [];
  const line = 'An interface of the device that was found with an error, at length.\n';
  const missing = BYTES - documentXml(document).length;
  const evidence = line.repeat(Math.ceil(missing / diagnostics.length / line.length));
  const longer = (each: DocumentDiagnostic): DocumentDiagnostic => ({ ...each, outputs: [evidence] });
  return Buffer.from(documentXml({ ...document, diagnostics: diagnostics.map(longer) }));
}

/** Makes the bot read the large document repeatedly until `isOver`; returns the number of readings. */
async function readBackToBack({ slack }: BenchWorld, isOver: () => boolean): Promise<number> {
  const channel = 'C0READING';
  if (!slack.channels.some(({ id }) => id === channel)) slack.addChannel(channel);
  let readings = 0;
  while (!isOver()) {
    const before = slack.messages(channel).length;
    await slack.command({ text: LARGE_ID, channel });
    const done = () => slack.messages(channel)[before]?.text.includes(' hits') === true || undefined;
    await slack.waitFor(done, 'the large document to be read', 60_000);
    readings += 1;
  }
  return readings;
}

/**
 * Measures the acknowledgements of commands while the bot reads large documents, and compares them with those of an
 * idle bot.
 */
export const READING: Measurement = {
  names: ['ack-reading'],
  run: async (report, profileDir) => {
    const bench = await openBenchWorld('this bot', { profileDir });
    bench.service.shelve(LARGE_ID, { title: 'Large', purpose: '5 MB.', raw: { body: largeDocument() } });
    const values: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const idle = percentile(await ackTimes(bench, EVERY_MS, WATCHED_MS), 0.99);
      let isOver = false;
      const reading = readBackToBack(bench, () => isOver);
      const busy = percentile(await ackTimes(bench, EVERY_MS, WATCHED_MS), 0.99);
      isOver = true;
      const readings = await reading;
      report(
        `acknowledged in ${idle.toFixed(0)} ms (p99), beside ${readings} readings ${busy.toFixed(0)} ms`,
      );
      values.push(busy / idle);
    }
    await bench.close();
    const what = 'acknowledgement p99 while 5 MB documents are read back to back, beside idle';
    return [{ name: 'ack-reading', what, unit: '×', good: 'less', must: 3, goal: 2, values }];
  },
};
