import type { types } from '@slack/bolt';
import { ServiceFailed } from '../../src/core/faults.ts';
import type { Lookup } from '../../src/core/lookup.ts';
import type { Waiting } from '../../src/lookups/news.ts';
import type { Message } from '../../src/slack/blocks.ts';
import { alreadyWaitingMessage } from '../../src/slack/messages/already-waiting-message.ts';
import { cancelledMessage } from '../../src/slack/messages/cancelled-message.ts';
import { noticeModal } from '../../src/slack/messages/details-modal.ts';
import {
  bugMessage,
  clickFaultNotice,
  faultMessage,
  faultNotice,
} from '../../src/slack/messages/fault-message.ts';
import { timedOutMessage } from '../../src/slack/messages/timed-out-message.ts';
import { usageMessage } from '../../src/slack/messages/usage-message.ts';
import { waitingMessage } from '../../src/slack/messages/waiting-message.ts';
import { EVERY_FAULT } from './every-fault.ts';
import { everyPlaceMessage, everyPlaceModal } from './every-place.ts';
import { everyView, everyViewModal } from './every-view.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const HOUR_MS = 3_600_000;
const LOGIN_URL = 'https://login.acme.example/';
const FAILED = new ServiceFailed('diagnostics service', 503);

const LOOKUP: Omit<Lookup<unknown>, 'place'> = {
  id: 'f3a1c2d4-0000-4000-8000-000000000000',
  question: { snapshotId: snapshotId('26808463'), set: 'all' },
  askedBy: 'U0ANA',
  acceptedAt: AT,
  deadline: AT + HOUR_MS,
};
const { askedBy } = LOOKUP;
const COMPARISON: typeof LOOKUP = {
  ...LOOKUP,
  question: { snapshotId: snapshotId('1011'), set: 'hit' },
  before: { snapshotId: snapshotId('1010'), set: 'hit' },
};

function waiting(
  reason: string,
  trouble: ServiceFailed | undefined,
  editable: boolean,
  lookup = LOOKUP,
): Message {
  const news: Waiting = {
    kind: 'waiting',
    since: AT,
    reason,
    isProcessing: reason !== '' || trouble === undefined,
    ...(trouble === undefined ? {} : { trouble }),
  };
  return waitingMessage({ lookup, news, editable, loginUrl: LOGIN_URL });
}

/** One message for each thing that a channel can be told, by name. */
export function everyMessage(): Record<string, Message> {
  const faults = Object.entries(EVERY_FAULT).map(([name, fault]) => [
    `fault-${name}`,
    faultMessage(fault, { asked: LOOKUP, askedBy, loginUrl: LOGIN_URL }),
  ]);
  const views = everyView();
  const { 'result-zero-hits': result = cancelledMessage(LOOKUP, askedBy) } = views;
  return {
    ...views,
    ...everyPlaceMessage(LOOKUP, result, waiting('', undefined, false)),
    waiting: waiting('', undefined, true),
    'waiting-with-reason': waiting('Diagnostics are running: 64 of 247.', undefined, true),
    'waiting-with-trouble': waiting('', FAILED, true),
    'waiting-uneditable': waiting('', undefined, false),
    'waiting-for-two': waiting('', undefined, true, COMPARISON),
    'timed-out': timedOutMessage(LOOKUP, ''),
    'timed-out-with-reason': timedOutMessage(LOOKUP, 'The snapshot is waiting in a queue.'),
    'timed-out-with-trouble': timedOutMessage(LOOKUP, '', FAILED),
    'already-waiting': alreadyWaitingMessage(
      LOOKUP,
      'https://acme.slack.com/archives/C0SUPPORT/p1795167300000100',
    ),
    'already-waiting-without-link': alreadyWaitingMessage(LOOKUP, undefined),
    cancelled: cancelledMessage(LOOKUP, askedBy),
    bug: bugMessage('1f9c03ab', LOOKUP, askedBy),
    usage: usageMessage('/snapshot'),
    'usage-with-problem': usageMessage('/snapshot', '“hti” is not a snapshot id.'),
    'fault-in-a-comparison': faultMessage(EVERY_FAULT['snapshot-not-found'], {
      asked: COMPARISON,
      question: { snapshotId: snapshotId('1010'), set: 'hit' },
      askedBy,
      loginUrl: LOGIN_URL,
    }),
    ...Object.fromEntries(faults),
  };
}

/** One of each modal, by name. */
export function everyModal(): Record<string, types.ModalView> {
  const gone = EVERY_FAULT['snapshot-not-found'];
  return {
    ...everyViewModal(),
    ...everyPlaceModal(),
    'notice-modal': noticeModal(faultNotice(EVERY_FAULT['login-refused'], LOGIN_URL).text),
    'notice-modal-gone': noticeModal(clickFaultNotice(gone, LOOKUP, LOGIN_URL).text),
  };
}
