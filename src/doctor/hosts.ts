import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../config.ts';
import { errorCode } from '../core/errors.ts';
import { type Finding, found, ok } from './finding.ts';
import { proxyFor, throughProxy } from './proxy.ts';

const DAY_MS = 24 * 3_600_000;
const EXPIRES_SOON_DAYS = 14;

type Look = {
  /** The setting that names the host. */
  readonly setting: string;
  readonly url: URL;
  readonly proxy: URL | undefined;
  /** For each step: name resolution, connection, handshake. Milliseconds. */
  readonly timeoutMs: number;
  readonly now: () => number;
};

/**
 * Checks the hosts of the service, each once, even if several settings name it: name resolution, proxy, connection,
 * certificate. Sends no request.
 */
export function checkHosts(
  { service, proxies }: Pick<Config, 'service' | 'proxies'>,
  timeoutMs: number,
  now: () => number,
): Promise<Finding[]> {
  const hosts = new Map<string, Look>();
  for (const [setting, address] of [
    ['DIAGNOSTICS_BASE_URL', service.baseUrl],
    ['DIAGNOSTICS_AUTH_URL', service.authUrl],
    ['DIAGNOSTICS_LOGIN_URL', service.loginUrl],
  ] as const) {
    const url = new URL(address);
    if (!hosts.has(url.host))
      hosts.set(url.host, { setting, url, proxy: proxyFor(url, proxies), timeoutMs, now });
  }
  return Promise.all([...hosts.values()].map(checkHost));
}

async function checkHost(look: Look): Promise<Finding> {
  const { setting, url, proxy, timeoutMs } = look;
  const { hostname } = proxy ?? url;
  try {
    const name = bare(hostname);
    if (isIP(name) === 0) await lookup(name);
  } catch (error) {
    const what = `the host name${proxy ? ' of the proxy' : ''} ${hostname} could not be resolved (${errorCode(error)})`;
    return found('host-name', setting, what, `check ${proxy ? 'HTTPS_PROXY' : setting} and the name server`);
  }
  let socket: Socket;
  try {
    socket = await (proxy === undefined ? connect(url, timeoutMs) : throughProxy(url, proxy, timeoutMs));
  } catch (error) {
    const what = `no connection to ${url.host}${proxy ? ` through the proxy ${proxy.host}` : ''} (${errorCode(error)})`;
    return found('host-connection', setting, what, 'check the address, the firewall and the proxy settings');
  }
  return shakeHands(socket, look);
}

/** The name or address of a host, an IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function connect({ hostname, port }: URL, timeoutMs: number): Promise<Socket> {
  const socket = connectTcp({ host: bare(hostname), port: Number(port || 443) });
  await opened(socket, 'connect', timeoutMs);
  return socket;
}

/** Resolves with the event; a socket that fails or takes too long is destroyed. */
async function opened(socket: Socket, event: 'connect' | 'secureConnect', timeoutMs: number): Promise<void> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function shakeHands(socket: Socket, { setting, url, proxy, timeoutMs, now }: Look): Promise<Finding> {
  const host = bare(url.hostname);
  const secure = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
  try {
    await opened(secure, 'secureConnect', timeoutMs);
  } catch (error) {
    const code = errorCode(error);
    // A host may also hang up, stay silent or not speak TLS: then nobody has seen its certificate.
    if (secure.authorizationError != null)
      return found('host-certificate', setting, `the certificate of ${url.host} is not trusted (${code})`);
    const repair = 'check the address and its port, the firewall and the proxy settings';
    return found('host-connection', setting, `no TLS connection to ${url.host} (${code})`, repair);
  }
  const expires = Date.parse(secure.getPeerCertificate().valid_to);
  const protocol = secure.getProtocol();
  secure.destroy();
  const days = Math.floor((expires - now()) / DAY_MS);
  const what = `${url.host} answers${proxy ? ' through the proxy' : ''} (${protocol}, certificate good for ${days} days)`;
  return days > EXPIRES_SOON_DAYS ? ok(setting, what) : found('certificate-expires', setting, what);
}
