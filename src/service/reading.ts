import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Tinypool } from 'tinypool';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Fault, fault, isFault } from '../core/faults.ts';
import { lazily } from '../core/time.ts';

/** The result or the data of a fault, because classes can't be passed between threads. */
type Report = { readonly result: DiagnosticsResult } | { readonly refused: Fault };

/** Larger documents are read in a worker thread, so that they delay no acknowledgement. Most have 25 to 300 KB. */
const WORKER_FROM_BYTES = 100 * 1024;
const LONGEST_READ_MS = 30_000;

/** The latest results: a document that several people request is parsed only once. */
const results = new LRUCache<string, DiagnosticsResult>({ max: 500, maxSize: 16_000_000 });

/** Large documents are read one at a time, which limits memory and processor time. */
const queue = new PQueue({ concurrency: 1 });

const loadPool = lazily(async (): Promise<Tinypool> => {
  const { Tinypool } = await import('tinypool');
  return new Tinypool({
    filename: new URL('./reading.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    // A malicious document can only end its own thread, not the bot.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 },
  });
});

/**
 * Reads a document, a large one in a worker thread. Throws `not-a-document`, `too-many-diagnostics`, and `too-large` if
 * it takes too much memory or time.
 */
export async function readBody(body: Uint8Array): Promise<DiagnosticsResult> {
  const digest = hash('sha256', body);
  const known = results.get(digest);
  if (known !== undefined) return known;
  const result = await read(body);
  results.set(digest, result, { size: body.length });
  return result;
}

async function read(body: Uint8Array): Promise<DiagnosticsResult> {
  const report = await (body.length > WORKER_FROM_BYTES ? reportFromWorker : reportOf)(body);
  if ('result' in report) return report.result;
  throw fault(report.refused.code, report.refused);
}

async function reportFromWorker(body: Uint8Array): Promise<Report> {
  const pool = await loadPool();
  try {
    return await queue.add(() =>
      pool.run(body, { name: 'reportOf', signal: AbortSignal.timeout(LONGEST_READ_MS) }),
    );
  } catch (error) {
    const isTooMuch = /OUT_OF_MEMORY|AbortError/.test(`${Reflect.get(Object(error), 'code')} ${error}`);
    throw isTooMuch ? fault('too-large', { limitBytes: body.length }, { cause: error }) : error;
  }
}

/** Reads a document in the calling thread; worker threads call this. */
export async function reportOf(body: Uint8Array): Promise<Report> {
  // Loaded with the first document, because it brings the XML parser.
  const { readDocument } = await import('./document.ts');
  try {
    return { result: readDocument(decodeBody(body)) };
  } catch (error) {
    if (isFault(error)) return { refused: { ...error } };
    throw error;
  }
}

const UTF_16: Readonly<Record<string, string>> = { '\u00ff\u00fe': 'utf-16le', '\u00fe\u00ff': 'utf-16be' };
const LATIN_1 = /^<\?xml[^>]{0,200}\sencoding\s?=\s?["'](?:iso-8859-1|windows-1252)["']/i;

/** A body as text: UTF-16 if it has that byte order mark, Latin 1 if its XML declaration says so, else UTF-8. */
export function decodeBody(body: Uint8Array): string {
  const start = Buffer.from(body.subarray(0, 256)).toString('latin1');
  const encoding = UTF_16[start.slice(0, 2)] ?? (LATIN_1.test(start) ? 'latin1' : 'utf-8');
  return new TextDecoder(encoding).decode(body);
}
