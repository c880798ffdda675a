import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Reply, ShelfEntry } from '../emulators/diagnostics-service/types.ts';

/** A snapshot that is processed until a test shelves something else. */
export const SLOW: ShelfEntry = {
  title: 'Slow',
  purpose: 'Not ready yet.',
  processing: { forMs: 'forever' },
};

/** A snapshot that is ready, with one hit. */
export const READY: ShelfEntry = demoShelf()[1012] ?? SLOW;

/** The answer of the service to a request for a snapshot that it still processes, with its reason. */
export function processing(reason: string): Reply {
  return { status: 202, headers: { 'content-type': 'text/plain' }, body: reason };
}
