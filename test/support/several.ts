import { unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { records, string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { textsOf } from './message-parts.ts';
import type { World } from './world.ts';

/** Four snapshots: two with a result, one that is being processed, and one that is forbidden. */
export const CLUSTER = '1014 1016 1017 1007';

/** Sets the state of snapshot lb-d in the cluster: processed with this reason, or ready without one. */
export function shelveUnit({ service }: Pick<World, 'service'>, reason?: string): void {
  const ready = { title: 'lb-d', purpose: 'Written by a test.', document: () => unitDocument('lb-d') };
  const reasons = reason === undefined ? [] : [reason];
  service.shelve(
    '1017',
    reason === undefined ? ready : { ...ready, processing: { forMs: 'forever', reasons } },
  );
}

/** How many times the service was asked for each snapshot. */
export function requests({ service }: Pick<World, 'service'>): Record<string, number> {
  const ids = service.records.requests.map(({ id }) => string(id));
  return Object.fromEntries([...Map.groupBy(ids, (id) => id)].map(([id, some]) => [id, some.length]));
}

type Shown = Pick<VisibleMessage, 'blocks'>;

/** The lines of a message's texts and headings, without tables. */
export function linesOf({ blocks }: Shown): string[] {
  return blocks.flatMap(({ type, text, elements }) => {
    if (type === 'header') return [`# ${textsOf(text, 'plain_text').join('')}`];
    if (type !== 'rich_text') return [];
    const said = records(elements).flatMap((part) => records(part.elements));
    return said
      .map((part) => (part.type === 'link' ? `[${string(part.text)}]` : string(part.text)))
      .join('')
      .replaceAll('\u00a0', ' ')
      .split('\n');
  });
}

/** The rows of a message's table, without its headings. */
export function rowsOf({ blocks }: Shown): string[] {
  const table = blocks.find(({ type }) => type === 'table');
  const rows = Array.isArray(table?.rows) ? table.rows : [];
  return rows.slice(1).map((row) =>
    records(row)
      .map(({ text }) => string(text))
      .join(' | '),
  );
}
