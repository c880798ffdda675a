import { type Fault, type FaultOf, fault, type UnreachableReason } from '../../src/core/faults.ts';

const LATER = Date.UTC(2026, 10, 20, 9, 35);
const API = 'diagnostics.acme.example';
const upstream = 'diagnostics service';
const MEBIBYTE = 1024 * 1024;

function unreachable(reason: UnreachableReason, options?: ErrorOptions) {
  return fault('unreachable', { upstream, host: API, reason }, options);
}

export type FaultKind<Example = Fault> = {
  readonly example: Example;
  readonly why: string;
  readonly status?: number;
};

const UNDERLYING = new Error('an underlying error');
const WRAPPING = { cause: UNDERLYING };

/**
 * An example of each kind of fault, its explanation in the documents, and its HTTP status if the status alone
 * identifies it.
 */
export const FAULT_KINDS = {
  'login-refused': {
    example: fault('login-refused', { status: 302, retryAt: LATER }, WRAPPING),
    why: 'The login servers gave no session. 200, 302, 401 and 403 speak of the account or its password; any other status rather of the address.',
  },
  'session-refused': {
    example: fault('session-refused', {}, WRAPPING),
    why: 'The login succeeded, and the API answered 401 or a redirect to the login servers all the same. For one snapshot alone, its owner keeps it from the account. For all, the addresses are of two services, or the account may not use the API. A refused session is replaced at most once a minute.',
  },
  'cookie-domain': {
    example: fault('cookie-domain', { host: API, domain: '*sso*.example<!here>' }, WRAPPING),
    why: 'The login succeeded, but its cookies are for a domain that the host of the API is not in. An alias or a proxy in one of the two addresses does that.',
  },
  forbidden: {
    example: fault('forbidden', {}, WRAPPING),
    why: 'The service answered 403: the snapshot belongs to an account that does not share it with the bot’s.',
    status: 403,
  },
  'snapshot-not-found': {
    example: fault('snapshot-not-found', {}, WRAPPING),
    why: 'The service answered 404: a wrong id, a snapshot that was deleted or is older than about 30 days, or an upload that is still queued. Where the bot has seen it there before, it says when. If every id is told this, DIAGNOSTICS_BASE_URL is wrong: try `npm run doctor -- --snapshot 26808463`.',
    status: 404,
  },
  'not-acceptable': {
    example: fault('not-acceptable', {}, WRAPPING),
    why: 'The service answered 406: it offers no media type of that vendor.',
    status: 406,
  },
  'rate-limited': {
    example: fault('rate-limited', { retryAt: LATER }, WRAPPING),
    why: 'The service answered 429, or an earlier answer named a time that has not come.',
  },
  'service-failed': {
    example: fault('service-failed', { upstream, status: 503 }, WRAPPING),
    why: 'The service answered with a status of 500 or more, each time that the bot tried.',
  },
  unreachable: {
    example: unreachable('connection', WRAPPING),
    why: 'No whole answer came, each time that the bot tried: the name server, the network, the firewall, the proxy or the certificate. What can’t be decoded is no HTTP, is compressed and damaged, or has more than 64 KB of headers: mostly a proxy in between.',
  },
  'unexpected-answer': {
    example: fault(
      'unexpected-answer',
      { upstream, status: 307, redirectedTo: '*elsewhere*.example<!here>' },
      WRAPPING,
    ),
    why: 'The answer has a status that the service does not specify, or redirects to a host that no setting names: often a proxy, or another server at that address.',
  },
  'too-large': {
    example: fault('too-large', { limitBytes: 16 * MEBIBYTE }, WRAPPING),
    why: 'The document is larger than the bot reads.',
  },
  'too-many-diagnostics': {
    example: fault('too-many-diagnostics', { limit: 5_000 }, WRAPPING),
    why: 'The document lists more checks than the bot reads.',
  },
  'not-a-document': {
    example: fault('not-a-document', { reason: 'html' }, WRAPPING),
    why: 'The answer is a 200, and no XML of an analysis: a sign-in page, a page of a proxy, or an analysis that failed.',
  },
  'storage-failed': {
    example: fault('storage-failed', {}, WRAPPING),
    why: 'The disk is full or broken, or Redis does not answer. `/readyz` says which.',
  },
} satisfies { readonly [Code in Fault['code']]: FaultKind<FaultOf<Code>> };

/** Every kind of fault. A kind with several reasons appears once for each reason. */
export const EVERY_FAULT = {
  ...(Object.fromEntries(Object.entries(FAULT_KINDS).map(([code, { example }]) => [code, example])) as {
    [Code in keyof typeof FAULT_KINDS]: (typeof FAULT_KINDS)[Code]['example'];
  }),
  'login-refused-oddly': fault('login-refused', { status: 404, retryAt: LATER }),
  'service-failed-until': fault('service-failed', { upstream, status: 502, retryAt: LATER }),
  'login-failed': fault('service-failed', { upstream: 'login servers', status: 500 }),
  'login-unreachable': fault('unreachable', {
    upstream: 'login servers',
    host: 'login.acme.example',
    reason: 'timeout',
  }),
  'unreachable-name': unreachable('name'),
  'unreachable-timeout': unreachable('timeout'),
  'unreachable-ended-early': unreachable('ended-early'),
  'unreachable-undecodable': unreachable('undecodable'),
  'unreachable-certificate': unreachable('certificate'),
  'unexpected-status': fault('unexpected-answer', { upstream: 'login servers', status: 418 }),
  'snapshot-deleted': fault('unexpected-answer', { upstream, status: 410 }),
  'not-a-document-empty': fault('not-a-document', { reason: 'empty' }),
  'not-a-document-json': fault('not-a-document', { reason: 'json' }),
  'not-a-document-doctype': fault('not-a-document', { reason: 'doctype' }),
  'not-a-document-broken': fault('not-a-document', { reason: 'broken' }),
  'not-a-document-wrong-root': fault('not-a-document', { reason: 'wrong-root' }),
  'not-a-document-no-diagnostics': fault('not-a-document', { reason: 'no-diagnostics' }),
  'not-a-document-not-xml': fault('not-a-document', { reason: 'not-xml' }),
};
