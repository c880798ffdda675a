import { join } from 'node:path';
import { measure } from './measures.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** `npm run measures [folder of a checkout]`: what the structure of `src` comes to. */
const { files, rooms, arrows, longestChain, unusedExports } = measure(process.argv[2] ?? ROOT);
console.log(`files: ${files}`);
console.log(`rooms: ${rooms}, arrows between them: ${arrows}`);
console.log(`longest import chain: ${longestChain.length} files: ${longestChain.join(' > ')}`);
console.log(`exports that no other file imports: ${unusedExports.length}`);
for (const unused of unusedExports) console.log(`  ${unused}`);
