import { channel } from 'node:diagnostics_channel';
import type { TLSSocket } from 'node:tls';
import { type Dispatcher, request } from 'undici';
import type { Config } from '../config/read-config.ts';
import { errorCode } from '../core/errors.ts';
import { inTime, LATE } from '../core/time.ts';
import { unreachableReason, whenWritten } from '../service/connections.ts';
import { proxyAgent } from '../service/transport.ts';
import { type Finding, found, ok } from './finding.ts';

const DAY_MS = 24 * 3_600_000;
const EXPIRES_SOON_DAYS = 14;

type Host = { readonly setting: string; readonly url: URL };

/**
 * Checks the hosts of the service, each once, even if several settings name it: name resolution, proxy, connection,
 * certificate, as the bot's own requests find them. Sends no request. `timeoutMs` is for all steps together.
 */
export async function checkHosts(
  { service, proxies }: Pick<Config, 'service' | 'proxies'>,
  timeoutMs: number,
  now: () => number,
): Promise<Finding[]> {
  const hosts = new Map<string, Host>();
  for (const [setting, address] of [
    ['DIAGNOSTICS_BASE_URL', service.baseUrl],
    ['DIAGNOSTICS_AUTH_URL', service.authUrl],
    ['DIAGNOSTICS_LOGIN_URL', service.loginUrl],
  ] as const) {
    const url = new URL(address);
    if (!hosts.has(url.host)) hosts.set(url.host, { setting, url });
  }
  const dispatcher = proxyAgent(proxies);
  const check = async (host: Host) => {
    try {
      return judgeCertificate(host, await connectionTo(host.url, dispatcher, timeoutMs), now());
    } catch (error) {
      return judgeFailure(host, error);
    }
  };
  try {
    return await Promise.all([...hosts.values()].map(check));
  } finally {
    await dispatcher.destroy();
  }
}

/** Ends a request once its connection stands, before it is written there. */
class Connected extends Error {}

/** What undici publishes (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel). */
type Opened = { readonly connectParams: { readonly host: string }; readonly socket: TLSSocket };

/** A connection as a request would use it. Throws what a request throws that gets none. */
async function connectionTo(url: URL, dispatcher: Dispatcher, timeoutMs: number): Promise<TLSSocket> {
  let socket: TLSSocket | undefined;
  const onOpened = (message: unknown) => {
    const opened = message as Opened;
    if (opened.connectParams.host === url.host) socket = opened.socket;
  };
  channel('undici:client:connected').subscribe(onOpened);
  const connecting = dispatcher.compose(
    whenWritten(() => {
      throw new Connected();
    }),
  );
  try {
    const outcome = await inTime(timeoutMs, request(url, { dispatcher: connecting }));
    throw outcome === LATE ? new DOMException('no connection in time', 'TimeoutError') : new Error('sent');
  } catch (error) {
    if (!(error instanceof Connected) || socket === undefined) throw error;
    return socket;
  } finally {
    channel('undici:client:connected').unsubscribe(onOpened);
  }
}

function judgeCertificate({ setting, url }: Host, socket: TLSSocket, now: number): Finding {
  const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / DAY_MS);
  const what = `${url.host} answers (${socket.getProtocol()}, certificate good for ${days} days)`;
  return days > EXPIRES_SOON_DAYS ? ok(setting, what) : found('certificate-expires', setting, what);
}

function judgeFailure({ setting, url }: Host, error: unknown): Finding {
  const code = errorCode(error);
  const unknown = unknownName(error);
  if (unknown !== undefined) {
    const isOfProxy = unknown !== url.hostname;
    const what = `the host name${isOfProxy ? ' of the proxy' : ''} ${unknown} could not be resolved (${code})`;
    return found(
      'host-name',
      setting,
      what,
      `check ${isOfProxy ? 'HTTPS_PROXY' : setting} and the name server`,
    );
  }
  // A host that does not speak TLS has shown no certificate.
  if (unreachableReason(error) === 'certificate' && !code.startsWith('ERR_SSL'))
    return found('host-certificate', setting, `the certificate of ${url.host} is not trusted (${code})`);
  // Undici says only in words what a proxy answers.
  const reason = code === 'UND_ERR_ABORTED' && error instanceof Error ? error.message : code;
  const repair = 'check the address and its port, the firewall and the proxy settings';
  return found('host-connection', setting, `no connection to ${url.host} (${reason})`, repair);
}

/** The name that could not be resolved, if that is what failed. */
function unknownName(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (unreachableReason(error) !== 'name') return undefined;
  return 'hostname' in error ? String(error.hostname) : unknownName(error.cause);
}
