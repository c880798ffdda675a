import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import {
  CookieDomainMismatch,
  type Fault,
  isFault,
  SessionRefused,
  SnapshotNotFound,
} from '../core/faults.ts';
import type { Lookup } from '../core/lookup.ts';
import { MemoryLeases } from '../core/memory-leases.ts';
import type { SnapshotId } from '../core/snapshot-id.ts';
import type { LookupStatus } from '../lookups/lookup-status.ts';
import type { Authentication } from '../service/authentication.ts';
import { DiagnosticsClient } from '../service/client.ts';
import { header } from '../service/headers.ts';
import { cookieHeader, type LoginSuccess, login } from '../service/login.ts';
import { Pause } from '../service/pause.ts';
import type { ServiceSettings } from '../service/service-settings.ts';
import { type HttpRequest, type HttpResponse, type HttpTimeouts, Transport } from '../service/transport.ts';
import { messageFor } from '../slack/answer/message-for.ts';
import { faultSentence } from '../slack/answer/words/fault-sentences.ts';
import { isRejection } from '../slack/answer/words/login-sentences.ts';
import { DEFAULT_CONTACT } from '../slack/answer/words/operator.ts';
import { type Finding, failure, ok, type Problem, unchecked, warning } from './finding.ts';
import { messageLines, operatorStep, plainText } from './plain-text.ts';

/** Slack refuses signatures that are five minutes off; half of that is worth a warning. */
const CLOCK_OFF_MS = 150_000;

type ServiceCheckOptions = {
  readonly config: Config;
  readonly timeouts: HttpTimeouts;
  readonly userAgent: string;
  /** A snapshot to request once after the login. */
  readonly snapshotId: SnapshotId | undefined;
  readonly now: () => number;
};

/** Remembers the `Date` of the last answer, beside when it came. */
class DatedTransport extends Transport {
  offByMs: number | undefined;

  override send<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    return super.send(asked, (answer) => {
      const date = Date.parse(header(answer, 'date') ?? '');
      if (!Number.isNaN(date)) this.offByMs = Date.now() - date;
      return read(answer);
    });
  }
}

/**
 * Checks the login once, without retries, compares the clock with the service's, and requests a snapshot if one is
 * named.
 */
export async function checkService(options: ServiceCheckOptions): Promise<Finding[]> {
  const { config, timeouts, userAgent, now } = options;
  const settings = { ...config.service, userAgent };
  const transport = new DatedTransport({
    proxies: config.proxies,
    timeouts,
    concurrency: 1,
    onAnswer: () => {},
  });
  try {
    const pause = new Pause('login servers', new MemoryLeases(now), now);
    const outcome = await login(transport, settings, pause, now);
    const clock = clockFindings(transport.offByMs);
    if ('refusedWith' in outcome) return [refusedFinding(outcome.refusedWith, settings), ...clock];
    await cookieHeader(outcome.cookies, new URL(settings.baseUrl), now());
    const what = `the account is accepted; its session is trusted until ${new Date(outcome.trustedUntil).toISOString()}`;
    const found = [ok('login', what), ...clock];
    if (options.snapshotId === undefined) return [...found, UNTRIED];
    return [...found, await snapshotFinding(options.snapshotId, outcome, transport, settings, now)];
  } catch (error) {
    if (!isFault(error)) throw error;
    const problem = error instanceof CookieDomainMismatch ? 'login-cookies' : 'login-failed';
    return [faultFinding(problem, 'login', error, settings)];
  } finally {
    await transport.close();
  }
}

/** No request but one for a snapshot reads either of them. */
const UNTRIED = unchecked(
  'DIAGNOSTICS_VENDOR, DIAGNOSTICS_BASE_URL',
  'not tried with a snapshot',
  'run the doctor with --snapshot and the id of one that the account can read',
);

function refusedFinding(status: number, { loginUrl }: ServiceSettings): Finding {
  const isOfAccount = isRejection(status);
  const what = isOfAccount ? 'the service rejects the account' : 'the login servers gave no session';
  const address = isOfAccount ? '' : 'DIAGNOSTICS_AUTH_URL, ';
  return failure(
    'login-refused',
    'login',
    `${what} (status ${status})`,
    `check ${address}DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET, and try them by hand at ${loginUrl}`,
  );
}

function faultFinding(problem: Problem, area: string, fault: Fault, { loginUrl }: ServiceSettings): Finding {
  const { what, next } = faultSentence(fault, {
    snapshotId: undefined,
    operator: { contact: DEFAULT_CONTACT, loginUrl },
  });
  return failure(problem, area, plainText(what), operatorStep(next));
}

function clockFindings(offByMs: number | undefined): Finding[] {
  if (offByMs === undefined) return [];
  const seconds = Math.round(Math.abs(offByMs) / 1_000);
  if (Math.abs(offByMs) < CLOCK_OFF_MS) return [ok('clock', `within ${seconds} s of the service's`)];
  const what = `${seconds} s ${offByMs > 0 ? 'ahead of' : 'behind'} the service's`;
  return [
    warning('clock-off', 'clock', what, 'set it by NTP: Slack refuses requests when it is five minutes off'),
  ];
}

/** Authenticates with the cookies of that login. A refused session ends the check; it never logs in again. */
function authenticationWith({ cookies }: LoginSuccess, now: () => number): Authentication {
  return {
    authenticate: async (url) => {
      const cookie = await cookieHeader(cookies, url, now());
      return { headers: { cookie }, generation: 'doctor' };
    },
    refused: async () => {
      throw new SessionRefused();
    },
    refusedAgain: async () => new SessionRefused(),
    health: async () => ({ state: 'not-needed' }),
  };
}

/** Whoever examines an installation may have the address wrong as well as the id. */
const NOT_FOUND =
  'check the id; if the snapshot is there, DIAGNOSTICS_BASE_URL is not the address of the service’s API';

async function snapshotFinding(
  snapshotId: SnapshotId,
  session: LoginSuccess,
  transport: Transport,
  settings: ServiceSettings,
  now: () => number,
): Promise<Finding> {
  const area = `snapshot ${snapshotId}`;
  const retry = { retries: 0, firstDelayMs: 0, longestDelayMs: 0, maxRetryAfterMs: 0 };
  const authentication = authenticationWith(session, now);
  const leases = new MemoryLeases(now);
  const client = new DiagnosticsClient({
    ...{ transport, authentication, leases, settings },
    ...{ retry, coolDownMs: 0, now },
  });
  const question = { snapshotId, set: 'all' } as const;
  try {
    const answer = await client.diagnostics(question);
    if (answer.kind === 'processing') return ok(area, 'still being processed');
    const status: LookupStatus = { kind: 'ready', result: answer.result, readAt: now() };
    const message = messageFor(lookupOf(snapshotId, now()), status, {
      operator: { contact: DEFAULT_CONTACT, loginUrl: settings.loginUrl },
      editable: true,
      isPrivate: false,
    });
    return ok(area, ['it would be shown so:', ...messageLines(message)].join('\n    '));
  } catch (error) {
    if (!isFault(error)) throw error;
    const finding = faultFinding('snapshot-failed', area, error, settings);
    return error instanceof SnapshotNotFound ? { ...finding, repair: NOT_FOUND } : finding;
  }
}

function lookupOf(snapshotId: SnapshotId, at: number): Lookup {
  return {
    id: randomUUID(),
    question: { snapshotId, set: 'all' },
    askedBy: 'doctor',
    // As in a direct message: there is nobody to tell who is on it.
    destination: { channel: 'D0', user: '' },
    acceptedAt: at,
    deadline: at,
  };
}
