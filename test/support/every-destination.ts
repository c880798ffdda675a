import type { types } from '@slack/bolt';
import type { Lookup, Question } from '../../src/core/lookup.ts';
import type { LookupStatus, Unit } from '../../src/lookups/lookup-status.ts';
import { readDocument } from '../../src/service/document.ts';
import { withInvitation, withShow } from '../../src/slack/answer/around-message.ts';
import { refusalMessage } from '../../src/slack/answer/notices.ts';
import { viewValue } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { chooseModal, lookUpModal } from '../../src/slack/features/ask/look-up.ts';
import { homeView, type LinkedLookup } from '../../src/slack/features/home/index.ts';
import {
  endedSentence,
  previewMessage,
  processingSentence,
  statusMessage,
} from '../../src/slack/features/unfurl/preview.ts';
import { overElsewhereMessage, overMessage } from '../../src/slack/features/wait/notifier.ts';
import type { Followed } from '../../src/slack/front/context.ts';
import { documentXml, type SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import { hostileDocument } from '../emulators/diagnostics-service/shelf/hostile.ts';
import {
  cleanDocument,
  documentWithUpgrades,
  realisticDocument,
} from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { EVERY_FAULT } from './every-fault.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const MINUTE_MS = 60_000;
const OPERATOR = { contact: 'your bot admin', loginUrl: 'https://login.acme.example/' };
const BOT = 'U0SNAPSHOT';
const LINK = 'https://acme.slack.com/archives/C0SUPPORT/p1795167300000100';
const ID = snapshotId('26808463');
const DESTINATION = { channel: 'C0SUPPORT', threadTs: '1795167300.000100' };
const REFUSALS = [
  ...(['foreigner', 'colleague', 'outsider', 'guest', 'shared', 'absent'] as const),
  ...(['channel', 'person', 'unsure'] as const),
];

type Asking = Omit<Lookup, 'destination'>;

/** What makes each message that ends a wait, by name. */
function everyEnd(lookup: Asking): Record<string, () => Message> {
  const { question } = lookup;
  const before = { snapshotId: snapshotId('26808460'), set: 'hit' } as const;
  const read = (document: SnapshotDocument): LookupStatus => ({
    kind: 'ready',
    result: readDocument(documentXml(document)),
    readAt: AT,
  });
  const users = ['U0ANA', 'U0BEN'];
  const over = (status: LookupStatus, asked: Partial<Asking> = {}) =>
    overMessage(users, { ...lookup, ...asked, destination: { channel: 'C1', user: lookup.askedBy } }, status);
  return {
    'over-ready': () => over(read(realisticDocument())),
    'over-ready-without-hits': () => over(read(cleanDocument())),
    'over-ready-passed-checks': () => over(read(cleanDocument()), { question: { ...question, set: 'miss' } }),
    'over-ready-comparison': () => over(read(cleanDocument()), { before }),
    'over-with-results-for-some': () => {
      const other = { ...question, snapshotId: snapshotId('26808470') };
      const ready = { result: readDocument(documentXml(cleanDocument())), readAt: AT };
      const units: Unit[] = [
        { question, kind: 'ready', ...ready },
        { question: other, kind: 'failed', why: 'forbidden' },
      ];
      return over({ kind: 'ready', ...ready, units }, { others: [other] });
    },
    'over-timed-out': () => over({ kind: 'timed-out', reason: '' }),
    'over-timed-out-with-trouble': () =>
      over({ kind: 'timed-out', reason: '', trouble: EVERY_FAULT.unreachable }),
    'over-failed': () => over({ kind: 'failed', fault: EVERY_FAULT.forbidden, question }),
    'over-cancelled': () => over({ kind: 'cancelled' }),
    'over-withheld': () => over({ kind: 'withheld' }),
    'over-elsewhere': () =>
      overElsewhereMessage({
        ...lookup,
        destination: { channel: 'C0SUPPORT', user: lookup.askedBy },
      }),
  };
}

/** What makes each preview of a pasted link, by name. */
function everyPreview(question: Question): Record<string, () => Message> {
  const of = (document: SnapshotDocument) => () =>
    previewMessage(question, { result: readDocument(documentXml(document)), readAt: AT });
  return {
    preview: of(realisticDocument()),
    'preview-without-hits': of(cleanDocument()),
    'preview-with-an-upgrade': of(documentWithUpgrades()),
    'preview-of-hostile-text': of(hostileDocument()),
    'preview-of-an-unknown-device': of({ ...cleanDocument(), version: {}, system: {} }),
    'preview-ended': () => statusMessage(question, endedSentence(question)),
    'preview-processing': () => statusMessage(question, processingSentence('')),
    'preview-processing-with-reason': () =>
      statusMessage(question, processingSentence('Diagnostics are running: 64 of 247.')),
    'preview-processing-for-a-long-reason': () =>
      statusMessage(question, processingSentence('It is in a queue. '.repeat(30))),
  };
}

/** What makes each message that depends on where it is shown, or to whom, by name. */
export function everyDestinationMessage(
  lookup: Asking,
  result: () => Message,
  waiting: () => Message,
): Record<string, () => Message> {
  const refusals = REFUSALS.map(
    (refusal) => [`refusal-${refusal}`, () => refusalMessage(refusal, OPERATOR.contact)] as const,
  );
  return {
    ...everyEnd(lookup),
    ...everyPreview(lookup.question),
    ...Object.fromEntries(refusals),
    'private-result': () => withInvitation(withShow(result(), viewValue(lookup)), 'C0SECRET', BOT),
    'private-waiting': () => withInvitation(waiting(), 'C0SECRET', BOT),
    'private-waiting-nameless': () => withInvitation(waiting(), 'C0SECRET', undefined),
    'private-waiting-between-people': () => withInvitation(waiting(), 'D0ANABEN', BOT),
  };
}

/** What makes each modal that asks for a snapshot, by name. */
export function everyDestinationModal(): Record<string, () => types.ModalView> {
  return {
    'look-up-modal': () => lookUpModal(),
    'choose-modal': () => chooseModal([ID, snapshotId('26808470')], [], DESTINATION),
    'choose-modal-without-id': () => chooseModal([], ['CVE-2026-10000'], DESTINATION),
  };
}

const FOLLOWED: Followed = {
  id: 'f3a1c2d4',
  kind: 'grave',
  origin: { channel: 'C0SUPPORT', messageTs: '1795167300.000100' },
  host: 'edge-7.example.com',
  snapshotId: ID,
  what: 'When critical or high hits change',
  until: AT + 60 * 24 * 60 * MINUTE_MS,
};

/** What makes the Home tab in each state of the login, and the one that refuses, by name. */
export function everyHome(): Record<string, () => types.HomeView> {
  const home = { followed: [], lookups: [], operator: OPERATOR };
  const recent: LinkedLookup = {
    lookupId: 'f3a1c2d4',
    question: { snapshotId: ID, set: 'all' },
    channel: 'C0SUPPORT',
    askedAt: AT,
    state: 'waiting',
    ...{ mark: '⏳', findings: 'Still being processed', device: '' },
    permalink: LINK,
  };
  const { permalink: _none, ...unlinked } = recent;
  const ready = { state: 'ready', device: 'edge-7.example.com' } as const;
  const lookups: LinkedLookup[] = [
    recent,
    { ...recent, ...ready, mark: '🔴', findings: '2 critical, 11 high' },
    {
      ...recent,
      ...ready,
      before: { snapshotId: snapshotId('26808460'), set: 'hit' },
      findings: '2 cleared, 0 new',
    },
    { ...unlinked, ...ready, mark: '✅', findings: 'No hits' },
    { ...recent, state: 'failed', mark: '⚠️', findings: 'Not found' },
  ];
  return {
    'home-with-lookups': () =>
      homeView({
        ...home,
        followed: [FOLLOWED],
        lookups,
        login: { state: 'working', until: AT + 30 * MINUTE_MS },
      }),
    'home-without-lookups': () => homeView({ ...home, login: { state: 'not-needed' } }),
    'home-login-mismatched': () =>
      homeView({ ...home, login: { state: 'mismatched', fault: EVERY_FAULT['cookie-domain'] } }),
    'home-login-refused': () => homeView({ ...home, login: { state: 'refused', until: AT + 5 * MINUTE_MS } }),
    'home-storage-failed': () => homeView({ ...home, lookups: undefined, login: undefined }),
    'home-refused': () => ({ type: 'home', blocks: refusalMessage('person', OPERATOR.contact).blocks }),
  };
}
