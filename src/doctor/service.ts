import { channel } from 'node:diagnostics_channel';
import type { TLSSocket } from 'node:tls';
import { type Dispatcher, request } from 'undici';
import type { Config } from '../config/load-config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { errorCode } from '../core/errors.ts';
import { CookieDomainMismatch, isFault, SnapshotNotFound, type Upstream } from '../core/faults.ts';
import { sideOf } from '../core/importance.ts';
import { inTime, LATE } from '../core/time.ts';
import { USER_AGENT } from '../ops/version.ts';
import { diagnosticsClient } from '../service/client.ts';
import { cookieHeader, type LoginSuccess, login } from '../service/login.ts';
import {
  HTTP_TIMEOUTS,
  proxyAgent,
  Transport,
  unreachableReason,
  whenWritten,
} from '../service/transport.ts';
import { isRejection } from '../slack/answer/fault-sentences.ts';
import { explainFault, type Finding, found, ok } from './finding.ts';

const DAY_MS = 24 * 3_600_000;
const EXPIRES_SOON_DAYS = 14;

type Host = { readonly setting: string; readonly url: URL };

/**
 * Checks the hosts of the service, each once, even if several settings name it: name resolution, proxy, connection,
 * certificate, as the bot's own requests find them. Sends no request. `timeoutMs` is for all steps together.
 */
export async function checkHosts(
  { service, proxies }: Pick<Config, 'service' | 'proxies'>,
  timeoutMs: number,
  now: () => number,
): Promise<Finding[]> {
  const hosts = new Map<string, Host>();
  for (const [setting, address] of [
    ['DIAGNOSTICS_BASE_URL', service.baseUrl],
    ['DIAGNOSTICS_AUTH_URL', service.authUrl],
    ['DIAGNOSTICS_LOGIN_URL', service.loginUrl],
  ] as const) {
    const url = new URL(address);
    if (!hosts.has(url.host)) hosts.set(url.host, { setting, url });
  }
  const dispatcher = proxyAgent(proxies);
  const check = async (host: Host) => {
    try {
      return judgeCertificate(host, await connectionTo(host.url, dispatcher, timeoutMs), now());
    } catch (error) {
      return judgeFailure(host, error);
    }
  };
  try {
    return await Promise.all([...hosts.values()].map(check));
  } finally {
    await dispatcher.destroy();
  }
}

/** Ends a request once its connection stands, before it is written there. */
class Connected extends Error {}

/** What undici publishes (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel). */
type Opened = { readonly connectParams: { readonly host: string }; readonly socket: TLSSocket };

/** A connection as a request would use it. Throws what a request throws that gets none. */
async function connectionTo(url: URL, dispatcher: Dispatcher, timeoutMs: number): Promise<TLSSocket> {
  let socket: TLSSocket | undefined;
  const onOpened = (message: unknown) => {
    const opened = message as Opened;
    if (opened.connectParams.host === url.host) socket = opened.socket;
  };
  channel('undici:client:connected').subscribe(onOpened);
  const connecting = dispatcher.compose(
    whenWritten(() => {
      throw new Connected();
    }),
  );
  try {
    const outcome = await inTime(timeoutMs, request(url, { dispatcher: connecting }));
    throw outcome === LATE ? new DOMException('no connection in time', 'TimeoutError') : new Error('sent');
  } catch (error) {
    if (!(error instanceof Connected) || socket === undefined) throw error;
    return socket;
  } finally {
    channel('undici:client:connected').unsubscribe(onOpened);
  }
}

function judgeCertificate({ setting, url }: Host, socket: TLSSocket, now: number): Finding {
  const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / DAY_MS);
  const what = `${url.host} answers (${socket.getProtocol()}, certificate good for ${days} days)`;
  return days > EXPIRES_SOON_DAYS ? ok(setting, what) : found('certificate-expires', setting, what);
}

function judgeFailure({ setting, url }: Host, error: unknown): Finding {
  const code = errorCode(error);
  const unknown = unknownName(error);
  if (unknown !== undefined) {
    const isOfProxy = unknown !== url.hostname;
    const what = `the host name${isOfProxy ? ' of the proxy' : ''} ${unknown} could not be resolved (${code})`;
    return found(
      'host-name',
      setting,
      what,
      `check ${isOfProxy ? 'HTTPS_PROXY' : setting} and the name server`,
    );
  }
  // A host that does not speak TLS has shown no certificate.
  if (unreachableReason(error) === 'certificate' && !code.startsWith('ERR_SSL'))
    return found('host-certificate', setting, `the certificate of ${url.host} is not trusted (${code})`);
  // Undici says only in words what a proxy answers.
  const reason = code === 'UND_ERR_ABORTED' && error instanceof Error ? error.message : code;
  const repair = 'check the address and its port, the firewall and the proxy settings';
  return found('host-connection', setting, `no connection to ${url.host} (${reason})`, repair);
}

/** The name that could not be resolved, if that is what failed. */
function unknownName(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (unreachableReason(error) !== 'name') return undefined;
  return 'hostname' in error ? String(error.hostname) : unknownName(error.cause);
}

/** Slack refuses signatures that are five minutes off; half of that is worth a warning. */
const CLOCK_OFF_MS = 150_000;

/**
 * Checks the login once, without retries, compares the clock with the service's, and requests a snapshot if one is
 * named.
 */
export async function checkService(
  { service, proxies }: Pick<Config, 'service' | 'proxies'>,
  now: () => number,
  snapshotId?: SnapshotId,
): Promise<Finding[]> {
  let clock: Finding[] = [];
  const transport = new Transport({
    proxies,
    timeouts: HTTP_TIMEOUTS,
    concurrency: 1,
    onAnswer: (_upstream, _status, { date } = {}) => {
      const offByMs = Date.now() - Date.parse(`${date}`);
      if (!Number.isNaN(offByMs)) clock = [judgeClock(offByMs)];
    },
  });
  const settings = { ...service, userAgent: USER_AGENT };
  const retry = { retries: 0, firstDelayMs: 0, longestDelayMs: 0, maxRetryAfterMs: 0 };
  const parts = { transport, settings, retry, now };
  try {
    const outcome = await login(parts);
    if ('refusedWith' in outcome) return [refusedWith(outcome.refusedWith, service.loginUrl), ...clock];
    cookieHeader(outcome.cookies, new URL(service.baseUrl));
    const end = new Date(outcome.trustedUntil).toISOString();
    const accepted = ok('login', `the account is accepted; its session is trusted until ${end}`);
    const snapshot = snapshotId === undefined ? UNTRIED : await trySnapshot(snapshotId, outcome, parts);
    return [accepted, ...clock, snapshot];
  } catch (error) {
    if (!isFault(error)) throw error;
    const problem = error instanceof CookieDomainMismatch ? 'login-cookies' : 'login-failed';
    const { what, repair } = explainFault(error, service.loginUrl);
    return [found(problem, 'login', what, repair)];
  } finally {
    await transport.close();
  }
}

/** No request but one for a snapshot reads either of them. */
const UNTRIED: Finding = {
  area: 'DIAGNOSTICS_VENDOR, DIAGNOSTICS_BASE_URL',
  level: 'unchecked',
  what: 'not tried with a snapshot',
  repair: 'run the doctor with --snapshot and the id of one that the account can read',
};

function refusedWith(status: number, loginUrl: string): Finding {
  const isOfAccount = isRejection(status);
  const what = isOfAccount ? 'the service rejects the account' : 'the login servers gave no session';
  const settings = `${isOfAccount ? '' : 'DIAGNOSTICS_AUTH_URL, '}DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET`;
  const repair = `check ${settings}, and try them by hand at ${loginUrl}`;
  return found('login-refused', 'login', `${what} (status ${status})`, repair);
}

function judgeClock(offByMs: number): Finding {
  const seconds = Math.round(Math.abs(offByMs) / 1_000);
  if (Math.abs(offByMs) < CLOCK_OFF_MS) return ok('clock', `within ${seconds} s of the service's`);
  return found('clock-off', 'clock', `${seconds} s ${offByMs > 0 ? 'ahead of' : 'behind'} the service's`);
}

/** Whoever examines an installation may have the address wrong as well as the id. */
const NOT_FOUND =
  'check the id; if the snapshot is there, DIAGNOSTICS_BASE_URL is not the address of the service’s API';

async function trySnapshot(
  snapshotId: SnapshotId,
  { cookies }: LoginSuccess,
  parts: Parameters<typeof diagnosticsClient>[0],
): Promise<Finding> {
  const area = `snapshot ${snapshotId}`;
  const session = {
    authenticate: async (url: URL) => ({ cookie: cookieHeader(cookies, url), generation: 'doctor' }),
    mayAsk: async () => {},
    heedingPauses: <T>(_upstream: Upstream, answer: Promise<T>) => answer,
    // A refusal is the answer: it never logs in again.
    refused: async () => false,
  };
  try {
    const answer = await diagnosticsClient(parts, session).diagnostics({ snapshotId, set: 'all' });
    if (answer.kind === 'processing') return ok(area, 'still being processed');
    const [hits, all] = [sideOf(answer.result, 'hit').length, answer.result.diagnostics.length];
    return ok(area, `its analysis can be read (hits: ${hits}, diagnostics: ${all})`);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { what, repair } = explainFault(error, parts.settings.loginUrl);
    return found('snapshot-failed', area, what, error instanceof SnapshotNotFound ? NOT_FOUND : repair);
  }
}
