import type { Config } from '../config/config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { sideOf } from '../core/importance.ts';
import { Exploited } from '../lookups/exploited.ts';
import { USER_AGENT } from '../ops/version.ts';
import { diagnosticsClient } from '../service/client.ts';
import { cookieHeader, login, type ServiceParts } from '../service/login.ts';
import { HTTP_TIMEOUTS, Transport } from '../service/transport.ts';
import { isRejection } from '../slack/report/faults.ts';
import { type Finding, failure, findingsOf, ok, warning } from './finding.ts';

/** Slack refuses signatures that are five minutes off; half of that is worth a warning. */
const CLOCK_OFF_MS = 150_000;
const NO_RETRY = { retries: 0, firstDelayMs: 0, longestDelayMs: 0, maxRetryAfterMs: 0 };

/** Logs in once, compares the clock with that of the service, and asks for one snapshot if its id is given. No retries. */
export async function checkService({ service, proxies }: Config, id?: SnapshotId): Promise<Finding[]> {
  let offByMs = 0;
  const transport = new Transport({
    ...{ proxies, timeouts: HTTP_TIMEOUTS, concurrency: 1 },
    onAnswer: (_upstream, _status, headers) => {
      offByMs = Date.now() - Date.parse(`${headers?.date}`);
    },
  });
  const parts = {
    transport,
    settings: { ...service, userAgent: USER_AGENT },
    retry: NO_RETRY,
    now: Date.now,
  };
  try {
    const found = await findingsOf('login', service.loginUrl, () => checkLogin(parts, id));
    return [...found, ...judgeClock(offByMs)];
  } finally {
    await transport.close();
  }
}

async function checkLogin(parts: ServiceParts, id?: SnapshotId): Promise<Finding[]> {
  const { baseUrl, loginUrl } = parts.settings;
  const outcome = await login(parts);
  if ('refusedWith' in outcome) {
    const { refusedWith: status } = outcome;
    const [what, setting] = isRejection(status)
      ? ['the service rejects the account', '']
      : ['the login servers gave no session', 'DIAGNOSTICS_AUTH_URL, '];
    const repair = `check ${setting}DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET, and try them by hand at ${loginUrl}`;
    return [failure('login', `${what} (status ${status})`, repair)];
  }
  const cookieFor = (url: URL) => cookieHeader(outcome.cookies, url);
  // Throws where the cookies do not reach the API.
  cookieFor(new URL(baseUrl));
  const end = new Date(outcome.trustedUntil).toISOString();
  const accepted = ok('login', `the account is accepted; its session is trusted until ${end}`);
  return [accepted, ...(id === undefined ? [] : await checkSnapshot(id, cookieFor, parts))];
}

function judgeClock(offByMs: number): Finding[] {
  if (!(Math.abs(offByMs) >= CLOCK_OFF_MS)) return [];
  const what = `${Math.round(Math.abs(offByMs) / 1_000)} s ${offByMs > 0 ? 'ahead of' : 'behind'} the service's`;
  return [warning('clock', what, 'set it by NTP: Slack refuses requests when it is five minutes off')];
}

function checkSnapshot(id: SnapshotId, cookieFor: (url: URL) => string, parts: ServiceParts) {
  const area = `snapshot ${id}`;
  const session: Parameters<typeof diagnosticsClient>[1] = {
    authenticate: async (url) => ({ cookie: cookieFor(url), generation: 'doctor' }),
    mayAsk: async () => {},
    heedingPauses: (_upstream, answer) => answer,
    // A refusal is the answer: the doctor never logs in again.
    refused: async () => false,
  };
  return findingsOf(area, parts.settings.loginUrl, async () => {
    const answer = await diagnosticsClient(parts, session).diagnostics({ snapshotId: id, set: 'all' });
    if (answer.kind === 'processing') return [ok(area, 'still being processed')];
    const [hits, all] = [sideOf(answer.result, 'hit').length, answer.result.diagnostics.length];
    return [ok(area, `its analysis can be read (hits: ${hits}, diagnostics: ${all})`)];
  });
}

/** Checks the catalogue of exploited vulnerabilities, if there is one. */
export async function checkCatalogue({ kevFile }: Config): Promise<Finding[]> {
  if (kevFile === undefined) return [];
  const exploited = new Exploited();
  await exploited.look(kevFile);
  const problem = exploited.problem(Date.now());
  if (problem === undefined) return [ok('KEV_FILE', 'the catalogue can be read, and is of the last 14 days')];
  return [warning('KEV_FILE', problem, 'put the present catalogue there, as CISA publishes it in JSON')];
}
