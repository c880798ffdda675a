import { join } from 'node:path';
import { has } from '../support/needs.ts';
import { startRedis } from '../support/redis.ts';
import { measure } from './measures.ts';
import { measureOneAnswer, measureOneWait, measureRedisCommands } from './one-answer.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** `npm run measures`: prints the figures of the structure of `src`, and the cost of one ready answer. */
const measured = measure(ROOT);
console.log(`src: ${measured.lines} lines in ${measured.files} files; test: ${measured.testLines} lines`);
console.log(`folders: ${measured.folders}, imports between them: ${measured.folderImports}`);
console.log(
  `longest import chain: ${measured.longestChain.length} files: ${measured.longestChain.join(' > ')}`,
);
console.log(`exports: ${measured.exports}; used by exactly one other file: ${measured.usedOnce}`);
const { files, functions, storageOperations } = await measureOneAnswer();
console.log(
  `one ready answer: ${files} files, ${functions} functions, ${storageOperations} storage operations`,
);
console.log(`one answer that waited: ${await measureOneWait()} storage operations`);
if (has('redis-server')) {
  const redis = await startRedis();
  console.log(`one ready answer on Redis: ${Math.round(await measureRedisCommands(redis))} commands`);
  await redis.close();
}
