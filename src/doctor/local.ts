import { once } from 'node:events';
import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { errorCode } from '../core/errors.ts';
import { mayOthersWrite } from '../ops/audit.ts';
import { type Finding, found, ok } from './finding.ts';

/** Checks whether the bot can listen on its ports; a bot that runs there already is fine. */
export function checkPorts({ port, opsPort, slack }: Config): Promise<Finding[]> {
  const isHttp = slack.transport.kind === 'http';
  const ports = [
    ...(isHttp || opsPort === undefined ? [['PORT', port] as const] : []),
    ...(opsPort === undefined ? [] : [['OPS_PORT', opsPort] as const]),
  ];
  return Promise.all(ports.map(([setting, number]) => checkPort(setting, number, opsPort ?? port)));
}

async function checkPort(setting: string, port: number, healthPort: number): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    return ok(setting, port === 0 ? 'any free port' : `port ${port} is free`);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EADDRINUSE')
      return found('port-forbidden', setting, `this user may not listen on port ${port} (${code})`);
    if (await isTheBot(healthPort)) return ok(setting, `the bot itself is listening on port ${port}`);
    return found('port-taken', setting, `port ${port} is in use by another process`);
  } finally {
    server.close();
  }
}

async function isTheBot(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null && 'version' in body && 'uptimeSeconds' in body;
  } catch {
    return false;
  }
}

/** Checks whether the audit can be written to its file, if it has one. Makes no file and writes nothing. */
export function checkAudit(file: string | undefined): Finding[] {
  if (file === undefined || file === '-') return [];
  const area = 'AUDIT_FILE';
  try {
    // Without waiting: to open a pipe that nobody reads takes for ever.
    if (existsSync(file)) closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    else accessSync(dirname(file), constants.W_OK | constants.X_OK);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || !mayOthersWrite(stats)) return [ok(area, `${file} can be written to`)];
    const what = `others can write to ${file}, and so change what it says`;
    return [found('audit-file-open', area, what, `chmod go-w ${file} (the next start does the same)`)];
  } catch (error) {
    return [found('audit-file-unwritable', area, `${file} cannot be written to (${errorCode(error)})`)];
  }
}
