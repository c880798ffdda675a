import { readState, type ViewState } from '../../src/slack/blocks/action-values.ts';
import { messageModalValue } from '../../src/slack/blocks/modal.ts';
import { aDiagnostic, aResult } from './a-diagnostic.ts';
import { away, NOW, RESPONSE_URL } from './listening.ts';
import { objectsIn } from './message-parts.ts';
import { snapshotId } from './snapshot-id.ts';

export const QUESTION = { snapshotId: snapshotId('26808463'), set: 'hit' } as const;
export const BEFORE = { snapshotId: snapshotId('26808400'), set: 'hit' } as const;
/** What a message shows of a result with many hits, and of a comparison in which each of them is new. */
export const STATE: ViewState = { question: QUESTION, page: 1, askedBy: 'U1', madeAt: NOW, turn: 3 };
export const COMPARING: ViewState = { ...STATE, before: BEFORE, beforeMadeAt: NOW - 5_000 };

const HITS = Array.from({ length: 40 }, (_, at) =>
  aDiagnostic({ name: `D${at}`, title: `An issue ${at}`, importance: at % 2 === 0 ? 'LOW' : 'HIGH' }),
);

async function ready({ snapshotId: id }: { readonly snapshotId: string }) {
  return { kind: 'ready', result: aResult(id === BEFORE.snapshotId ? [] : HITS), readAt: NOW };
}
const lookups = { read: ready, readAnew: ready, cached: ready };

/** The results are there; the store is away; the snapshot is processed again. */
export const THERE = { changes: { lookups } };
export const STORE_AWAY = { changes: { lookups: { ...lookups, read: away, cached: away } } };
export const IN_PROCESS = {
  changes: {
    lookups: { ...lookups, read: async () => ({ kind: 'processing' }), cached: async () => undefined },
  },
};

/** The state that a drawn message or modal carries for its next click. */
export function stateOf(drawn: unknown): ViewState {
  const ids = objectsIn([drawn as object]).map(({ block_id: id }) => String(id));
  return readState(ids.find((id) => id.startsWith('{')));
}

/** The metadata of a modal that was opened from a message in a thread. */
export function openedFrom(more: object = {}): string {
  return messageModalValue({
    ...{ channel: 'C1', messageTs: '2.2', threadTs: '1.1', state: STATE },
    response: { url: RESPONSE_URL, expiresAt: NOW },
    ...{ isPrivate: false, host: '', ...more },
  });
}
