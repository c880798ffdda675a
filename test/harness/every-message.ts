import type { types } from '@slack/bolt';
import { sideOf } from '../../src/core/counting.ts';
import type { DiagnosticsResult } from '../../src/core/diagnostics.ts';
import { ServiceFailed } from '../../src/core/faults.ts';
import type { Lookup } from '../../src/core/lookup.ts';
import type { DiagnosticSet } from '../../src/core/snapshot-id.ts';
import type { Waiting } from '../../src/lookups/news.ts';
import { readDocument } from '../../src/service/document.ts';
import type { Message } from '../../src/slack/blocks.ts';
import { alreadyWaitingMessage } from '../../src/slack/messages/already-waiting-message.ts';
import { cancelledMessage } from '../../src/slack/messages/cancelled-message.ts';
import { detailsModal, noticeModal } from '../../src/slack/messages/details-modal.ts';
import { bugMessage, faultMessage, faultNotice } from '../../src/slack/messages/fault-message.ts';
import { resultMessage } from '../../src/slack/messages/result-message.ts';
import { timedOutMessage } from '../../src/slack/messages/timed-out-message.ts';
import { usageMessage } from '../../src/slack/messages/usage-message.ts';
import { waitingMessage } from '../../src/slack/messages/waiting-message.ts';
import { documentXml, type SnapshotDocument } from '../stand-ins/diagnostics-service/document.ts';
import { cleanDocument, realisticDocument } from '../stand-ins/diagnostics-service/shelf/scenarios.ts';
import { EVERY_FAULT } from './every-fault.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const HOUR_MS = 3_600_000;
const LOGIN_URL = 'https://login.acme.example/';
const LAST_PAGE = 7;
const FAILED = new ServiceFailed('diagnostics service', 503);

const LOOKUP: Omit<Lookup<unknown>, 'place'> = {
  id: 'f3a1c2d4-0000-4000-8000-000000000000',
  question: { snapshotId: snapshotId('26808463'), set: 'all' },
  askedBy: 'U0ANA',
  acceptedAt: AT,
  deadline: AT + HOUR_MS,
};
const { question, askedBy } = LOOKUP;

function read(document: SnapshotDocument): DiagnosticsResult {
  return readDocument(documentXml(document), 'all');
}

function result(document: SnapshotDocument, set: DiagnosticSet, page = 0): Message {
  return resultMessage({ question: { ...question, set }, result: read(document), page, askedBy, readAt: AT });
}

function waiting(reason: string, trouble: ServiceFailed | undefined, editable: boolean): Message {
  const news: Waiting = {
    kind: 'waiting',
    since: AT,
    reason,
    isProcessing: reason !== '' || trouble === undefined,
    ...(trouble === undefined ? {} : { trouble }),
  };
  return waitingMessage({ lookup: LOOKUP, news, editable, loginUrl: LOGIN_URL });
}

/** One message for each thing that a channel can be told, by name. */
export function everyMessage(): Record<string, Message> {
  const realistic = realisticDocument();
  const faults = Object.entries(EVERY_FAULT).map(([name, fault]) => [
    `fault-${name}`,
    faultMessage(fault, question, askedBy, LOGIN_URL),
  ]);
  return {
    'result-first-page': result(realistic, 'all'),
    'result-middle-page': result(realistic, 'hit', 3),
    'result-last-page': result(realistic, 'all', LAST_PAGE),
    'result-one-hit': result({ ...realistic, diagnostics: realistic.diagnostics?.filter(isFirstHit) }, 'hit'),
    'result-zero-hits': result(cleanDocument(), 'all'),
    'result-passed-checks': result(realistic, 'miss'),
    'result-empty': result({}, 'all'),
    'result-counted-otherwise': result({ ...cleanDocument(), counts: { hit: 3, miss: 177 } }, 'all'),
    waiting: waiting('', undefined, true),
    'waiting-with-reason': waiting('Diagnostics are running: 64 of 247.', undefined, true),
    'waiting-with-trouble': waiting('', FAILED, true),
    'waiting-uneditable': waiting('', undefined, false),
    'timed-out': timedOutMessage(LOOKUP, ''),
    'timed-out-with-reason': timedOutMessage(LOOKUP, 'The snapshot is waiting in a queue.'),
    'timed-out-with-trouble': timedOutMessage(LOOKUP, '', FAILED),
    'already-waiting': alreadyWaitingMessage(
      question,
      'https://acme.slack.com/archives/C0SUPPORT/p1795167300000100',
    ),
    'already-waiting-without-link': alreadyWaitingMessage(question, undefined),
    cancelled: cancelledMessage(question, askedBy),
    bug: bugMessage('1f9c03ab', question, askedBy),
    usage: usageMessage('/snapshot'),
    'usage-with-problem': usageMessage('/snapshot', '“hti” is not a snapshot id.'),
    ...Object.fromEntries(faults),
  };
}

const isFirstHit = ({ name }: { name?: string | undefined }) => name === 'H00040009';

/** One of each modal, by name. */
export function everyModal(): Record<string, types.ModalView> {
  const hits = sideOf(read(realisticDocument()), 'hit');
  const [hit] = hits;
  if (hit === undefined) throw new Error('no hit');
  const log = Array.from({ length: 800 }, (_, line) => `line ${line + 1} of a long log of this device`).join(
    '\n',
  );
  const long = { ...hit, output: [...hit.output, log] };
  const view = { question, index: 0, total: hits.length };
  return {
    'details-modal': detailsModal({ ...view, hit, part: 0 }),
    'details-modal-part-2': detailsModal({ ...view, hit: long, part: 1 }),
    'notice-modal': noticeModal(faultNotice(EVERY_FAULT['login-refused'], LOGIN_URL).text),
  };
}
