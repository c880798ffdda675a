import { once } from 'node:events';
import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../config/load-config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { errorCode, PortUnusable } from '../core/errors.ts';
import { isFault } from '../core/faults.ts';
import type { SharedSession } from '../service/session.ts';
import { HTTP_TIMEOUTS, proxyAgent } from '../service/transport.ts';
import { freeBytesOf } from '../storage/sqlite/sqlite-file.ts';
import { explainFault, type Finding, found, ok } from './finding.ts';
import { checkHosts, checkService } from './service.ts';
import { checkSlack } from './slack.ts';
import { checkStorage } from './storage.ts';

/** The store has two seconds to answer, and is asked twice. */
const ANSWERED_WITHIN_MS = 5_000;

/** Checks whether the bot can listen on its ports. One that runs there already is asked what it is in trouble with. */
export async function checkPorts(
  { port, opsPort, slack }: Config,
  timeoutMs = ANSWERED_WITHIN_MS,
): Promise<Finding[]> {
  const trouble = await troubleOfBotOn(opsPort ?? port, timeoutMs);
  const isHttp = slack.transport.kind === 'http';
  const ports = [
    ...(isHttp || opsPort === undefined ? [['PORT', port] as const] : []),
    ...(opsPort === undefined ? [] : [['OPS_PORT', opsPort] as const]),
  ];
  const found = ports.map(([setting, number]) => checkPort(setting, number, trouble !== undefined));
  return [...(await Promise.all(found)), ...(trouble ?? [])];
}

async function checkPort(setting: 'PORT' | 'OPS_PORT', port: number, isRunning: boolean): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    return ok(setting, port === 0 ? 'any free port' : `port ${port} is free`);
  } catch (error) {
    const code = errorCode(error);
    const isTaken = code === 'EADDRINUSE';
    if (isTaken && isRunning) return ok(setting, `the bot itself is listening on port ${port}`);
    const { what, repair } = new PortUnusable(setting, port, code);
    return found(isTaken ? 'port-taken' : 'port-forbidden', setting, what, repair);
  } finally {
    server.close();
  }
}

/** What is answered there, undefined if it is no JSON. */
async function answerOf(port: number, path: string, timeoutMs: number): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal }).catch(() => undefined);
  return answer?.json().catch(() => undefined);
}

const health = z.object({ version: z.string(), uptimeSeconds: z.number() });
const readiness = z.object({
  ready: z.boolean(),
  reasons: z.array(z.object({ part: z.string(), problem: z.string() })),
});

/** What a bot that runs there is in trouble with; undefined if none does. */
async function troubleOfBotOn(port: number, timeoutMs: number): Promise<Finding[] | undefined> {
  if (!health.safeParse(await answerOf(port, '/healthz', timeoutMs)).success) return undefined;
  const { data } = readiness.safeParse(await answerOf(port, '/readyz', timeoutMs));
  const problem = data?.ready === false ? 'bot-unready' : 'bot-troubled';
  return (data?.reasons ?? []).map((reason) =>
    found(problem, 'running bot', `${reason.part}: ${reason.problem}`),
  );
}

/** Checks whether the audit can be written to its file, if it has one. Makes no file and writes nothing. */
export function checkAudit(file: string | undefined, freeBytes = freeBytesOf): Finding[] {
  if (file === undefined || file === '-') return [];
  const area = 'AUDIT_FILE';
  try {
    // Without waiting: to open a pipe that nobody reads takes for ever.
    if (existsSync(file)) closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    else accessSync(dirname(file), constants.W_OK | constants.X_OK);
    if (freeBytes(dirname(file)) === 0)
      return [found('audit-file-unwritable', area, `${file} cannot be written to (ENOSPC)`)];
    return [ok(area, `${file} can be written to`)];
  } catch (error) {
    return [found('audit-file-unwritable', area, `${file} cannot be written to (${errorCode(error)})`)];
  }
}

const { connectMs: TIMEOUT_MS } = HTTP_TIMEOUTS;

/**
 * Checks everything that the bot needs. Logs in at most once and changes nothing; with a snapshot, requests that once.
 * Does not throw for what it finds.
 */
export async function examine(
  config: Config,
  now: () => number,
  snapshotId?: SnapshotId,
): Promise<Finding[]> {
  const dispatcher = proxyAgent(config.proxies);
  try {
    const found = await Promise.all([
      checkSlack(config, dispatcher, TIMEOUT_MS),
      checkPorts(config),
      checkStorage(config.storage, TIMEOUT_MS),
      checkAudit(config.auditFile),
      checkHosts(config, TIMEOUT_MS, now),
      checkService(config, now, snapshotId),
    ]);
    return found.flat();
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * Checks the store and the service's hosts, and tries the login once, so that an operator learns at the start what users
 * would run into. What fails is a warning in the log; `onUnreachable` is called if the service's own host is away. It
 * uses the shared session: if that is valid, it does not log in.
 */
export async function examineAtStart(
  { storage, service, proxies }: Pick<Config, 'storage' | 'service' | 'proxies'>,
  session: Pick<SharedSession, 'authenticate'>,
  { logger, now, onUnreachable }: { logger: Logger; now: () => number; onUnreachable: () => void },
): Promise<void> {
  const found = await Promise.all([
    checkStorage(storage, TIMEOUT_MS, true),
    checkHosts({ service, proxies }, TIMEOUT_MS, now),
  ]);
  for (const { area, what, repair, level } of found.flat()) {
    if (level === 'ok') continue;
    logger.warn({ setting: area, repair }, what);
    if (level === 'failure' && area === 'DIAGNOSTICS_BASE_URL') onUnreachable();
  }
  try {
    await session.authenticate(new URL(service.baseUrl));
    logger.info('the service accepts the account');
  } catch (error) {
    if (!isFault(error)) throw error;
    const { what, repair } = explainFault(error, service.loginUrl);
    logger.warn({ fault: error.code, repair }, what);
  }
}
