import { Agent, type Dispatcher, request } from 'undici';
import { type Certificates, makeCertificates } from '../certificates.ts';
import { LOGIN_PATH } from './login.ts';
import { startDiagnosticsService } from './service.ts';
import { DEFAULT_USER_ID, DEFAULT_USER_SECRET } from './state.ts';
import type { DiagnosticsServiceOptions } from './types.ts';

/** A whole answer as a test wants to see it. */
interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

type Overrides = RequestOptions & { path?: string };

/** A client whose requests follow the specification, with options to break it on purpose. */
export type TestClient = Awaited<ReturnType<typeof startTestClient>>;

/** Credentials that the service accepts. */
export const GOOD_LOGIN = { user_id: DEFAULT_USER_ID, user_secret: DEFAULT_USER_SECRET };

let shared: Promise<Certificates> | undefined;

/** Starts a service and a client that trusts its authority. */
export async function startTestClient(options: Partial<DiagnosticsServiceOptions> = {}) {
  shared ??= makeCertificates();
  const certificates = await shared;
  const service = await startDiagnosticsService({ certificates, ...options });
  const dispatcher = new Agent({ connect: { ca: certificates.caPem } });
  /** Sends a request as it stands. */
  const send = (url: string, more: RequestOptions) => request(url, { dispatcher, ...more });

  /** Sends the login with some of its parts replaced. */
  const login = async ({ path = LOGIN_PATH, headers, ...more }: Overrides = {}) =>
    answer(
      await send(`${service.authUrl}${path}`, {
        method: 'POST',
        body: JSON.stringify(GOOD_LOGIN),
        ...more,
        headers: { 'content-type': 'application/json', 'user-agent': 'snapshot-bot/0.1', ...headers },
      }),
    );
  return {
    service,
    login,
    send,
    /** Logs in and gives the `Cookie` header. */
    async cookie() {
      const { headers } = await login();
      const cookies = [headers['set-cookie'] ?? []].flat();
      return cookies.map((cookie) => cookie.slice(0, cookie.indexOf(';'))).join('; ');
    },
    /** Asks for a snapshot; `path` replaces all after the address. */
    async ask(id: string, cookie: string, overrides: Overrides = {}) {
      const { path = diagnosticsPath(id), headers, ...more } = overrides;
      const accept = 'application/vnd.acme.diagnostics.api';
      return answer(
        await send(`${service.baseUrl}${path}`, { ...more, headers: { accept, cookie, ...headers } }),
      );
    },
    async close() {
      await service.close();
      await dispatcher.destroy();
    },
  };
}

/** The path of a snapshot's diagnostics (specification 4.2). */
export function diagnosticsPath(id: string, query = ''): string {
  return `/snapshot-analyzer/api/snapshots/${id}/diagnostics${query}`;
}

async function answer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  return { status: statusCode, headers, body: await body.text() };
}
