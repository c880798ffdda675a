import { Worker } from 'node:worker_threads';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { NotADocument, type NotADocumentReason, TooLarge } from '../core/faults.ts';
import type { DiagnosticSet } from '../core/snapshot-id.ts';
import { readDocument } from './document.ts';

/** What a worker was asked to read. */
export type ReadingTask = { readonly xml: string; readonly asked: DiagnosticSet };
/** What came of it; a class does not survive the way between threads. */
export type ReadingOutcome =
  | { readonly result: DiagnosticsResult }
  | { readonly notADocument: NotADocumentReason };

/** Real documents have 25 to 300 KB. From here on reading takes long enough for somebody to notice. */
const ASIDE_FROM = 1_000_000;
/** A document inside the size cap stays far below; one made to explode ends its own thread, not the bot. */
const MOST_MEMORY_MB = 2_048;

/**
 * Reads a document without keeping everybody else waiting: a large one in a thread of its own, because Slack gives
 * three seconds to acknowledge. Throws `NotADocument`, and `TooLarge` when it takes more memory than there should be.
 */
export function readAside(xml: string, asked: DiagnosticSet): Promise<DiagnosticsResult> {
  if (xml.length < ASIDE_FROM) return new Promise((done) => done(readDocument(xml, asked)));
  return inThread({ xml, asked });
}

function inThread(task: ReadingTask): Promise<DiagnosticsResult> {
  const worker = new Worker(new URL('./document-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  return new Promise<DiagnosticsResult>((done, fail) => {
    worker.once('message', (outcome: ReadingOutcome) => {
      if ('result' in outcome) done(outcome.result);
      else fail(new NotADocument(outcome.notADocument));
    });
    worker.once('error', (error) => fail(isOutOfMemory(error) ? new TooLarge(task.xml.length) : error));
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
