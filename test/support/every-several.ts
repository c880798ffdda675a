import { compareHits } from '../../src/core/comparing.ts';
import { sideOf } from '../../src/core/importance.ts';
import type { Lookup } from '../../src/core/lookup.ts';
import { readSearch, search } from '../../src/core/searching.ts';
import { answersOf, type LookupStatus, type ReadyUnit, type Unit } from '../../src/lookups/lookup-status.ts';
import { readDocument } from '../../src/service/document.ts';
import { messageFor } from '../../src/slack/answer/message-for.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { View, ViewState } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { documentXml, type SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import { cleanDocument, unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const MINUTE_MS = 60_000;
const LOOKUP: Lookup = {
  ...{ id: 'several', askedBy: 'U0ANA', acceptedAt: AT, deadline: AT + 60 * MINUTE_MS },
  destination: { channel: 'C0SUPPORT', user: 'U0ANA', messageTs: '1.1' },
  question: { snapshotId: snapshotId('1014'), set: 'all' },
};
const MANNER = {
  ...{ editable: true, isPrivate: false, channel: 'C0SUPPORT' },
  operator: { contact: 'your bot admin', loginUrl: 'https://login.acme.example/' },
};

const question = (id: number) => ({ snapshotId: snapshotId(String(id)), set: 'all' }) as const;

function ready(id: number, document: SnapshotDocument): ReadyUnit {
  return { kind: 'ready', question: question(id), result: readDocument(documentXml(document)), readAt: AT };
}

/** Another device with the same findings. */
function named(name: string, document = unitDocument('lb-a')): SnapshotDocument {
  const system = { chassisSerialNumber: `chs600-${name}`, hostname: `${name}.example.com`, platform: 'C117' };
  return { ...document, system };
}

/** What a request for these is told. */
function told(units: readonly Unit[], status: LookupStatus, view: Partial<View> = {}): () => Message {
  const [first = LOOKUP.question, ...others] = units.map((unit) => unit.question);
  return () => messageFor({ ...LOOKUP, ...view, question: first, others }, status, MANNER);
}

function final(units: readonly Unit[], view?: Partial<View>): () => Message {
  const answers = answersOf({ ...LOOKUP, others: [] }, units);
  return told(units, answers ? { kind: 'ready', ...answers } : { kind: 'unanswered', units }, view);
}

function waiting(units: readonly Unit[]): () => Message {
  return told(units, { kind: 'waiting', since: AT, reason: '', isProcessing: true, units });
}

const STATE: ViewState = {
  ...{ question: question(1014), others: [question(1015)] },
  ...{ page: 0, askedBy: 'U0ANA', madeAt: AT, turn: 0 },
};
const OPEN = { kind: 'open', isProcessing: true, reason: 'Diagnostics are running.' } as const;
const SLOW: Unit = { ...OPEN, question: question(1017) };
const SILENT: Unit = {
  kind: 'open',
  isProcessing: false,
  reason: '',
  trouble: 'unreachable',
  question: question(1003),
};
const FORBIDDEN: Unit = { kind: 'failed', why: 'forbidden', question: question(1007) };
const BROKEN: Unit = { kind: 'broken', reference: '1f9c03ab', question: question(1018) };

const SOUGHT = readSearch('CVE-2026-10000 CVE-2026-10456 K000162697');
/** Three units with what is found in them. */
const SEARCHED = await Promise.all(
  (['lb-a', 'lb-b', 'lb-c'] as const).map(async (host, at) => {
    const unit = ready(1014 + at, unitDocument(host));
    return { ...unit, found: await search(unit.result.diagnostics, SOUGHT) };
  }),
);

/** A pair and a cluster, in each state that their message can be in. */
export function everySeveral(): Record<string, () => Message> {
  const [a, b, c] = [
    ready(1014, unitDocument('lb-a')),
    ready(1015, unitDocument('lb-b')),
    ready(1016, unitDocument('lb-c')),
  ] as const;
  const found = compareHits(sideOf(a.result, 'hit'), sideOf(b.result, 'hit'));
  const last = { question: question(1000), at: AT - 7_200 * MINUTE_MS, isNewer: false, isOtherHost: false };
  const eight = [1, 2, 3, 4, 5, 6, 7].map((at) => ready(26808460 + at, named(`unit-${at}`)));
  const passed = [a, b].map((unit) => ({ ...unit, question: { ...unit.question, set: 'miss' as const } }));
  return {
    'several-pair': final([a, { ...b, lastRead: { ...last, found } }]),
    'several-alike': final([a, ready(1019, named('lb-z'))]),
    'several-cluster': final([a, c, SLOW, FORBIDDEN]),
    'several-eight': final([...eight, FORBIDDEN]),
    'several-without-hits': final([
      ready(1002, cleanDocument()),
      ready(1020, named('lb-z', cleanDocument())),
    ]),
    'several-one-lists-nothing': final([a, ready(1016, { ...unitDocument('lb-c'), diagnostics: [] })]),
    'several-waiting': waiting([a, SLOW, FORBIDDEN]),
    'several-waiting-for-all': waiting([SLOW, SILENT]),
    'several-unanswered': final([SLOW, FORBIDDEN, BROKEN]),
    'several-only-some': () =>
      viewMessage({ ...STATE, show: 'some' }, { result: a.result, readAt: AT, units: [a, b] }),
    'several-search': final([...SEARCHED, FORBIDDEN], { search: SOUGHT }),
    'several-critical': final([a, b], { filter: { levels: ['critical'] } }),
    'several-passed-checks': final(passed),
  };
}
