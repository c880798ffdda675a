import { Cookie, defaultPath, domainMatch, pathMatch } from 'tough-cookie';
import { fault } from '../core/faults.ts';
import { type RetryPolicy, retryAfter, retryAt } from './retries.ts';
import type { HttpResponse, Transport } from './transport.ts';

const LOGIN_PATH = '/auth/pub/sso/login/diagnostics-api';
/** The cookie whose presence makes an answer a success (specification, 4.1). */
const SESSION_COOKIE = 'ssosession';
/** The longest that a session is used before the next login. Milliseconds. */
export const LONGEST_TRUST_MS = 4 * 3_600_000;

/** Where the service is and who asks it. The URLs are https, without a trailing slash. */
export type ServiceSettings = {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly loginUrl: string;
  /** Names the media type and one of the cookies (specification, 4.2 and 5.2). */
  readonly vendor: string;
  readonly userId: string;
  readonly userSecret: string;
  /** Tells the service's operators who is calling. */
  readonly userAgent: string;
};

/** What logins and operations have in common. */
export type ServiceParts = {
  readonly transport: Pick<Transport, 'send' | 'stopping'>;
  readonly settings: ServiceSettings;
  readonly retry: RetryPolicy;
  readonly now: () => number;
};

/** A cookie of a login. Its end is not kept: the session is used for four hours at most. */
export type StoredCookie = {
  readonly key: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly path: string;
};

/** The result of a login: the cookies, and until when they are trusted, in epoch milliseconds. */
export type LoginSuccess = { readonly cookies: readonly StoredCookie[]; readonly trustedUntil: number };
/** The login servers refused the account. `retryAt`: the end of their `Retry-After`, in epoch milliseconds. */
type LoginRefusal = { readonly refusedWith: number; readonly retryAt: number | undefined };

/**
 * One login (specification, 4.1 and 5), without retries. A refusal is returned, not thrown, because the caller stores it.
 * Throws `service-failed`, `rate-limited`, `unreachable`, `too-large`, and what `mayStart` throws.
 */
export function login(
  { transport, settings, now }: Pick<ServiceParts, 'transport' | 'settings' | 'now'>,
  mayStart: () => Promise<void> = async () => {},
): Promise<LoginSuccess | LoginRefusal> {
  const url = new URL(settings.authUrl + LOGIN_PATH);
  const request = {
    upstream: 'login servers',
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': settings.userAgent,
    },
    body: JSON.stringify({ user_id: settings.userId, user_secret: settings.userSecret }),
    mayStart,
  } as const;
  return transport.send(request, (answer) => outcomeOf(answer, url, now()));
}

function outcomeOf(answer: HttpResponse, url: URL, now: number): LoginSuccess | LoginRefusal {
  const { status } = answer;
  if (status === 429) throw fault('rate-limited', { retryAt: retryAt(answer, now) });
  if (status >= 500)
    throw fault('service-failed', { upstream: 'login servers', status, retryAt: retryAfter(answer, now) });
  const cookies = cookiesIn(answer).filter((cookie) => !isDeletion(cookie, now));
  const session = cookies.find(({ key }) => key === SESSION_COOKIE);
  if (status !== 200 || session === undefined)
    return { refusedWith: status, retryAt: retryAfter(answer, now) };
  const ends = [trustedUntil(expiresOf(answer), now), trustedUntil(session.expiryTime(new Date(now)), now)];
  return { cookies: cookies.map((cookie) => storedCookie(cookie, url)), trustedUntil: Math.min(...ends) };
}

/** Where a proxy folded several cookies into one header: no date of `Expires` has `token=` behind its comma. */
const FOLD = /,(?=\s{0,9}[\w!#$%&'*+.^`|~-]{1,200}=)/;

function cookiesIn({ headers }: HttpResponse): Cookie[] {
  const texts = [headers['set-cookie'] ?? []].flat().flatMap((text) => text.split(FOLD));
  return texts.flatMap((text) => {
    // Old servers write `Version="1";Domain="…"` (RFC 2109). The value of the cookie itself stays as it is.
    const [pair = '', ...attributes] = text.trim().split(';');
    return Cookie.parse([pair, ...attributes.map((each) => each.replaceAll('"', ''))].join(';')) ?? [];
  });
}

/** A cookie that ended longer ago than this was deleted by the server; else the clock of the server is behind. */
const CLOCKS_DIFFER_BY_MS = 24 * 3_600_000;

/** A refused login often deletes the old cookie: it sets an empty one, or one that ended long ago. */
function isDeletion(cookie: Cookie, now: number): boolean {
  const end = cookie.expiryTime(new Date(now));
  return cookie.value === '' || (end !== undefined && end < now - CLOCKS_DIFFER_BY_MS);
}

/**
 * A cookie is for its `Domain`, even if the login servers have another name: the operator chose these hosts, and TLS
 * proves them.
 */
function storedCookie({ key, value, domain, path }: Cookie, { hostname, pathname }: URL): StoredCookie {
  const isHostOnly = domain === null;
  return { key, value, domain: domain ?? hostname, isHostOnly, path: path ?? defaultPath(pathname) };
}

/** Epoch values from here on are milliseconds: as seconds they would be the year 5138. */
const MILLISECONDS_FROM = 1e11;

/** Until when a session is trusted that ends at `stated`, in epoch seconds or milliseconds; an absent, past or absurd value is unknown. */
function trustedUntil(stated: unknown, now: number): number {
  const number = Number(stated ?? Number.NaN);
  const ms = number >= MILLISECONDS_FROM ? number : number * 1_000;
  return Math.min(ms > now ? Math.floor(ms) : Number.POSITIVE_INFINITY, now + LONGEST_TRUST_MS);
}

function expiresOf({ body }: HttpResponse): unknown {
  try {
    return Reflect.get(Object(JSON.parse(new TextDecoder().decode(body))), 'expires');
  } catch {
    return undefined;
  }
}

/** The Cookie header for a request to `url`. Throws `cookie-domain` if the session cookie does not apply to it. */
export function cookieHeader(cookies: readonly StoredCookie[], { hostname, pathname }: URL): string {
  const sent = cookies.filter(
    ({ domain, path, isHostOnly }) =>
      (isHostOnly ? hostname === domain : domainMatch(hostname, domain)) && pathMatch(pathname, path),
  );
  if (!sent.some(({ key }) => key === SESSION_COOKIE)) {
    const session = cookies.find(({ key }) => key === SESSION_COOKIE);
    const domain = `${session?.domain}${session?.path === '/' ? '' : session?.path}`;
    throw fault('cookie-domain', { host: hostname, domain });
  }
  return sent.map(({ key, value }) => `${key}=${value}`).join('; ');
}
