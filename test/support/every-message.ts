import type { types } from '@slack/bolt';
import { ServiceFailed } from '../../src/core/faults.ts';
import type { Lookup } from '../../src/core/lookup.ts';
import type { LookupStatus, Waiting } from '../../src/lookups/lookup-status.ts';
import { type MessageManner, messageFor } from '../../src/slack/answer/message-for.ts';
import {
  alreadyWaitingMessage,
  clickFaultNotice,
  failureMessage,
  faultNotice,
  outdated,
  slackFailedMessage,
} from '../../src/slack/answer/notices.ts';
import { usageMessage } from '../../src/slack/answer/usage-message.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { noticeModal } from '../../src/slack/blocks/modal.ts';
import { everyAcceptanceModal } from './every-acceptance.ts';
import { everyDestinationMessage, everyDestinationModal } from './every-destination.ts';
import { EVERY_FAULT } from './every-fault.ts';
import { everyFollow, everyFollowModal } from './every-follow.ts';
import { everyFollowUp, everyFollowUpModal } from './every-follow-up.ts';
import { everySearch, everySearchModal } from './every-search.ts';
import { everyView, everyViewModal } from './every-view.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const HOUR_MS = 3_600_000;
const OPERATOR = { contact: 'your bot admin', loginUrl: 'https://login.acme.example/' };
const FAILED = new ServiceFailed('diagnostics service', 503);

const LOOKUP: Lookup = {
  id: 'f3a1c2d4-0000-4000-8000-000000000000',
  question: { snapshotId: snapshotId('26808463'), set: 'all' },
  askedBy: 'U0ANA',
  acceptedAt: AT,
  deadline: AT + HOUR_MS,
  destination: { channel: 'C0SUPPORT', user: 'U0ANA' },
};
const COMPARISON: typeof LOOKUP = {
  ...LOOKUP,
  question: { snapshotId: snapshotId('1011'), set: 'hit' },
  before: { snapshotId: snapshotId('1010'), set: 'hit' },
};

const MANNER: MessageManner = {
  operator: OPERATOR,
  editable: true,
  isPrivate: false,
  channel: 'C0SUPPORT',
};

function waiting(
  reason: string,
  trouble: ServiceFailed | undefined,
  editable: boolean,
  lookup = LOOKUP,
): () => Message {
  const status: Waiting = {
    kind: 'waiting',
    since: AT,
    reason,
    isProcessing: reason !== '' || trouble === undefined,
    ...(trouble === undefined ? {} : { trouble }),
  };
  return () => messageFor(lookup, status, { ...MANNER, editable, isPrivate: !editable });
}

function ending(status: LookupStatus, lookup = LOOKUP): () => Message {
  return () => messageFor(lookup, status, MANNER);
}

/** What makes a message for each thing that a channel can be told, by name. */
export function everyMessage(): Record<string, () => Message> {
  const faults = Object.entries(EVERY_FAULT).map(([name, fault]) => [
    `fault-${name}`,
    ending({ kind: 'failed', fault, question: LOOKUP.question }),
  ]);
  const views = everyView();
  const { 'result-zero-hits': result = ending({ kind: 'cancelled' }) } = views;
  return {
    ...views,
    ...everySearch(),
    ...everyFollowUp(),
    ...everyFollow(),
    ...everyDestinationMessage(LOOKUP, result, waiting('', undefined, false)),
    waiting: waiting('', undefined, true),
    'waiting-with-reason': waiting('Diagnostics are running: 64 of 247.', undefined, true),
    'waiting-with-trouble': waiting('', FAILED, true),
    'waiting-before-an-answer': ending({ kind: 'waiting', since: AT, reason: '', isProcessing: false }),
    'waiting-uneditable': waiting('', undefined, false),
    'waiting-for-two': waiting('', undefined, true, COMPARISON),
    'timed-out': ending({ kind: 'timed-out', reason: '' }),
    'timed-out-with-reason': ending({ kind: 'timed-out', reason: 'The snapshot is waiting in a queue.' }),
    'timed-out-with-trouble': ending({ kind: 'timed-out', reason: '', trouble: FAILED }),
    'already-waiting': () =>
      alreadyWaitingMessage(LOOKUP, 'https://acme.slack.com/archives/C0SUPPORT/p1795167300000100'),
    'already-waiting-without-link': () => alreadyWaitingMessage(LOOKUP, undefined),
    cancelled: ending({ kind: 'cancelled' }),
    withheld: ending({ kind: 'withheld' }),
    bug: ending({ kind: 'broken', reference: '1f9c03ab' }),
    'listener-bug': () => failureMessage('1f9c03ab', OPERATOR),
    'listener-outdated': () => outdated,
    'listener-slack-failed': () => slackFailedMessage(OPERATOR),
    usage: () => usageMessage('/snapshot'),
    'usage-with-problem': () => usageMessage('/snapshot', '“hti” is not a snapshot id.'),
    'fault-in-a-comparison': ending(
      {
        kind: 'failed',
        fault: EVERY_FAULT['snapshot-not-found'],
        question: { snapshotId: snapshotId('1010'), set: 'hit' },
      },
      COMPARISON,
    ),
    ...Object.fromEntries(faults),
  };
}

/** What makes one of each modal, by name. */
export function everyModal(): Record<string, () => types.ModalView> {
  const gone = EVERY_FAULT['snapshot-not-found'];
  return {
    ...everyViewModal(),
    ...everySearchModal(),
    ...everyFollowUpModal(),
    ...everyFollowModal(),
    ...everyAcceptanceModal(),
    ...everyDestinationModal(),
    'notice-modal': () => noticeModal(faultNotice(EVERY_FAULT['login-refused'], OPERATOR).text),
    'notice-modal-gone': () => noticeModal(clickFaultNotice(gone, OPERATOR, LOOKUP).text),
  };
}
