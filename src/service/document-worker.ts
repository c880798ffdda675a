import { parentPort, workerData } from 'node:worker_threads';
import type { Diagnostic } from '../core/diagnostics.ts';
import { NotADocument, TooLarge, TooManyDiagnostics } from '../core/faults.ts';
import { readDocument } from './document.ts';
import type { ReadingReport, ReadingTask } from './document-reader.ts';
import { decodeBody } from './text.ts';

/** About how much text is handed over at once; to receive it takes a few milliseconds. */
const PORTION_CHARACTERS = 250_000;
/** What a diagnostic weighs besides its texts. */
const EMPTY_WEIGHT = 500;

/**
 * Reads a document and gives what a reading thread reports of it, one message after the other: the kind of fault, or the
 * head of the result and then its diagnostics in portions. Throws what is a bug.
 */
export function* reports({ body, charset }: ReadingTask): Generator<ReadingReport> {
  try {
    const { diagnostics, ...head } = readDocument(decodeBody(body, charset));
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

/** The main thread gives this thread one task, and asks for each message but the first. */
if (parentPort !== null) {
  const port = parentPort;
  const answers = reports(workerData as ReadingTask);
  const tell = () => {
    const { value, done } = answers.next();
    if (done !== true) port.postMessage(value);
  };
  port.on('message', tell);
  tell();
}
