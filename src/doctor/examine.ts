import type { Config } from '../config/config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { fault } from '../core/faults.ts';
import { sideOf } from '../core/importance.ts';
import { Exploited } from '../lookups/exploited.ts';
import { checkAuditFile } from '../ops/audit.ts';
import { USER_AGENT } from '../ops/version.ts';
import { diagnosticsClient } from '../service/client.ts';
import { cookieHeader, login, type ServiceParts } from '../service/login.ts';
import { RETRY_POLICY } from '../service/retries.ts';
import type { SharedSession } from '../service/session.ts';
import { HTTP_TIMEOUTS, Transport } from '../service/transport.ts';
import { type Finding, findingsOf, ok, warning } from './finding.ts';
import { checkSlack } from './slack.ts';
import { checkRedis, checkStorage } from './storage.ts';

/** Checks everything that the bot needs. Logs in once; requests the snapshot if an id is given. */
export async function examine(config: Config, id?: SnapshotId): Promise<Finding[]> {
  const checks = [checkSlack(config), checkStorage(config), checkService(config, id), checkFiles(config)];
  return (await Promise.all(checks)).flat();
}

/** Checks the login (unless a stored session is valid) and Redis, at the start of the bot. */
export async function examineAtStart(
  { storage, service }: Config,
  session: Pick<SharedSession, 'authenticate'>,
): Promise<Finding[]> {
  const login = await findingsOf('login', async () => {
    await session.authenticate(new URL(service.baseUrl));
    return [ok('login', 'the service accepts the account')];
  });
  return [...login, ...(storage.kind === 'redis' ? await checkRedis(storage.url) : [])];
}

/** Logs in once, and requests one snapshot if its id is given. Does not retry. */
async function checkService({ service, proxies }: Config, id?: SnapshotId): Promise<Finding[]> {
  const transport = new Transport({ proxies, timeouts: HTTP_TIMEOUTS, concurrency: 1, onAnswer: () => {} });
  const settings = { ...service, userAgent: USER_AGENT };
  const parts = { transport, settings, retry: { ...RETRY_POLICY, retries: 0 }, now: Date.now };
  let cookie = '';
  const ofLogin = await findingsOf('login', async () => {
    const outcome = await login(parts, transport);
    if ('refusedWith' in outcome)
      throw fault('login-refused', { status: outcome.refusedWith, retryAt: Date.now() });
    // Throws if the cookies would not be sent to the API.
    cookie = cookieHeader(outcome.cookies, new URL(service.baseUrl));
    return [ok('login', 'the service accepts the account')];
  });
  const ofSnapshot = id === undefined || cookie === '' ? [] : await checkSnapshot(id, cookie, parts);
  await transport.close();
  return [...ofLogin, ...ofSnapshot];
}

function checkSnapshot(id: SnapshotId, cookie: string, parts: ServiceParts): Promise<Finding[]> {
  const area = `snapshot ${id}`;
  const client = diagnosticsClient(parts, {
    authenticate: async () => ({ cookie, generation: 'doctor' }),
    send: (asked, read) => parts.transport.send(asked, read),
    // Keeps the session, so that its refusal is reported and no second login follows.
    refused: async () => false,
  });
  return findingsOf(area, async () => {
    const answer = await client.diagnostics({ snapshotId: id, set: 'all' });
    if (answer.kind === 'processing') return [ok(area, 'still being processed')];
    const [hits, all] = [sideOf(answer.result, 'hit').length, answer.result.diagnostics.length];
    return [ok(area, `its analysis can be read (hits: ${hits}, diagnostics: ${all})`)];
  });
}

/** Checks the audit file and the catalogue of exploited vulnerabilities, if they are set. */
async function checkFiles({ auditFile, kevFile }: Config): Promise<Finding[]> {
  const ofAudit = await findingsOf('AUDIT_FILE', async () => checkAuditFile(auditFile) ?? []);
  if (kevFile === undefined) return ofAudit;
  const exploited = new Exploited();
  await exploited.look(kevFile);
  const problem = exploited.problem(Date.now());
  if (problem === undefined) return [...ofAudit, ok('KEV_FILE', 'the catalogue can be read')];
  return [...ofAudit, warning('KEV_FILE', problem, 'put the present catalogue there, as CISA publishes it')];
}
