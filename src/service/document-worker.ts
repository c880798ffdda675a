import { parentPort, workerData } from 'node:worker_threads';
import type { ReadingTask } from './document-reader.ts';
import { reports } from './reading-reports.ts';

/** The main thread gives this thread one task, and asks for each message but the first. */
const answers = reports(workerData as ReadingTask);
const tell = () => {
  const { value, done } = answers.next();
  if (done !== true) parentPort?.postMessage(value);
};
parentPort?.on('message', tell);
tell();
