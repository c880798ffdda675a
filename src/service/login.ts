import { Cookie, CookieJar, type SerializedCookieJar } from 'tough-cookie';
import { CookieDomainMismatch, RateLimited, ServiceFailed } from '../core/faults.ts';
import { retryAfter, retryAt } from './answers.ts';
import { LONGEST_TRUST_MS, type ServiceParts } from './shared-state.ts';
import type { HttpResponse } from './transport.ts';

const LOGIN_PATH = '/auth/pub/sso/login/diagnostics-api';
/** The cookie whose presence makes an answer a success (specification, 4.1). */
const SESSION_COOKIE = 'ssosession';

/** The result of a login: the cookies, and until when they are used without doubt. */
export type LoginSuccess = { readonly cookies: SerializedCookieJar; readonly trustedUntil: number };
/**
 * The login servers refused the account. Another try fails too until somebody changes something. `retryAt`: the epoch
 * milliseconds before which they ask not to be asked again, if they name a time.
 */
type LoginRefusal = { readonly refusedWith: number; readonly retryAt: number | undefined };

/**
 * One login (specification, 4.1 and 5). A refusal is returned, not thrown, because the caller has to store it. Throws
 * `ServiceFailed`, `RateLimited`, `Unreachable` and `TooLarge`.
 */
export function login({
  transport,
  settings,
  state,
  now,
}: Pick<ServiceParts, 'transport' | 'settings' | 'state' | 'now'>): Promise<LoginSuccess | LoginRefusal> {
  const url = new URL(settings.authUrl + LOGIN_PATH);
  const upstream = 'login servers';
  const request = {
    upstream,
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': settings.userAgent,
    },
    body: JSON.stringify({ user_id: settings.userId, user_secret: settings.userSecret }),
    mayStart: () => state.checkPause(upstream),
  } as const;
  return transport.send(request, (answer) =>
    state.heedingPauses(upstream, () => outcomeOf(answer, url, now())),
  );
}

async function outcomeOf(answer: HttpResponse, url: URL, now: number): Promise<LoginSuccess | LoginRefusal> {
  if (answer.status === 429) throw new RateLimited(retryAt(answer, now));
  if (answer.status >= 500) throw new ServiceFailed('login servers', answer.status, retryAfter(answer, now));
  const jar = await cookiesOf(answer, url);
  const session = (await jar.store.getAllCookies()).find(
    (cookie) => cookie.key === SESSION_COOKIE && !isDeletion(cookie, now),
  );
  if (answer.status !== 200 || session === undefined)
    return { refusedWith: answer.status, retryAt: retryAfter(answer, now) };
  const end = Math.min(trustedUntil(expiresOf(answer), now), trustedUntil(endOf(session), now));
  return { cookies: await jar.serialize(), trustedUntil: end };
}

function cameAt({ creation }: Cookie): Date {
  return creation instanceof Date ? creation : new Date();
}

/** The epoch milliseconds at which a cookie ends by its own attributes, counted from its arrival; else infinity. */
function endOf(cookie: Cookie): number {
  return cookie.expiryTime(cameAt(cookie)) ?? Number.POSITIVE_INFINITY;
}

/**
 * A cookie that ended longer ago than this was deleted by the server; one that ended later comes from a server whose
 * clock is behind.
 */
const CLOCKS_DIFFER_BY_MS = 24 * 3_600_000;

/** A refused login often deletes the old cookie: it sets an empty one, or one that ended long ago. */
function isDeletion(cookie: Cookie, now: number): boolean {
  return cookie.value === '' || endOf(cookie) < now - CLOCKS_DIFFER_BY_MS;
}

/** Old servers write `Version="1";Domain="…"` (RFC 2109). The value of the cookie itself stays as it is. */
function withoutQuotedAttributes(setCookie: string): string {
  const [pair = '', ...attributes] = setCookie.split(';');
  return [pair, ...attributes.map((attribute) => attribute.replaceAll('"', ''))].join(';');
}

/**
 * The cookies by their `Domain`, also where the login servers were reached under another name. The operator chose these
 * hosts and TLS proves them, so neither that name nor a public suffix list protects anybody.
 */
async function cookiesOf(answer: HttpResponse, url: URL): Promise<CookieJar> {
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false });
  for (const text of [answer.headers['set-cookie'] ?? []].flat()) {
    const cookie = Cookie.parse(withoutQuotedAttributes(text));
    if (cookie === undefined) continue;
    const from = new URL(url);
    from.hostname = cookie.domain ?? url.hostname;
    if (from.hostname !== cookie.domain) cookie.domain = null;
    await jar.setCookie(cookie, from.href, { ignoreError: true });
  }
  return jar;
}

/** Epoch values from here on are milliseconds: as seconds they would be the year 5138. */
const MILLISECONDS_FROM = 1e11;

/**
 * Until when, in epoch milliseconds, a session is used without doubt. `expires` comes with the login (specification,
 * 2.1), in seconds or milliseconds; an absent, past or absurd one counts as unknown.
 */
export function trustedUntil(expires: unknown, now: number): number {
  const stated = Number(expires ?? Number.NaN);
  const ms = stated >= MILLISECONDS_FROM ? stated : stated * 1_000;
  return Math.min(ms > now ? Math.floor(ms) : Number.POSITIVE_INFINITY, now + LONGEST_TRUST_MS);
}

/** A body of more bytes is no answer to a login, and reading it would delay others. */
const LONGEST_BODY = 64 * 1024;

function expiresOf({ body }: HttpResponse): unknown {
  if (body.length > LONGEST_BODY) return undefined;
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof answer === 'object' && answer !== null && 'expires' in answer ? answer.expires : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a cookie has ended since it came. One that had ended before comes from a server whose clock is behind. */
function hasEnded(cookie: Cookie, now: number): boolean {
  const end = endOf(cookie);
  return end > cameAt(cookie).getTime() ? end <= now : isDeletion(cookie, now);
}

/**
 * The Cookie header for a request to `url`. The time limit of the session cookie is not checked here: it was settled
 * when it came. Throws `CookieDomainMismatch` if that cookie does not apply to the host.
 */
export async function cookieHeader(cookies: SerializedCookieJar, url: URL, now: number): Promise<string> {
  const jar = await CookieJar.deserialize(cookies);
  const reaching = await jar.getCookies(url.href, { expire: false });
  const sent = reaching.filter((cookie) => cookie.key === SESSION_COOKIE || !hasEnded(cookie, now));
  if (!sent.some(({ key }) => key === SESSION_COOKIE)) {
    const session = (await jar.store.getAllCookies()).find(({ key }) => key === SESSION_COOKIE);
    const path = session?.path === '/' ? '' : session?.path;
    throw new CookieDomainMismatch(url.hostname, `${session?.domain}${path}`);
  }
  return sent.map((cookie) => cookie.cookieString()).join('; ');
}
