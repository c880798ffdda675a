import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { openHandlers } from './handlers.ts';
import { TARGETS } from './targets.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '150000' },
    /** The number of deliveries to the whole bot. */
    deliveries: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now()) },
    only: { type: 'string', default: '' },
  },
});
const seed = Number(values.seed);
const HANDLERS = 'handlers of deliveries';

async function report(name: string, numRuns: number, run: () => Promise<void> | void): Promise<void> {
  if (!name.includes(values.only)) return;
  const began = performance.now();
  await run();
  console.log(`${name}: ${numRuns} inputs, seed ${seed}, ${Math.round(performance.now() - began)} ms`);
}

const numRuns = Number(values.runs);
for (const [name, { input, check }] of Object.entries(TARGETS)) {
  await report(name, numRuns, () => fc.assert(fc.property(input, check), { numRuns, seed }));
}
const deliveries = Number(values.deliveries);
await report(HANDLERS, deliveries, async () => {
  const { input, check, close } = await openHandlers();
  try {
    await fc.assert(fc.asyncProperty(input, check), { numRuns: deliveries, seed, endOnFailure: true });
  } finally {
    await close();
  }
});
