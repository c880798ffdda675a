import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errorCode } from '../core/error-code.ts';
import type { ProxySettings } from '../service/transport.ts';
import { type Finding, failure, ok, warning } from './finding.ts';
import { proxyFor } from './proxy-for.ts';

const DAY_MS = 24 * 3_600_000;
const EXPIRES_SOON_DAYS = 14;

type HostOptions = {
  /** The setting that names the host. */
  readonly setting: string;
  readonly url: URL;
  readonly proxies: ProxySettings;
  /** For each step: name resolution, connection, handshake. Milliseconds. */
  readonly timeoutMs: number;
  readonly now: () => number;
};

/** Checks one host of the service without sending a request: name resolution, proxy, connection, certificate. */
export async function checkHost(options: HostOptions): Promise<Finding> {
  const { setting, url } = options;
  const proxy = proxyFor(url, options.proxies);
  const next = proxy ?? url;
  const whose = proxy === undefined ? '' : ' of the proxy';
  const nameProblem = await resolves(next.hostname);
  if (nameProblem !== undefined) {
    const what = `the host name${whose} ${next.hostname} could not be resolved (${nameProblem})`;
    return failure(
      'host-name',
      setting,
      what,
      `check ${proxy ? 'HTTPS_PROXY' : setting} and the name server`,
    );
  }
  let socket: Socket;
  try {
    socket = await (proxy === undefined ? direct(url, options) : tunnel(url, proxy, options));
  } catch (error) {
    const what = `no connection to ${url.host}${proxy ? ` through the proxy ${proxy.host}` : ''} (${errorCode(error)})`;
    return failure(
      'host-connection',
      setting,
      what,
      'check the address, the firewall and the proxy settings',
    );
  }
  return handshake(socket, options, proxy !== undefined);
}

async function resolves(hostname: string): Promise<string | undefined> {
  const name = hostname.replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0) return undefined;
  return lookup(name).then(
    () => undefined,
    (error: unknown) => errorCode(error),
  );
}

async function direct({ hostname, port }: URL, { timeoutMs }: HostOptions): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connectTcp({ host, port: Number(port || 443) });
  await opened(socket, 'connect', timeoutMs);
  return socket;
}

/** The code for a tunnel is loaded only if there is a proxy. */
async function tunnel(url: URL, proxy: URL, { timeoutMs }: HostOptions): Promise<Socket> {
  const { throughProxy } = await import('./proxy-tunnel.ts');
  return throughProxy(url, proxy, timeoutMs);
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

async function handshake(socket: Socket, options: HostOptions, isProxied: boolean): Promise<Finding> {
  const { setting, url, timeoutMs, now } = options;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const secure = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    rejectUnauthorized: true,
  });
  try {
    await opened(secure, 'secureConnect', timeoutMs);
  } catch (error) {
    return handshakeFailure(options, errorCode(error), secure.authorizationError != null);
  }
  const expires = Date.parse(secure.getPeerCertificate().valid_to);
  const protocol = secure.getProtocol();
  secure.destroy();
  const days = Math.floor((expires - now()) / DAY_MS);
  const what = `${url.host} answers${isProxied ? ' through the proxy' : ''} (${protocol}, certificate good for ${days} days)`;
  if (days > EXPIRES_SOON_DAYS) return ok(setting, what);
  return warning(
    'certificate-expires',
    setting,
    what,
    'the certificate ends soon: tell whoever runs the service',
  );
}

/** A host may also hang up, stay silent or not speak TLS: then nobody has seen its certificate. */
function handshakeFailure({ setting, url }: HostOptions, code: string, isCertificate: boolean): Finding {
  return isCertificate
    ? failure(
        'host-certificate',
        setting,
        `the certificate of ${url.host} is not trusted (${code})`,
        'check the address, and NODE_EXTRA_CA_CERTS if an authority of your own signed it',
      )
    : failure(
        'host-connection',
        setting,
        `no TLS connection to ${url.host} (${code})`,
        'check the address and its port, the firewall and the proxy settings',
      );
}
