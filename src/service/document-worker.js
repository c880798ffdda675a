import { parentPort, workerData } from 'node:worker_threads';
import '../compile-cache.js';

const { reportOf } = await import('./document-reader.ts');
parentPort.postMessage(await reportOf(workerData));
