import { parentPort, workerData } from 'node:worker_threads';
import type { ReadingTask } from './document-reader.ts';
import { reports } from './reading-reports.ts';

/** Whoever started this thread gave it one task, and asks for each report but the first. */
const answers = reports(workerData as ReadingTask);
const tell = () => {
  const { value, done } = answers.next();
  if (done !== true) parentPort?.postMessage(value);
};
parentPort?.on('message', tell);
tell();
