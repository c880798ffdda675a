import type { Config } from '../config.ts';
import type { HttpTimeouts } from '../service/transport.ts';
import type { Finding } from './finding.ts';
import { checkHost } from './hosts.ts';

type HostsOptions = { readonly config: Config; readonly timeouts: HttpTimeouts; readonly now: () => number };

/** Checks the hosts of the service, each once, even if several settings name it. Sends no request. */
export async function examineHosts({ config, timeouts, now }: HostsOptions): Promise<Finding[]> {
  const { baseUrl, authUrl, loginUrl } = config.service;
  const named = new Map<string, { setting: string; url: URL }>();
  for (const [setting, address] of [
    ['DIAGNOSTICS_BASE_URL', baseUrl],
    ['DIAGNOSTICS_AUTH_URL', authUrl],
    ['DIAGNOSTICS_LOGIN_URL', loginUrl],
  ] as const) {
    const url = new URL(address);
    if (!named.has(url.host)) named.set(url.host, { setting, url });
  }
  const { proxies } = config;
  const timeoutMs = timeouts.connectMs;
  return Promise.all([...named.values()].map((host) => checkHost({ ...host, proxies, timeoutMs, now })));
}
