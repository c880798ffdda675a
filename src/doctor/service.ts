import type { Config } from '../config/read-config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { CookieDomainMismatch, isFault, SnapshotNotFound } from '../core/faults.ts';
import { sideOf } from '../core/importance.ts';
import { USER_AGENT } from '../ops/replicas.ts';
import { diagnosticsClient } from '../service/client.ts';
import { cookieHeader, type LoginSuccess, login } from '../service/login.ts';
import { type ServiceSettings, SharedState } from '../service/shared-state.ts';
import { HTTP_TIMEOUTS, Transport } from '../service/transport.ts';
import { isRejection } from '../slack/answer/fault-sentences.ts';
import { explainFault, type Finding, found, ok } from './finding.ts';

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
  const settings = { ...service, userAgent: USER_AGENT };
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
  try {
    const outcome = await login({ transport, settings, state: SharedState.alone(now), now });
    if ('refusedWith' in outcome) return [refusedWith(outcome.refusedWith, settings.loginUrl), ...clock];
    await cookieHeader(outcome.cookies, new URL(settings.baseUrl), now());
    const end = new Date(outcome.trustedUntil).toISOString();
    const accepted = ok('login', `the account is accepted; its session is trusted until ${end}`);
    const snapshot =
      snapshotId === undefined ? UNTRIED : await trySnapshot(snapshotId, outcome, transport, settings, now);
    return [accepted, ...clock, snapshot];
  } catch (error) {
    if (!isFault(error)) throw error;
    const problem = error instanceof CookieDomainMismatch ? 'login-cookies' : 'login-failed';
    const { what, repair } = explainFault(error, settings.loginUrl);
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
  transport: Transport,
  settings: ServiceSettings,
  now: () => number,
): Promise<Finding> {
  const area = `snapshot ${snapshotId}`;
  const retry = { retries: 0, firstDelayMs: 0, longestDelayMs: 0, maxRetryAfterMs: 0 };
  const parts = { transport, settings, state: SharedState.alone(now), retry, coolDownMs: 0, now };
  const client = diagnosticsClient(parts, {
    authenticate: async (url) => ({ cookie: await cookieHeader(cookies, url, now()), generation: 'doctor' }),
    // A refusal is the answer: it never logs in again.
    refused: async () => false,
  });
  try {
    const answer = await client.diagnostics({ snapshotId, set: 'all' });
    if (answer.kind === 'processing') return ok(area, 'still being processed');
    const [hits, all] = [sideOf(answer.result, 'hit').length, answer.result.diagnostics.length];
    return ok(area, `its analysis can be read (hits: ${hits}, diagnostics: ${all})`);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { what, repair } = explainFault(error, settings.loginUrl);
    return found('snapshot-failed', area, what, error instanceof SnapshotNotFound ? NOT_FOUND : repair);
  }
}
