import { STATUS_CODES } from 'node:http';
import { escapeUTF8 } from 'entities/escape';
import { type DocumentDiagnostic, documentXml, type SnapshotDocument } from './document.ts';
import { errorPage } from './pages.ts';
import type { ServiceState } from './state.ts';
import type { DiagnosticSet, Processing, Reply, ShelfEntry } from './types.ts';

const ENDLESS_REASON_MS = 20_000;

/** The answer to a faultless request for the diagnostics of a snapshot (specification 4.2). */
export function snapshotReply(state: ServiceState, id: string, set: DiagnosticSet, now: number): Reply {
  const entry = state.shelf.get(id);
  if (!entry) return statusReply(404);
  const firstAsked = state.firstAsked.get(id) ?? now;
  state.firstAsked.set(id, firstAsked);
  if (entry.status) return statusReply(entry.status);
  if (entry.movedTo) return { status: 301, headers: { location: entry.movedTo } };
  if (entry.processing && isProcessing(entry.processing, now - firstAsked)) {
    return processingReply(entry.processing, now - firstAsked);
  }
  if (entry.failsMidway) return statusReply(500);
  return documentReply(state, entry, set, now);
}

/** Whether a diagnostic is a hit, as its own `match` says (specification 2.3). */
function isHit({ match }: DocumentDiagnostic): boolean {
  return String(match).trim().toLowerCase() === 'true';
}

function statusReply(status: number): Reply {
  return errorPage(status, STATUS_CODES[status] ?? '', 'The snapshot cannot be shown. <Reference: 7f3a-11>');
}

function isProcessing({ forMs }: Processing, elapsed: number): boolean {
  return forMs === 'forever' || elapsed < forMs;
}

function processingReply({ forMs, reasons = [], reasonAs = 'text' }: Processing, elapsed: number): Reply {
  const reasonMs = forMs === 'forever' ? ENDLESS_REASON_MS : forMs / reasons.length;
  const reason = reasons[Math.min(Math.floor(elapsed / reasonMs), reasons.length - 1)];
  if (reason === undefined) return { status: 202 };
  switch (reasonAs) {
    case 'text':
      return { status: 202, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: reason };
    case 'xml':
      return {
        status: 202,
        headers: { 'content-type': 'application/xml' },
        body: `<?xml version="1.0" encoding="UTF-8"?>\n<status><reason>${escapeUTF8(reason)}</reason></status>\n`,
      };
    case 'html':
      return {
        status: 202,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `<html><head><title>Accepted</title></head><body><p>${escapeUTF8(reason)}</p></body></html>\n`,
      };
    default:
      return reasonAs satisfies never;
  }
}

function documentReply(state: ServiceState, entry: ShelfEntry, set: DiagnosticSet, now: number): Reply {
  const contentType = `application/vnd.${state.settings.vendor}.diagnostics.api+xml`;
  if (entry.raw) {
    const { body, contentType: other = contentType } = entry.raw;
    return { status: 200, headers: { 'content-type': other }, body };
  }
  if (!entry.document) return statusReply(404);
  const document = typeof entry.document === 'function' ? entry.document(now) : entry.document;
  const served = filtered(document, set, entry.counts ?? false);
  return { status: 200, headers: { 'content-type': contentType }, body: documentXml(served) };
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
