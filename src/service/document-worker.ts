import { parentPort, workerData } from 'node:worker_threads';
import { NotADocument } from '../core/faults.ts';
import { readDocument } from './document.ts';
import type { ReadingOutcome, ReadingTask } from './document-reader.ts';

/** Whoever started this thread gave it one task. */
const { xml, asked } = workerData as ReadingTask;

function read(): ReadingOutcome {
  try {
    return { result: readDocument(xml, asked) };
  } catch (error) {
    if (error instanceof NotADocument) return { notADocument: error.reason };
    throw error;
  }
}

parentPort?.postMessage(read());
