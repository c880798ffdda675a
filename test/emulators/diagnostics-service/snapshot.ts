import { STATUS_CODES } from 'node:http';
import { VENDOR } from './account.ts';
import { type DocumentDiagnostic, documentXml, type SnapshotDocument } from './document.ts';
import { errorPage } from './pages.ts';
import type { ServiceState } from './state.ts';
import type { DiagnosticSet, Processing, Reply, ShelfEntry } from './types.ts';

const ENDLESS_REASON_MS = 20_000;

/** The answer to a correct request for the diagnostics of a snapshot (specification 4.2). */
export function snapshotReply(state: ServiceState, id: string, set: DiagnosticSet, now: number): Reply {
  const entry = state.shelf.get(id);
  if (!entry) return statusReply(404);
  const firstAsked = state.firstAsked.get(id) ?? now;
  state.firstAsked.set(id, firstAsked);
  if (entry.status) return statusReply(entry.status);
  if (entry.movedTo) return { status: 301, headers: { location: entry.movedTo } };
  const { processing } = entry;
  const elapsed = now - firstAsked;
  if (processing && (processing.forMs === 'forever' || elapsed < processing.forMs))
    return processingReply(processing, elapsed);
  return entry.failsMidway ? statusReply(500) : documentReply(entry, set, now);
}

function statusReply(status: number): Reply {
  return errorPage(status, STATUS_CODES[status] ?? '', 'The snapshot cannot be shown. <Reference: 7f3a-11>');
}

function processingReply({ forMs, reasons = [] }: Processing, elapsed: number): Reply {
  const reasonMs = forMs === 'forever' ? ENDLESS_REASON_MS : forMs / reasons.length;
  const body = reasons[Math.min(Math.floor(elapsed / reasonMs), reasons.length - 1)];
  if (body === undefined) return { status: 202 };
  return { status: 202, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function documentReply({ raw, document, counts }: ShelfEntry, set: DiagnosticSet, now: number): Reply {
  const contentType = `application/vnd.${VENDOR}.diagnostics.api+xml`;
  if (raw)
    return { status: 200, headers: { 'content-type': raw.contentType ?? contentType }, body: raw.body };
  if (!document) return statusReply(404);
  const whole = typeof document === 'function' ? document(now) : document;
  const body = documentXml(filtered(whole, set, counts ?? false));
  return { status: 200, headers: { 'content-type': contentType }, body };
}

/** Whether a diagnostic is a hit, by its own `match` (specification 2.3). */
function isHit({ match }: DocumentDiagnostic): boolean {
  return String(match).trim().toLowerCase() === 'true';
}

function filtered(document: SnapshotDocument, set: DiagnosticSet, withCounts: boolean): SnapshotDocument {
  const { diagnostics } = document;
  if (!diagnostics) return document;
  const hits = diagnostics.filter(isHit);
  const misses = diagnostics.filter((diagnostic) => !isHit(diagnostic));
  const counts = { hit: hits.length, miss: misses.length, filter: set };
  return {
    ...document,
    ...(withCounts ? { counts } : {}),
    diagnostics: { all: diagnostics, hit: hits, miss: misses }[set],
  };
}
