import type {
  Fault,
  LoginRefused,
  NotADocument,
  NotADocumentReason,
  ServiceFailed,
  UnexpectedAnswer,
  Unreachable,
} from '../../core/faults.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import { inert } from '../inert-text.ts';
import { slackClock } from './slack-time.ts';

/** What happened, whose matter it is and what to do next, in mrkdwn. `retry`: whether asking again may help. */
export type FaultSentence = { readonly what: string; readonly next: string; readonly retry: boolean };

/** What the sentences need to know besides the fault. */
export type FaultContext = { readonly snapshotId: SnapshotId | undefined; readonly loginUrl: string };

/** The sentence for each fault. */
export function faultSentence(fault: Fault, { snapshotId, loginUrl }: FaultContext): FaultSentence {
  const snapshot = snapshotId === undefined ? 'this snapshot' : `snapshot ${snapshotId}`;
  switch (fault.code) {
    case 'login-refused':
      return loginRefused(fault, loginUrl);
    case 'session-refused':
      return sessionRefused(loginUrl);
    case 'forbidden':
      return forbidden(snapshot);
    case 'snapshot-not-found':
      return notFound(snapshot);
    case 'not-acceptable':
      return NOT_ACCEPTABLE;
    case 'rate-limited':
      return rateLimited(fault.retryAt);
    case 'service-failed':
      return serviceFailed(fault);
    case 'unreachable':
      return unreachable(fault);
    case 'unexpected-answer':
      return unexpected(fault);
    case 'too-large':
      return tooLarge(snapshot, fault.limitBytes);
    case 'not-a-document':
      return notADocument(fault, snapshot);
    case 'storage-failed':
      return STORAGE_FAILED;
    default:
      return fault satisfies never;
  }
}

const NOT_ACCEPTABLE: FaultSentence = {
  what: 'The service does not speak the format that the bot asks for (status 406).',
  next: 'Whoever runs this bot should check DIAGNOSTICS_VENDOR.',
  retry: false,
};

const STORAGE_FAILED: FaultSentence = {
  what: 'The bot cannot reach its own storage right now.',
  next: 'Try again in a minute. If it stays like this, whoever runs this bot should look at its disk or its Redis.',
  retry: true,
};

function loginRefused(fault: LoginRefused, loginUrl: string): FaultSentence {
  return {
    what: `The login servers refuse the bot's account (status ${fault.status}).`,
    next:
      'Whoever runs this bot should check DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET, and can try them by hand ' +
      `at <${loginUrl}>. So that the account is not locked, the bot does not try again before ${slackClock(fault.coolDownUntil)}.`,
    retry: true,
  };
}

function sessionRefused(loginUrl: string): FaultSentence {
  return {
    what: 'The diagnostics service does not accept the session that its own login gave.',
    next:
      'Whoever runs this bot should check that DIAGNOSTICS_BASE_URL, DIAGNOSTICS_AUTH_URL and DIAGNOSTICS_VENDOR ' +
      `belong to the same service, and try the account at <${loginUrl}>.`,
    retry: true,
  };
}

function forbidden(snapshot: string): FaultSentence {
  return {
    what: `The bot's account may not see ${snapshot}.`,
    next: 'Check the id. If it is right, the snapshot belongs to another account: ask its owner to share it.',
    retry: false,
  };
}

function notFound(snapshot: string): FaultSentence {
  return {
    what: `The service does not know ${snapshot}.`,
    next:
      'Check the id. If it was uploaded just now, try again in a minute. ' +
      'If it is older than about 30 days, the service has deleted it: upload it again.',
    retry: true,
  };
}

function rateLimited(retryAt: number): FaultSentence {
  return {
    what: 'The service is getting too many requests and asks to slow down.',
    next: `Try again after ${slackClock(retryAt)}.`,
    retry: true,
  };
}

function serviceFailed({ neighbour, status }: ServiceFailed): FaultSentence {
  return {
    what: `The ${neighbour} failed (status ${status}), even after retries.`,
    next: 'The snapshot is not the cause. Try again in a few minutes.',
    retry: true,
  };
}

const WHAT_FAILED: Record<Unreachable['reason'], (whom: string) => string> = {
  name: (whom) => `There is no host with the name of the ${whom}.`,
  connection: (whom) => `The ${whom} cannot be reached.`,
  timeout: (whom) => `The ${whom} took too long to answer.`,
  'ended-early': (whom) => `The ${whom} broke off in the middle of an answer, even after retries.`,
  certificate: (whom) => `The bot does not trust the certificate of the ${whom}.`,
};

function unreachable({ neighbour, reason, host }: Unreachable): FaultSentence {
  const isCertificate = reason === 'certificate';
  const check = isCertificate
    ? 'Whoever runs this bot should check the address, and NODE_EXTRA_CA_CERTS if an authority of your own signed it.'
    : 'Try again in a few minutes. If it stays like this, whoever runs this bot should check the address and the proxy settings.';
  const what = WHAT_FAILED[reason](`${neighbour} (${inert(host)})`);
  return { what, next: check, retry: !isCertificate };
}

function unexpected({ neighbour, status, redirectedTo }: UnexpectedAnswer): FaultSentence {
  const redirect = redirectedTo === undefined ? '' : `, a redirect to ${inert(redirectedTo)}`;
  return {
    what: `The ${neighbour} gave an answer that the bot cannot use (status ${status}${redirect}).`,
    next: 'Whoever runs this bot should check DIAGNOSTICS_BASE_URL and DIAGNOSTICS_AUTH_URL.',
    retry: true,
  };
}

function tooLarge(snapshot: string, limitBytes: number): FaultSentence {
  return {
    what: `The result of ${snapshot} is larger than ${Math.round(limitBytes / 1024 / 1024)} MB, more than the bot reads.`,
    next: 'Ask for the hits only, or open the snapshot on the web page of the service.',
    retry: false,
  };
}

const RECEIVED: Record<NotADocumentReason, string> = {
  empty: 'an empty answer',
  html: 'a web page',
  json: 'JSON',
  doctype: 'a document with a DOCTYPE, which it never sends',
  broken: 'a document that is broken or cut off',
  'wrong-root': 'another kind of document',
  'not-xml': 'something else',
};

function notADocument({ reason }: NotADocument, snapshot: string): FaultSentence {
  return {
    what: `Instead of the result of ${snapshot} the service sent ${RECEIVED[reason]}.`,
    next:
      'Try again. If it stays like this, whoever runs this bot should check DIAGNOSTICS_BASE_URL, and whether ' +
      'a proxy answers in the place of the service.',
    retry: true,
  };
}
