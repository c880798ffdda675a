import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { errorCode } from '../core/error-code.ts';
import { type Finding, failure, ok } from './finding.ts';

/** Checks whether the bot can listen on its port; a bot that runs there already is fine. */
export async function checkPort({ port, opsPort, slack }: Config): Promise<Finding[]> {
  const isHttp = slack.transport.kind === 'http';
  const ports = [
    ...(isHttp || opsPort === undefined ? [['PORT', port] as const] : []),
    ...(opsPort === undefined ? [] : [['OPS_PORT', opsPort] as const]),
  ];
  return Promise.all(ports.map(([setting, number]) => portFinding(setting, number, opsPort ?? port)));
}

async function portFinding(setting: string, port: number, healthPort: number): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    return ok(setting, port === 0 ? 'any free port' : `port ${port} is free`);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EADDRINUSE') {
      return failure(
        'port-forbidden',
        setting,
        `this user may not listen on port ${port} (${code})`,
        'choose a port above 1023',
      );
    }
    if (await isTheBot(healthPort)) return ok(setting, `the bot itself is listening on port ${port}`);
    const what = `port ${port} is in use by another process`;
    return failure('port-taken', setting, what, 'stop that process, or choose another port');
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
