import { Cookie, defaultPath, domainMatch, pathMatch } from 'tough-cookie';
import { fault } from '../core/faults.ts';
import { type RetryPolicy, retryAfter, retryAt } from './retries.ts';
import type { HttpResponse, Transport } from './transport.ts';

const LOGIN_PATH = '/auth/pub/sso/login/diagnostics-api';
/** A login succeeded only if the answer sets this cookie (specification, 4.1). */
const SESSION_COOKIE = 'ssosession';
/** How long a session is used at most before the next login. Milliseconds. */
export const LONGEST_TRUST_MS = 4 * 3_600_000;

/** The addresses of the service and the bot's account. URLs are https, without a trailing slash. */
export type ServiceSettings = {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly loginUrl: string;
  /** The vendor's word in the media type and in a cookie's name (specification, 4.2 and 5.2). */
  readonly vendor: string;
  readonly userId: string;
  readonly userSecret: string;
  /** Tells the service's operators which program sends the requests. */
  readonly userAgent: string;
};

/** What all requests to the service need. */
export type ServiceParts = {
  readonly transport: Pick<Transport, 'send' | 'stopping'>;
  readonly settings: ServiceSettings;
  readonly retry: RetryPolicy;
  readonly now: () => number;
};

/** A cookie of a login. Its expiry is not kept, because a session is used for four hours at most. */
export type StoredCookie = {
  readonly key: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly path: string;
};

/** A successful login: its cookies, and how long they are used (epoch milliseconds). */
export type LoginSuccess = { readonly cookies: readonly StoredCookie[]; readonly trustedUntil: number };
/** The login servers refused the account. `retryAt`: the end of their `Retry-After` (epoch milliseconds). */
type LoginRefusal = { readonly refusedWith: number; readonly retryAt: number | undefined };

/**
 * Logs in once (specification, 4.1 and 5), without retries. Returns a refusal instead of throwing it, because the
 * caller stores it. Throws `service-failed`, `rate-limited`, `unreachable`, `too-large`, and the errors of `transport`.
 */
export function login(
  { settings, now }: Pick<ServiceParts, 'settings' | 'now'>,
  transport: Pick<Transport, 'send'>,
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

/** Splits cookies that a proxy joined into one header. A comma in an `Expires` date is never followed by `token=`. */
const FOLD = /,(?=\s{0,9}[\w!#$%&'*+.^`|~-]{1,200}=)/;

function cookiesIn({ headers }: HttpResponse): Cookie[] {
  const texts = [headers['set-cookie'] ?? []].flat().flatMap((text) => text.split(FOLD));
  return texts.flatMap((text) => {
    // Old servers write `Version="1";Domain="…"` (RFC 2109). Quotes in the cookie's own value are kept.
    const [pair = '', ...attributes] = text.trim().split(';');
    return Cookie.parse([pair, ...attributes.map((each) => each.replaceAll('"', ''))].join(';')) ?? [];
  });
}

/** An expiry this long ago deletes the cookie; a later expiry may only mean that the server's clock is slow. */
const CLOCKS_DIFFER_BY_MS = 24 * 3_600_000;

/** A refused login often deletes the old cookie: it sets an empty value or an expiry long ago. */
function isDeletion(cookie: Cookie, now: number): boolean {
  const end = cookie.expiryTime(new Date(now));
  return cookie.value === '' || (end !== undefined && end < now - CLOCKS_DIFFER_BY_MS);
}

/** Accepts a cookie for any `Domain`: the operator chose the hosts, and TLS authenticates them. */
function storedCookie({ key, value, domain, path }: Cookie, { hostname, pathname }: URL): StoredCookie {
  const isHostOnly = domain === null;
  return { key, value, domain: domain ?? hostname, isHostOnly, path: path ?? defaultPath(pathname) };
}

/** From this value on, an expiry is in milliseconds: as seconds it would mean the year 5138. */
const MILLISECONDS_FROM = 1e11;

/** How long to use a session that expires at `stated` (epoch seconds or milliseconds). Ignores a time in the past. */
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

/** The Cookie header for a request to `url`. Throws `cookie-domain` if the session cookie is not for that URL. */
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
