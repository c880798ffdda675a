import { createHmac, randomBytes } from 'node:crypto';
import { VENDOR } from './account.ts';

/** What the emulator finds in a `Cookie` header (specification 5). */
type CookieVerdict = { session: 'live' | 'dead' | 'none' } | { session: 'breach'; sentences: string[] };

/** How long a session lasts. Milliseconds. */
export const SESSION_MS = 3_600_000;

const COMPLETED = 'sso_completed';
const OPAQUE = ['ssosession', 'userinfo', `${VENDOR}sid01`];
const NAMES = [...OPAQUE, COMPLETED];
const SEAL_KEY = 'diagnostics-service-emulator';
const ISSUED_FORM = /^!([\w-]+\+[\w-]+)\/([\w-]+)=$/;

/** Keeps sessions in memory; each is valid for an hour. */
export function createSessions({ cookieDomain, now }: { cookieDomain: string; now: () => number }) {
  /** The expiry of each session, by the value of its cookie. */
  const owners = new Map<string, { expiresAt: number }>();
  return {
    /** Opens a session and gives its four `Set-Cookie` headers. */
    open(): string[] {
      const session = { expiresAt: now() + SESSION_MS };
      const values = OPAQUE.map((name): [string, string] => [name, opaqueValue(name)]);
      for (const [, value] of values) owners.set(value, session);
      values.splice(2, 0, [COMPLETED, '1']);
      const attributes = `;Version=1;Domain=${cookieDomain};Path=/;Secure`;
      return values.map(([name, value]) => `${name}=${value}${attributes}`);
    },
    /** Compares a `Cookie` header with the issued cookies, byte by byte. */
    judge(header: string | undefined): CookieVerdict {
      if (!header) return { session: 'none' };
      const cookies = header.split('; ').map(cutAtFirstEquals);
      const sentences = [
        ...nameProblems(cookies.map(([name]) => name)),
        ...cookies.flatMap(([name, value]) => valueProblem(name, value) ?? []),
      ];
      if (sentences.length > 0) return { session: 'breach', sentences };
      const opaque = cookies.filter(([name]) => name !== COMPLETED).map(([, value]) => owners.get(value));
      const [session] = opaque;
      if (opaque.some((owner) => owner !== session))
        return { session: 'breach', sentences: ['the cookies of two sessions were mixed'] };
      // An intact but unknown value was issued before a restart of the service.
      return { session: session && session.expiresAt > now() ? 'live' : 'dead' };
    },
    /** Ends all sessions. */
    expireAll() {
      for (const session of owners.values()) session.expiresAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function opaqueValue(name: string): string {
  const secret = `${randomBytes(18).toString('base64url')}+${randomBytes(9).toString('base64url')}`;
  return `!${secret}/${seal(name, secret)}=`;
}

function seal(name: string, secret: string): string {
  return createHmac('sha256', SEAL_KEY).update(`${name}=${secret}`).digest('base64url').slice(0, 16);
}

function cutAtFirstEquals(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function nameProblems(names: string[]): string[] {
  const strange = names.filter((name) => !NAMES.includes(name));
  return [
    ...NAMES.filter((name) => !names.includes(name)).map((name) => `the cookie ${name} is missing`),
    ...strange.map((name) => `the cookie ${JSON.stringify(name)} was never issued`),
    ...(new Set(names).size < names.length ? ['a cookie was sent more than once'] : []),
  ];
}

/** How a cookie's value was changed: quoted, URL-encoded or otherwise. */
function valueProblem(name: string, value: string): string | undefined {
  const [, secret = '', mark] = ISSUED_FORM.exec(value) ?? [];
  const isIntact = name === COMPLETED ? value === '1' : mark === seal(name, secret);
  return isIntact ? undefined : `the cookie ${name} was altered: its value has the form ${formOf(value)}`;
}

/** A value with its letters and digits hidden, because it may be a secret. */
function formOf(value: string): string {
  return value.replaceAll(/[\w-]+/g, '…');
}
