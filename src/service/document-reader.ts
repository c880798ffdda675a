import { type ResourceLimits, Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { Diagnostic, DiagnosticsResult } from '../core/diagnostics.ts';
import { NotADocument, type NotADocumentReason, TooLarge, TooManyDiagnostics } from '../core/faults.ts';
import { decodeBody } from './answers.ts';

/** The task of a thread. */
type ReadingTask = {
  readonly body: Uint8Array;
  readonly charset: string | undefined;
};
/**
 * The messages of a reading thread: the data of a fault (its class would get lost on the way), or the head of the
 * result and then its diagnostics in portions. The thread sends one message, then one more each time it is asked.
 */
export type ReadingReport =
  | { readonly notADocument: NotADocumentReason }
  | { readonly tooManyDiagnostics: number }
  | { readonly tooLarge: number }
  | { readonly head: Omit<DiagnosticsResult, 'diagnostics'> }
  | { readonly portion: readonly Diagnostic[]; readonly isLast: boolean };

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

/** Large documents are read one after another: many of them take the memory and the processor time of one. */
const queue = new PQueue({ concurrency: 1 });

/**
 * Reads a document without delaying others: a large one in a thread of its own, because Slack gives three seconds to
 * acknowledge. The body of a large one cannot be used afterwards. Throws `NotADocument`, `TooManyDiagnostics`, and
 * `TooLarge` if reading takes too much memory.
 */
export async function readBody(
  body: Uint8Array,
  charset: string | undefined,
  memory = MEMORY,
): Promise<DiagnosticsResult> {
  const task = { body, charset };
  return body.length < ASIDE_FROM_BYTES ? readHere(task) : queue.add(() => inThread(task, memory));
}

async function readHere({ body, charset }: ReadingTask): Promise<DiagnosticsResult> {
  // Loaded with the first document, because the XML parser comes with it.
  const { readDocument } = await import('./document.ts');
  return readDocument(decodeBody(body, charset));
}

async function inThread(task: ReadingTask, memory: ResourceLimits): Promise<DiagnosticsResult> {
  const { length } = task.body;
  const worker = new Worker(new URL('./document-worker.js', import.meta.url), {
    workerData: task,
    transferList: ownMemoryOf(task.body),
    resourceLimits: memory,
  });
  try {
    return await resultFrom(worker);
  } catch (error) {
    throw isDeathOfThread(error) ? new TooLarge(length, { cause: error }) : error;
  } finally {
    await worker.terminate();
  }
}

/**
 * The memory of a body, which is moved to the thread instead of copied; nothing if other buffers share it, as in Node's
 * pool.
 */
function ownMemoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** A thread ended without sending a result. */
class ThreadEnded extends Error {
  constructor(exitCode: number) {
    super(`the reading thread ended with code ${exitCode} before it had an answer`);
  }
}

/**
 * Receives the result in portions, because receiving one large message would delay others as long as reading the
 * document.
 */
function resultFrom(worker: Worker): Promise<DiagnosticsResult> {
  const { promise, resolve, reject } = Promise.withResolvers<DiagnosticsResult>();
  let head: Omit<DiagnosticsResult, 'diagnostics'> | undefined;
  const diagnostics: Diagnostic[] = [];
  worker.on('message', (report: ReadingReport) => {
    if ('notADocument' in report) reject(new NotADocument(report.notADocument));
    else if ('tooManyDiagnostics' in report) reject(new TooManyDiagnostics(report.tooManyDiagnostics));
    else if ('tooLarge' in report) reject(new TooLarge(report.tooLarge));
    else if ('head' in report) head = report.head;
    else for (const each of report.portion) diagnostics.push(each);
    if ('portion' in report && report.isLast && head !== undefined) resolve({ ...head, diagnostics });
    else worker.postMessage('more');
  });
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new ThreadEnded(code)));
  return promise;
}

/** A thread that ended by itself has run out of memory. Every other error is a bug. */
function isDeathOfThread(error: unknown): boolean {
  if (error instanceof ThreadEnded) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** About how much text is handed over at once; to receive it takes a few milliseconds. */
const PORTION_CHARACTERS = 250_000;
/** What a diagnostic weighs besides its texts. */
const EMPTY_WEIGHT = 500;

/**
 * Reads a document and gives what a reading thread reports of it, one message after the other: the kind of fault, or the
 * head of the result and then its diagnostics in portions. Throws what is a bug.
 */
export async function* reports(task: ReadingTask): AsyncGenerator<ReadingReport> {
  try {
    const { diagnostics, ...head } = await readHere(task);
    yield { head };
    yield* portionsOf(diagnostics);
  } catch (error) {
    if (error instanceof NotADocument) yield { notADocument: error.reason };
    else if (error instanceof TooManyDiagnostics) yield { tooManyDiagnostics: error.limit };
    else if (error instanceof TooLarge) yield { tooLarge: error.limitBytes };
    else throw error;
  }
}

function* portionsOf(diagnostics: readonly Diagnostic[]): Generator<ReadingReport> {
  let portion: Diagnostic[] = [];
  let weight = 0;
  for (const diagnostic of diagnostics) {
    portion.push(diagnostic);
    weight += weightOf(diagnostic);
    if (weight < PORTION_CHARACTERS) continue;
    yield { portion, isLast: false };
    portion = [];
    weight = 0;
  }
  yield { portion, isLast: true };
}

function weightOf({ summary, action, output }: Diagnostic): number {
  return output.reduce((sum, { length }) => sum + length, EMPTY_WEIGHT + summary.length + action.length);
}
