import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { TARGETS } from './targets.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '150000' },
    seed: { type: 'string', default: String(Date.now()) },
    only: { type: 'string', default: '' },
  },
});
const numRuns = Number(values.runs);
const seed = Number(values.seed);

for (const [name, { input, check }] of Object.entries(TARGETS)) {
  if (!name.includes(values.only)) continue;
  const began = performance.now();
  fc.assert(fc.property(input, check), { numRuns, seed });
  console.log(`${name}: ${numRuns} inputs, seed ${seed}, ${Math.round(performance.now() - began)} ms`);
}
