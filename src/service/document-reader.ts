import { type ResourceLimits, Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { errorCode } from '../core/errors.ts';
import { NotADocument, type NotADocumentReason, TooLarge, TooManyDiagnostics } from '../core/faults.ts';
import { inTime, LATE } from '../core/time.ts';
import { decodeBody } from './answers.ts';

/** The task of a thread. */
type ReadingTask = {
  readonly body: Uint8Array;
  readonly charset: string | undefined;
};
/** What a reading thread sends: the result, or the data of a fault, whose class would get lost on the way. */
type ReadingReport =
  | { readonly result: DiagnosticsResult }
  | { readonly notADocument: NotADocumentReason }
  | { readonly tooManyDiagnostics: number }
  | { readonly tooLarge: number };

/**
 * A larger document is read in a thread, because reading it on the main thread would delay everybody else. Real ones
 * have 25 to 300 KB.
 */
const ASIDE_FROM_BYTES = 400 * 1024;
/**
 * The memory limit of a thread: enough for the largest real documents. A malicious document ends its own thread, not
 * the bot.
 */
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 };
/** The longest that a thread reads, in milliseconds: it takes seconds for the largest documents, and others wait for it. */
const LONGEST_READ_MS = 30_000;
/** How long the next document waits for a thread to end, which native code can hold. */
const LONGEST_END_MS = 1_000;

/** Large documents are read one after another: many of them take the memory and the processor time of one. */
const queue = new PQueue({ concurrency: 1 });

/**
 * Reads a document without delaying others: a large one in a thread of its own, because Slack gives three seconds to
 * acknowledge. The body of a large one cannot be used afterwards. Throws `NotADocument`, `TooManyDiagnostics`, and
 * `TooLarge` if reading takes too much memory or time.
 */
export async function readBody(
  body: Uint8Array,
  charset: string | undefined,
  { memory = MEMORY, ms = LONGEST_READ_MS } = {},
): Promise<DiagnosticsResult> {
  const task = { body, charset };
  return body.length < ASIDE_FROM_BYTES ? readHere(task) : queue.add(() => inThread(task, memory, ms));
}

async function readHere({ body, charset }: ReadingTask): Promise<DiagnosticsResult> {
  // Loaded with the first document, because the XML parser comes with it.
  const { readDocument } = await import('./document.ts');
  return readDocument(decodeBody(body, charset));
}

async function inThread(task: ReadingTask, memory: ResourceLimits, ms: number): Promise<DiagnosticsResult> {
  const tooLarge = new TooLarge(task.body.length);
  const worker = new Worker(new URL('./document-worker.js', import.meta.url), {
    workerData: task,
    transferList: ownMemoryOf(task.body),
    resourceLimits: memory,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadingReport>();
  worker.once('message', resolve);
  worker.once('error', (error) => reject(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : error));
  // One that ends by itself without a report has run out of memory, too.
  worker.once('exit', () => reject(tooLarge));
  try {
    const report = await inTime(ms, promise);
    if (report === LATE) throw tooLarge;
    return resultIn(report);
  } finally {
    await inTime(LONGEST_END_MS, worker.terminate());
  }
}

function resultIn(report: ReadingReport): DiagnosticsResult {
  if ('notADocument' in report) throw new NotADocument(report.notADocument);
  if ('tooManyDiagnostics' in report) throw new TooManyDiagnostics(report.tooManyDiagnostics);
  if ('tooLarge' in report) throw new TooLarge(report.tooLarge);
  return report.result;
}

/**
 * The memory of a body, which is moved to the thread instead of copied; nothing if other buffers share it, as in Node's
 * pool.
 */
function ownMemoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/**
 * Reads a document, and gives what a reading thread reports of it. It is one message, which takes milliseconds to receive:
 * the texts of a result are bounded. Throws what is a bug.
 */
export async function reportOf(task: ReadingTask): Promise<ReadingReport> {
  try {
    return { result: await readHere(task) };
  } catch (error) {
    if (error instanceof NotADocument) return { notADocument: error.reason };
    if (error instanceof TooManyDiagnostics) return { tooManyDiagnostics: error.limit };
    if (error instanceof TooLarge) return { tooLarge: error.limitBytes };
    throw error;
  }
}
