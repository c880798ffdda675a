import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { webApi } from '@slack/bolt';
import { pino } from 'pino';
import { fetch, type RequestInit } from 'undici';
import type { Config } from '../config/config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { errorCode, fault } from '../core/faults.ts';
import { sideOf } from '../core/importance.ts';
import { Exploited } from '../lookups/exploited.ts';
import { boltLogger, checkAuditFile } from '../ops/logging.ts';
import { diagnosticsClient } from '../service/client.ts';
import { cookieHeader, login, type ServiceParts } from '../service/login.ts';
import { RETRY_POLICY } from '../service/retries.ts';
import type { SharedSession } from '../service/session.ts';
import { HTTP_TIMEOUTS, proxyAgent, Transport } from '../service/transport.ts';
import { codeOf } from '../slack/delivery/slack-errors.ts';
import { withToken } from '../slack/front/slack-client.ts';
import { DataDirUnusable, FILE_NAME } from '../storage/data-directory.ts';
import { openStorage, type StorageSettings } from '../storage/storage.ts';
import { type Finding, failure, findingsOf, ok, warning } from './finding.ts';

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
  const parts = { transport, settings: service, retry: { ...RETRY_POLICY, retries: 0 }, now: Date.now };
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

/**
 * Checks the configured store: for SQLite the folder, and one write if the file exists; for Redis one write, and
 * whether it keeps all keys. Creates no database.
 */
async function checkStorage({ storage }: Pick<Config, 'storage'>): Promise<Finding[]> {
  if (storage.kind === 'redis')
    return [...(await checkRedis(storage.url)), ...(await tryStorage('REDIS_URL', storage))];
  const isUsed = existsSync(join(storage.dataDir, FILE_NAME));
  return isUsed ? tryStorage('DATA_DIR', storage) : [checkFolder(storage.dataDir)];
}

function checkFolder(dataDir: string): Finding {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    rmdirSync(mkdtempSync(join(folder, '.doctor-')));
    return ok('DATA_DIR', `${folder} is writable`);
  } catch (error) {
    const what = `${folder} cannot be written to (${errorCode(error)})`;
    return failure('DATA_DIR', what, 'choose a folder that the user that runs the bot may write to');
  }
}

/** Opens the store like the bot, and writes to it once. */
function tryStorage(area: string, settings: StorageSettings): Promise<Finding[]> {
  return findingsOf(area, async () => {
    try {
      const context = { logger: pino({ level: 'silent' }), now: Date.now };
      const { store, jobs } = await openStorage(settings, context);
      await store.check().finally(async () => {
        await jobs.stop(0);
        await store.close();
      });
      return [ok(area, 'the store takes writes')];
    } catch (error) {
      if (!(error instanceof DataDirUnusable) || error.why !== 'is in use by another process') throw error;
      return [ok(area, 'the bot that runs here uses it: its /readyz says whether it takes writes')];
    }
  });
}

const EVICTS = 'set maxmemory-policy to noeviction: an evicted key can be an open lookup';
const NOT_DURABLE =
  'set appendonly yes: otherwise lookups accepted since the last save are lost when Redis dies';

/** Problems in the settings that INFO reports (https://redis.io/docs/latest/commands/info/); empty if INFO fails. */
async function checkRedis(url: string): Promise<Finding[]> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, commandTimeout: 3_000 });
  // An error event without a listener would end the process; `tryStorage` reports the problem.
  client.on('error', () => {});
  const info = await client.info().catch(() => '');
  client.disconnect();
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim();
  const [version = '7', policy = 'noeviction'] = [field('redis_version'), field('maxmemory_policy')];
  const area = 'REDIS_URL';
  return [
    Number.parseFloat(version) < 6.2 && failure(area, `version ${version}`, 'use 6.2 or later'),
    policy !== 'noeviction' && failure(area, `its eviction policy is ${policy}`, EVICTS),
    field('aof_enabled') === '0' && warning(area, 'it is not append-only', NOT_DURABLE),
  ].filter((finding) => finding !== false);
}

/** The scopes that the bot needs, each with what fails without it. */
const NEEDED = {
  commands: '/snapshot and the shortcuts do not exist',
  'chat:write': 'the bot cannot answer',
  'app_mentions:read': 'mentions are not answered',
  'im:history': 'direct messages are not answered',
};
/** The optional scopes, each with what does not work without it. */
const OPTIONAL = {
  'channels:history': 'in channels an answer may appear twice when Slack loses a confirmation',
  'groups:history': 'in private channels an answer may appear twice when Slack loses a confirmation',
  'im:write': 'in direct messages an answer may appear twice when Slack loses a confirmation',
  'files:write': 'results cannot be exported',
  'users:read': 'guests are answered like members, and links get no previews',
  'links:read': 'pasted links get no previews',
  'links:write': 'pasted links get no previews',
  'channels:read': 'commands in channels that are shared with another company are answered there',
  'groups:read': 'commands in private channels that are shared with another company are answered there',
  'usergroups:read': 'ALLOWED_USERGROUPS lets nobody in',
};
/** All scopes in manifest.yml; a test compares both lists. */
export const SCOPES = { bot: NEEDED, bot_optional: OPTIONAL };
const AREA = 'Slack scopes';
const REINSTALL = 'add it under OAuth & Permissions (manifest.yml has it) and reinstall the app';

/** Checks the bot's token and its scopes, and Socket Mode if it is used. Changes nothing in Slack. */
async function checkSlack({ slack, access, proxies }: Config): Promise<Finding[]> {
  const { apiUrl: slackApiUrl, botToken, transport } = slack;
  const dispatcher = proxyAgent(proxies);
  const options = {
    slackApiUrl,
    timeout: HTTP_TIMEOUTS.connectMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: boltLogger(pino({ level: 'silent' })),
    fetch: ((url, init) => fetch(url, { ...init, dispatcher } as RequestInit)) satisfies webApi.FetchFunction,
  };
  const client = new webApi.WebClient(botToken, options);
  const ofBot = await findingsOf('SLACK_BOT_TOKEN', async () => {
    const { user, team, response_metadata } = await withToken('SLACK_BOT_TOKEN', () => client.auth.test());
    const granted = response_metadata?.scopes ?? [];
    const missing = Object.entries({ ...NEEDED, ...OPTIONAL }).filter(([scope]) => !granted.includes(scope));
    const scopes: Finding[] = missing.map(([scope, without]) => {
      const isNeeded = scope in NEEDED || (scope === 'usergroups:read' && access.userGroups.length > 0);
      return (isNeeded ? failure : warning)(AREA, `${scope} is not granted: ${without}`, REINSTALL);
    });
    if (scopes.length === 0) scopes.push(ok(AREA, 'all of manifest.yml are granted'));
    const groups = granted.includes('usergroups:read') ? await checkGroups(client, access.userGroups) : [];
    return [ok('SLACK_BOT_TOKEN', `Slack knows the bot as @${user} in ${team}`), ...scopes, ...groups];
  });
  const ofSocket = await findingsOf('SLACK_APP_TOKEN', async () => {
    if (transport.kind === 'http') return [];
    const call = () => new webApi.WebClient(transport.appToken, options).apps.connections.open({});
    await withToken('SLACK_APP_TOKEN', call);
    return [ok('SLACK_APP_TOKEN', 'Slack offers a Socket Mode connection')];
  });
  await dispatcher.destroy();
  return [...ofBot, ...ofSocket];
}

/** Problems of ALLOWED_USERGROUPS: while Slack does not name the members of a group, the bot refuses people. */
async function checkGroups(client: webApi.WebClient, groups: readonly string[]): Promise<Finding[]> {
  const findings = groups.map(async (usergroup) => {
    const reason = (error: unknown) => codeOf(error) ?? 'no answer';
    const refusal = await client.usergroups.users.list({ usergroup }).then(() => undefined, reason);
    const what = `Slack does not name the members of ${usergroup} (${refusal})`;
    const repair = 'check this id, and that the group is not disabled';
    return refusal === undefined ? [] : failure('ALLOWED_USERGROUPS', what, repair);
  });
  return (await Promise.all(findings)).flat();
}
