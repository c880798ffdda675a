import { createHmac, randomBytes } from 'node:crypto';

/** What the `Cookie` header of a request amounts to (specification 5). */
type CookieVerdict = { session: 'live' | 'dead' | 'none' } | { session: 'breach'; sentences: string[] };

/** The sessions that were handed out. */
export type Sessions = ReturnType<typeof createSessions>;

/** Options of `createSessions`. */
export interface SessionOptions {
  vendor: string;
  cookieDomain: string;
  now: () => number;
}

interface Session {
  expiresAt: number;
}

/** How long a session lasts. Milliseconds. */
export const SESSION_MS = 3_600_000;
const COMPLETED = 'sso_completed';
const SEAL_KEY = 'diagnostics-service-emulator';
const ISSUED_FORM = /^!([\w-]+\+[\w-]+)\/([\w-]+)=$/;

/** Keeps sessions in memory; each is honoured for an hour. */
export function createSessions(options: SessionOptions) {
  const { vendor, cookieDomain, now } = options;
  const opaqueNames = ['ssosession', 'userinfo', `${vendor}sid01`];
  const owners = new Map<string, Session>();
  const sessions = new Set<Session>();

  return {
    /** Opens a session and gives its four `Set-Cookie` headers. */
    open(): string[] {
      const session = { expiresAt: now() + SESSION_MS };
      sessions.add(session);
      const values = opaqueNames.map((name): [string, string] => [name, opaqueValue(name)]);
      for (const [, value] of values) owners.set(value, session);
      values.splice(2, 0, [COMPLETED, '1']);
      const attributes = `;Version=1;Domain=${cookieDomain};Path=/;Secure`;
      return values.map(([name, value]) => `${name}=${value}${attributes}`);
    },
    /** Compares a `Cookie` header with what was issued, byte for byte. */
    judge(header: string | undefined): CookieVerdict {
      if (!header) return { session: 'none' };
      const cookies = header.split('; ').map(cutAtFirstEquals);
      const sentences = [
        ...nameProblems(
          cookies.map(([name]) => name),
          [...opaqueNames, COMPLETED],
        ),
        ...cookies.flatMap(([name, value]) => valueProblem(name, value) ?? []),
      ];
      if (sentences.length > 0) return { session: 'breach', sentences };
      const opaque = cookies.filter(([name]) => name !== COMPLETED).map(([, value]) => owners.get(value));
      const [session] = opaque;
      if (opaque.some((owner) => owner !== session)) {
        return { session: 'breach', sentences: ['the cookies of two sessions were mixed'] };
      }
      // A value that is intact but unknown comes from a service that has since been restarted.
      return { session: session && session.expiresAt > now() ? 'live' : 'dead' };
    },
    /** Ends every session handed out so far. */
    expireAll() {
      for (const session of sessions) session.expiresAt = Number.NEGATIVE_INFINITY;
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

function isIntact(name: string, value: string): boolean {
  const [, secret, mark] = ISSUED_FORM.exec(value) ?? [];
  return secret !== undefined && mark === seal(name, secret);
}

function cutAtFirstEquals(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function nameProblems(names: string[], expected: string[]): string[] {
  const missing = expected.filter((name) => !names.includes(name));
  const repeated = expected.filter((name) => names.filter((other) => other === name).length > 1);
  const strange = names.filter((name) => !expected.includes(name));
  return [
    ...missing.map((name) => `the cookie ${name} is missing`),
    ...repeated.map((name) => `the cookie ${name} was sent more than once`),
    ...strange.map((name) => `the cookie ${JSON.stringify(name)} was never issued`),
  ];
}

function valueProblem(name: string, value: string): string | undefined {
  if (name === COMPLETED)
    return value === '1' ? undefined : `the cookie ${name} was altered: it was issued as 1`;
  if (isIntact(name, value)) return undefined;
  if (isIntact(name, decoded(value))) return `the cookie ${name} was URL-encoded`;
  if (isIntact(name, value.replace(/^"(.*)"$/, '$1'))) return `the cookie ${name} was put in quotes`;
  return `the cookie ${name} was altered`;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
