import { parentPort, workerData } from 'node:worker_threads';
import '../compile-cache.js';

const { reports } = await import('./document-reader.ts');

/** The main thread gives this thread one task, and asks for each message but the first. */
const messages = reports(workerData);
const tell = async () => {
  const { value, done } = await messages.next();
  if (!done) parentPort.postMessage(value);
};
parentPort.on('message', tell);
await tell();
