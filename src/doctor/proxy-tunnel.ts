import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

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
  const path = `${url.hostname}:${url.port || 443}`;
  const { username, password } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: proxy.hostname,
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path,
    headers: {
      host: path,
      ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login.toString('base64')}` }),
    },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  });
  request.end();
  const [answer, socket] = await once(request, 'connect');
  if (answer.statusCode !== 200) throw new ProxyRefused(answer.statusCode);
  return socket;
}
