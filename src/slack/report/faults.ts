import type { Fault, FaultOf, NotADocumentReason, UnreachableReason } from '../../core/faults.ts';
import type { Asked } from '../../core/lookup.ts';
import { slackClock } from '../blocks/blocks.ts';
import { inert } from '../blocks/limits.ts';
import { capital, count, listed } from './words.ts';

/** The operator's settings for messages. `contact`: whom to ask, as words inside a sentence. The URLs are for links. */
export type Operator = Readonly<{ contact: string; loginUrl: string; ticketUrl?: string | undefined }>;

type Said = { readonly what: string; readonly next: string };
type Words = Operator & { readonly snapshot: string };

/**
 * The sentences for a fault: what happened, and what to do next. `asked`: the failed request. A comparison is named by
 * both snapshots, because either may have failed.
 */
export function faultSentence(
  fault: Fault,
  operator: Operator,
  asked?: Pick<Asked, 'question' | 'before'>,
): Said {
  const ids = asked && [asked.before, asked.question].flatMap((each) => each?.snapshotId ?? []);
  const one = ids?.length === 2 ? `one of the snapshots ${listed(ids)}` : `snapshot ${ids?.join()}`;
  const snapshot = ids === undefined ? 'this snapshot' : one;
  // `fault.code` selects the entry for exactly this kind of fault, which TypeScript can't infer.
  const say = SENTENCES[fault.code] as (fault: Fault, words: Words) => Said;
  return say(fault, { snapshot, ...operator });
}

/** The sentences for a fault, as one text. */
export function faultText(...given: Parameters<typeof faultSentence>): string {
  const { what, next } = faultSentence(...given);
  return `${what} ${next}`;
}

/** Whether a login status means a rejected account; any other status may come from a wrong URL. */
function isRejection(status: number): boolean {
  return [200, 302, 401, 403].includes(status);
}

const HITS_ALONE =
  'Type “hit” after the id to get the hits alone, or open the snapshot on the service’s web page.';
/** The status of a deleted snapshot, which no setting can repair. */
const GONE = 410;
const MEGABYTE = 1024 * 1024;

const SENTENCES: { readonly [Code in Fault['code']]: (fault: FaultOf<Code>, words: Words) => Said } = {
  'login-refused': ({ status, retryAt }, { contact, loginUrl }) => ({
    what: `Login failed: ${isRejection(status) ? 'the service rejected the bot’s account' : 'the login servers gave no session'} (status ${status}).`,
    next:
      `Ask ${contact} to check ${isRejection(status) ? '' : 'DIAGNOSTICS_AUTH_URL, '}DIAGNOSTICS_USER_ID and ` +
      `DIAGNOSTICS_USER_SECRET, for example by logging in at <${loginUrl}>. ` +
      `To avoid locking the account, I log in again no earlier than ${slackClock(retryAt)}: try again then.`,
  }),
  'session-refused': (_fault, { snapshot, contact, loginUrl }) => ({
    what: `The service rejected the bot’s session for ${snapshot} right after the login.`,
    next:
      'If other snapshots work, the bot’s account may have no access to this one: check the id, or ask its owner to ' +
      `share it. If none works, ask ${contact} to check that DIAGNOSTICS_BASE_URL, DIAGNOSTICS_AUTH_URL and ` +
      `DIAGNOSTICS_VENDOR belong to the same service, and to log in with the account at <${loginUrl}>.`,
  }),
  'cookie-domain': (fault, { contact }) => ({
    what: `The login succeeded, but its cookies are for ${inert(fault.domain)} and can’t be sent to ${inert(fault.host)}.`,
    next: `Ask ${contact} to check that DIAGNOSTICS_BASE_URL and DIAGNOSTICS_AUTH_URL belong together. The account itself is fine.`,
  }),
  forbidden: (_fault, { snapshot }) => ({
    what: `The bot’s account has no access to ${snapshot}.`,
    next: 'Check the id. If it is right, the snapshot may belong to another account: ask its owner to share it, and try again.',
  }),
  'snapshot-not-found': (_fault, { snapshot }) => ({
    what: `${capital(snapshot)} was not found.`,
    next:
      'Check the id. If you uploaded it just now, try again in a minute. ' +
      'The service deletes snapshots after about 30 days: upload an older one again.',
  }),
  'not-acceptable': (_fault, { contact }) => ({
    what: 'The service doesn’t offer the format that the bot asks for (status 406).',
    next: `Ask ${contact} to check DIAGNOSTICS_VENDOR.`,
  }),
  'rate-limited': (fault) => ({
    what: 'The service asked the bot to pause its requests.',
    next: `Try again after ${slackClock(fault.retryAt)}.`,
  }),
  'service-failed': ({ upstream, status, retryAt }) => ({
    what: `The ${upstream} failed (status ${status}).`,
    next: `Try again ${retryAt === undefined ? 'in a few minutes' : `after ${slackClock(retryAt)}`}.`,
  }),
  unreachable: ({ reason, upstream, host }, { contact }) => ({
    what: UNREACHABLE[reason].replace('{it}', () => `${upstream} (${inert(host)})`),
    next:
      reason === 'certificate'
        ? `Ask ${contact} to check the address, and NODE_EXTRA_CA_CERTS if your company signs its own certificates.`
        : again('in a few minutes', `ask ${contact} to check the address and the proxy settings`),
  }),
  'unexpected-answer': ({ status, redirectedTo, upstream }, { snapshot, contact }) =>
    status === GONE
      ? {
          what: `${capital(snapshot)} was deleted from the diagnostics service (status ${GONE}).`,
          next: 'Upload it again, and look up its new id.',
        }
      : {
          what: `The ${upstream} sent an answer that the bot can’t use (status ${status}${redirectedTo === undefined ? '' : `, a redirect to ${inert(redirectedTo)}`}).`,
          next: `Ask ${contact} to check DIAGNOSTICS_BASE_URL and DIAGNOSTICS_AUTH_URL.`,
        },
  'too-large': (fault, { snapshot }) => ({
    what: `The result of ${snapshot} is too large for the bot to read (${Math.max(1, Math.floor(fault.limitBytes / MEGABYTE))} MB or more).`,
    next: HITS_ALONE,
  }),
  'too-many-diagnostics': (fault, { snapshot }) => ({
    what: `The result of ${snapshot} lists more than ${count(fault.limit)} checks, the most that the bot can read.`,
    next: HITS_ALONE,
  }),
  'not-a-document': ({ reason }, { snapshot, contact }) => ({
    what: `The service sent ${RECEIVED[reason]} instead of the result of ${snapshot}.`,
    next: again(
      'in a few minutes',
      reason === 'no-diagnostics'
        ? 'the analysis may have failed: upload the snapshot again'
        : `ask ${contact} to check DIAGNOSTICS_BASE_URL, and whether a proxy answers instead of the service`,
    ),
  }),
  'storage-failed': (_fault, { contact }) => ({
    what: 'The bot can’t reach its own storage right now.',
    next: again('in a minute', `ask ${contact} to check the bot’s disk or Redis`),
  }),
};

/** The faults in a few words, for the list of several snapshots. */
export const BRIEF: Readonly<Record<Fault['code'], string>> = {
  'login-refused': 'login failed',
  'session-refused': 'the service refused the bot’s session',
  'cookie-domain': 'login failed',
  forbidden: 'the bot’s account has no access',
  'snapshot-not-found': 'not found',
  'not-acceptable': 'the service doesn’t offer the format',
  'rate-limited': 'the service asked for a pause',
  'service-failed': 'the service failed',
  unreachable: 'the service can’t be reached',
  'unexpected-answer': 'an answer that the bot can’t use',
  'too-large': 'too large to read',
  'too-many-diagnostics': 'too many checks to read',
  'not-a-document': 'the answer was no result',
  'storage-failed': 'the bot can’t reach its storage',
};

/** The advice for a temporary failure: when to try again, and what to do if the failure persists. */
function again(when: string, otherwise: string): string {
  return `Try again ${when}. If it keeps happening, ${otherwise}.`;
}

const UNREACHABLE: Record<UnreachableReason, string> = {
  name: 'The host name of the {it} could not be resolved.',
  connection: 'The {it} can’t be reached.',
  timeout: 'The {it} took too long to answer.',
  'ended-early': 'The {it} closed the connection before its answer was complete.',
  undecodable: 'The {it} sent an answer that can’t be read.',
  certificate: 'The bot doesn’t trust the certificate of the {it}.',
};

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
