import { CookieJar, type SerializedCookieJar } from 'tough-cookie';
import { RateLimited, ServiceFailed } from '../core/faults.ts';
import { trustedUntil } from './expiry.ts';
import { retryAt } from './headers.ts';
import type { ServiceSettings } from './service-settings.ts';
import type { HttpAnswer, Transport } from './transport.ts';

const LOGIN_PATH = '/auth/pub/sso/login/diagnostics-api';
/** The cookie whose presence makes an answer a success (specification, 4.1). */
const SESSION_COOKIE = 'ssosession';

/** What a successful login gave: the cookies, and until when they are used without doubt. */
export type LoginSuccess = { readonly cookies: SerializedCookieJar; readonly trustedUntil: number };
/** The account was refused: final until something changes. */
export type LoginRefusal = { readonly refusedWith: number };

/**
 * One login (specification, 4.1 and 5). A refusal is a value, because who asks has to remember it.
 * Throws `ServiceFailed`, `RateLimited`, `Unreachable` and `TooLarge`.
 */
export async function login(
  transport: Transport,
  settings: ServiceSettings,
  now: () => number,
): Promise<LoginSuccess | LoginRefusal> {
  const url = new URL(settings.authUrl + LOGIN_PATH);
  const answer = await transport.send({
    neighbour: 'login servers',
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': settings.userAgent,
    },
    body: JSON.stringify({ user_id: settings.userId, user_secret: settings.userSecret }),
  });
  if (answer.status === 429) throw new RateLimited(retryAt(answer, now()));
  if (answer.status >= 500) throw new ServiceFailed('login servers', answer.status);
  const jar = await cookiesOf(answer, url);
  const names = (await jar.getCookies(url.href)).map((cookie) => cookie.key);
  if (answer.status !== 200 || !names.includes(SESSION_COOKIE)) return { refusedWith: answer.status };
  return { cookies: await jar.serialize(), trustedUntil: trustedUntil(expiresOf(answer), now()) };
}

async function cookiesOf(answer: HttpAnswer, url: URL): Promise<CookieJar> {
  // The operator chose these hosts and TLS proved them; a public suffix list has nothing to add.
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false });
  for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
    await jar.setCookie(cookie, url.href, { ignoreError: true });
  }
  return jar;
}

function expiresOf(answer: HttpAnswer): unknown {
  try {
    const body: unknown = JSON.parse(answer.body.toString('utf8'));
    return typeof body === 'object' && body !== null && 'expires' in body ? body.expires : undefined;
  } catch {
    return undefined;
  }
}

/** The Cookie header for a request to `url`; undefined when the session's cookies do not reach it. */
export async function cookieHeader(cookies: SerializedCookieJar, url: URL): Promise<string | undefined> {
  const jar = await CookieJar.deserialize(cookies);
  const sent = await jar.getCookies(url.href);
  if (!sent.some((cookie) => cookie.key === SESSION_COOKIE)) return undefined;
  return sent.map((cookie) => cookie.cookieString()).join('; ');
}
