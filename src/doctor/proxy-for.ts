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
