import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ProxySettings } from '../service/transport.ts';

/** The proxy that a request to an https address goes through, as the usual variables say; undefined for none. */
export function proxyFor(url: URL, { httpsProxy, noProxy }: ProxySettings): URL | undefined {
  if (!httpsProxy || isExcepted(url, noProxy ?? '')) return undefined;
  return URL.parse(httpsProxy) ?? undefined;
}

function isExcepted(url: URL, noProxy: string): boolean {
  const port = url.port === '' ? '443' : url.port;
  return noProxy
    .split(/[\s,]/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [name = '', itsPort] = entry.toLowerCase().split(':');
      if (itsPort !== undefined && itsPort !== port) return false;
      const domain = name.replace(/^\*?\.?/, '');
      return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
    });
}

/** The proxy refused the tunnel, with this status. */
class ProxyRefused extends Error {
  readonly code: string;
  constructor(status: number | undefined) {
    super('the proxy refuses');
    this.code = `status ${status ?? 'none'} from the proxy`;
  }
}

/** A connection to the host of a URL through a proxy. Throws what the connection throws, and for a proxy that refuses. */
export async function throughProxy(url: URL, proxy: URL, timeoutMs: number): Promise<Socket> {
  const isTls = proxy.protocol === 'https:';
  // Loaded only where there is a proxy: they bring Node's own copy of undici, 10 MB.
  const { request: open } = await (isTls ? import('node:https') : import('node:http'));
  const host = `${url.hostname}:${url.port || 443}`;
  const login = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const credentials = { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
  const request = open({
    host: proxy.hostname,
    port: proxy.port || (isTls ? 443 : 80),
    method: 'CONNECT',
    path: host,
    headers: { host, ...(proxy.username !== '' && credentials) },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  });
  request.end();
  const [answer, socket] = await once(request, 'connect');
  if (answer.statusCode !== 200) throw new ProxyRefused(answer.statusCode);
  return socket;
}
