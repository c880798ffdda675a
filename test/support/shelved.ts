import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Reply, ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { World } from './world.ts';

/** A snapshot that the service keeps processing. */
export const SLOW: ShelfEntry = {
  title: 'Slow',
  purpose: 'Not ready yet.',
  processing: { forMs: 'forever' },
};

/** A snapshot that is ready, with one hit. */
export const READY: ShelfEntry = demoShelf()[1012] ?? SLOW;

/** Adds snapshot 2001 with these diagnostics; by default each is a hit of level high. */
export function shelveHits({ service }: Pick<World, 'service'>, ...diagnostics: DocumentDiagnostic[]): void {
  service.shelve('2001', {
    title: 'A few',
    purpose: 'Written by a test.',
    document: { diagnostics: diagnostics.map((each) => ({ match: true, importance: 'HIGH', ...each })) },
  });
}

/** The service's answer 202, with its reason. */
export function processing(reason: string): Reply {
  return { status: 202, headers: { 'content-type': 'text/plain' }, body: reason };
}
