import { unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { textsOf } from './message-parts.ts';
import type { World } from './world.ts';

/** Two units with a result, one that is processed, and one that is forbidden. */
export const CLUSTER = '1014 1016 1017 1007';

/** Puts the unit lb-d of the cluster on the shelf: processed with this reason, or ready. */
export function shelveUnit({ service }: Pick<World, 'service'>, reason?: string): void {
  const ready = { title: 'lb-d', purpose: 'Written by a test.', document: () => unitDocument('lb-d') };
  const reasons = reason === undefined ? [] : [reason];
  service.shelve(
    '1017',
    reason === undefined ? ready : { ...ready, processing: { forMs: 'forever', reasons } },
  );
}

/** How often the service was asked for each snapshot. */
export function requests({ service }: Pick<World, 'service'>): Record<string, number> {
  const ids = service.records.requests.map(({ id }) => string(id));
  return Object.fromEntries([...Map.groupBy(ids, (id) => id)].map(([id, some]) => [id, some.length]));
}

/** What stands below the table: a line for each snapshot without a result. */
export function linesOf({ blocks }: Pick<VisibleMessage, 'blocks'>): string[] {
  const texts = blocks.flatMap((block) => textsOf(block, 'text')).flatMap((text) => text.split('\n'));
  return texts.filter((text) => /^[⏳⛔]/u.test(text));
}

/** What a line says of one unit. */
export function lineOf(message: VisibleMessage, unit: string): string | undefined {
  return linesOf(message).find((line) => line.includes(unit));
}
