import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Reply, ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { World } from './world.ts';

/** A snapshot that is processed until a test shelves something else. */
export const SLOW: ShelfEntry = {
  title: 'Slow',
  purpose: 'Not ready yet.',
  processing: { forMs: 'forever' },
};

/** A snapshot that is ready, with one hit. */
export const READY: ShelfEntry = demoShelf()[1012] ?? SLOW;

/** Shelves a snapshot 2001 with these diagnostics, which are hits of level high unless they say otherwise. */
export function shelveHits({ service }: Pick<World, 'service'>, ...diagnostics: DocumentDiagnostic[]): void {
  service.shelve('2001', {
    title: 'A few',
    purpose: 'Written by a test.',
    document: { diagnostics: diagnostics.map((each) => ({ match: true, importance: 'HIGH', ...each })) },
  });
}

/** The answer of the service to a request for a snapshot that it still processes, with its reason. */
export function processing(reason: string): Reply {
  return { status: 202, headers: { 'content-type': 'text/plain' }, body: reason };
}
