import type {
  Fault,
  NotADocument,
  NotADocumentReason,
  ServiceFailed,
  UnexpectedAnswer,
  Unreachable,
} from '../../core/faults.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import { slackClock } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import { cookieDomain, type FaultSentence, loginRefused, sessionRefused } from './login-sentences.ts';
import type { Operator } from './operator.ts';
import { capital } from './wording.ts';

/**
 * What the sentences need to know besides the fault. `before`: the other snapshot of a comparison, where nobody knows
 * which of the two the fault is about.
 */
type FaultContext = {
  readonly snapshotId: SnapshotId | undefined;
  readonly before?: SnapshotId | undefined;
  readonly operator: Operator;
};

/** The sentence for each fault. */
export function faultSentence(fault: Fault, context: FaultContext): FaultSentence {
  const { operator } = context;
  const { contact } = operator;
  const snapshot = snapshotOf(context);
  switch (fault.code) {
    case 'login-refused':
      return loginRefused(fault, operator);
    case 'session-refused':
      return sessionRefused(fault, operator);
    case 'cookie-domain':
      return cookieDomain(fault, operator);
    case 'forbidden':
      return forbidden(snapshot);
    case 'snapshot-not-found':
      return notFound(snapshot);
    case 'not-acceptable':
      return notAcceptable(contact);
    case 'rate-limited':
      return rateLimited(fault.retryAt);
    case 'service-failed':
      return serviceFailed(fault);
    case 'unreachable':
      return unreachable(fault, contact);
    case 'unexpected-answer':
      return fault.status === GONE ? deleted(snapshot) : unexpected(fault, contact);
    case 'too-large':
      return tooLarge(snapshot, fault.limitBytes);
    case 'too-many-diagnostics':
      return tooMany(snapshot, fault.limit);
    case 'not-a-document':
      return notADocument(fault, snapshot, contact);
    case 'storage-failed':
      return storageFailed(contact);
    default:
      return fault satisfies never;
  }
}

function snapshotOf({ snapshotId, before }: Omit<FaultContext, 'operator'>): string {
  if (snapshotId === undefined) return 'this snapshot';
  return before === undefined ? `snapshot ${snapshotId}` : `one of the snapshots ${before} and ${snapshotId}`;
}

function notAcceptable(contact: string): FaultSentence {
  return {
    what: 'The service doesn’t offer the format that the bot asks for (status 406).',
    next: `Ask ${contact} to check DIAGNOSTICS_VENDOR.`,
    retry: false,
  };
}

function storageFailed(contact: string): FaultSentence {
  return {
    what: 'The bot can’t reach its own storage right now.',
    next: `Try again in a minute. If it keeps happening, ask ${contact} to check the bot’s disk or Redis.`,
    retry: true,
  };
}

function forbidden(snapshot: string): FaultSentence {
  return {
    what: `The bot’s account has no access to ${snapshot}.`,
    next: 'Check the id. If it is right, the snapshot may belong to another account: ask its owner to share it.',
    retry: false,
  };
}

function notFound(snapshot: string): FaultSentence {
  return {
    what: `${capital(snapshot)} was not found.`,
    next:
      'Check the id. If you uploaded it just now, try again in a minute. ' +
      'The service deletes snapshots after about 30 days: upload an older one again.',
    retry: true,
  };
}

function rateLimited(retryAt: number): FaultSentence {
  return {
    what: 'The service asked the bot to pause its requests.',
    next: `Try again after ${slackClock(retryAt)}.`,
    retry: true,
  };
}

function serviceFailed({ upstream, status, retryAt }: ServiceFailed): FaultSentence {
  return {
    what: `The ${upstream} failed (status ${status}).`,
    next: `Try again ${retryAt === undefined ? 'in a few minutes' : `after ${slackClock(retryAt)}`}.`,
    retry: true,
  };
}

const WHAT_FAILED: Record<Unreachable['reason'], (whom: string) => string> = {
  name: (whom) => `The host name of the ${whom} could not be resolved.`,
  connection: (whom) => `The ${whom} can’t be reached.`,
  timeout: (whom) => `The ${whom} took too long to answer.`,
  'ended-early': (whom) => `The ${whom} closed the connection in the middle of an answer.`,
  certificate: (whom) => `The bot doesn’t trust the certificate of the ${whom}.`,
};

function unreachable({ upstream, reason, host }: Unreachable, contact: string): FaultSentence {
  const isCertificate = reason === 'certificate';
  const check = isCertificate
    ? `Ask ${contact} to check the address, and NODE_EXTRA_CA_CERTS if your company signs its own certificates.`
    : `Try again in a few minutes. If it keeps happening, ask ${contact} to check the address and the proxy settings.`;
  const what = WHAT_FAILED[reason](`${upstream} (${inert(host)})`);
  return { what, next: check, retry: !isCertificate };
}

/** The service had it, and has it no more: no setting changes that. */
const GONE = 410;

function deleted(snapshot: string): FaultSentence {
  return {
    what: `${capital(snapshot)} was deleted from the diagnostics service (status ${GONE}).`,
    next: 'Upload it again, and look up its new id.',
    retry: false,
  };
}

function unexpected({ upstream, status, redirectedTo }: UnexpectedAnswer, contact: string): FaultSentence {
  const redirect = redirectedTo === undefined ? '' : `, a redirect to ${inert(redirectedTo)}`;
  return {
    what: `The ${upstream} sent an answer that the bot can’t use (status ${status}${redirect}).`,
    next: `Ask ${contact} to check DIAGNOSTICS_BASE_URL and DIAGNOSTICS_AUTH_URL.`,
    retry: true,
  };
}

function tooLarge(snapshot: string, limitBytes: number): FaultSentence {
  return {
    what: `The result of ${snapshot} is too large for the bot to read (${Math.max(1, Math.floor(limitBytes / 1024 / 1024))} MB or more).`,
    next: 'Ask for the hits only, or open the snapshot on the service’s web page.',
    retry: false,
  };
}

function tooMany(snapshot: string, limit: number): FaultSentence {
  return {
    what: `The result of ${snapshot} lists more than ${limit.toLocaleString('en-US')} checks, the most that the bot can read.`,
    next: 'Ask for the hits only, or open the snapshot on the service’s web page.',
    retry: false,
  };
}

const RECEIVED: Record<NotADocumentReason, string> = {
  empty: 'an empty answer',
  html: 'a web page',
  json: 'JSON',
  doctype: 'a document with an unexpected DOCTYPE',
  broken: 'a broken or incomplete document',
  'wrong-root': 'the wrong kind of document',
  'no-diagnostics': 'a document without a list of checks',
  'not-xml': 'something other than XML',
};

function notADocument({ reason }: NotADocument, snapshot: string, contact: string): FaultSentence {
  return {
    what: `The service sent ${RECEIVED[reason]} instead of the result of ${snapshot}.`,
    next: reason === 'no-diagnostics' ? NOT_ANALYSED : wrongAddress(contact),
    retry: true,
  };
}

const NOT_ANALYSED =
  'Try again in a few minutes. If it keeps happening, the analysis may have failed: upload the snapshot again.';

function wrongAddress(contact: string): string {
  return (
    `Try again. If it keeps happening, ask ${contact} to check DIAGNOSTICS_BASE_URL, and whether a proxy ` +
    'answers instead of the service.'
  );
}
