import { Agent, type Dispatcher, request } from 'undici';
import { type Certificates, makeCertificates } from '../certificates.ts';
import { LOGIN_PATH } from './login.ts';
import { type DiagnosticsService, startDiagnosticsService } from './service.ts';
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
export interface TestClient {
  readonly service: DiagnosticsService;
  /** Sends the login with some of its parts replaced. */
  login(overrides?: Overrides): Promise<Answer>;
  /** Logs in and gives the `Cookie` header. */
  cookie(): Promise<string>;
  /** Asks for a snapshot; `path` replaces all after the address. */
  ask(id: string, cookie: string, overrides?: Overrides): Promise<Answer>;
  /** Sends a request as it stands. */
  send(url: string, options: RequestOptions): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Credentials that the service accepts. */
export const GOOD_LOGIN = { user_id: DEFAULT_USER_ID, user_secret: DEFAULT_USER_SECRET };

let shared: Promise<Certificates> | undefined;

/** Starts a service and a client that trusts its authority. */
export async function startTestClient(options: Partial<DiagnosticsServiceOptions> = {}): Promise<TestClient> {
  shared ??= makeCertificates();
  const certificates = await shared;
  const service = await startDiagnosticsService({ certificates, ...options });
  const dispatcher = new Agent({ connect: { ca: certificates.caPem } });
  const send: TestClient['send'] = (url, more) => request(url, { dispatcher, ...more });

  const login: TestClient['login'] = async ({ path = LOGIN_PATH, headers, ...more } = {}) =>
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
    async cookie() {
      const { headers } = await login();
      const cookies = [headers['set-cookie'] ?? []].flat();
      return cookies.map((cookie) => cookie.slice(0, cookie.indexOf(';'))).join('; ');
    },
    async ask(id, cookie, { path = diagnosticsPath(id), headers, ...more } = {}) {
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
