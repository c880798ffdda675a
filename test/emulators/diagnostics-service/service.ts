import { answerApiHost } from './api.ts';
import { type Handler, type Listener, startListener } from './listener.ts';
import { answerLoginHost, answerLoginPage, LOGIN_PAGE_PATH } from './login.ts';
import { createState, type ScriptLine } from './state.ts';
import type {
  DiagnosticsServiceOptions,
  ScriptedAnswer,
  ServiceRecords,
  ServiceSwitches,
  ShelfEntry,
} from './types.ts';

/** A running emulator of the diagnostics service: three TLS servers on free loopback ports, strict about every request. */
export interface DiagnosticsService {
  /** The API host. */
  readonly baseUrl: string;
  /** The login servers. */
  readonly authUrl: string;
  /** The host of the interactive login page. */
  readonly loginUrl: string;
  readonly records: ServiceRecords;
  readonly switches: ServiceSwitches;
  /** How many connections to the API host were opened so far. */
  readonly connections: () => number;
  /** Puts a snapshot in place of what was there under that id; the time of its first request stays. */
  shelve(id: string, entry: ShelfEntry): void;
  /** Forgets when a snapshot, or all of them, was first asked for: its processing begins anew. */
  restartProcessing(id?: string): void;
  /** Ends every session handed out so far. */
  expireSessions(): void;
  /** From now on takes requests and logins without answering them, until the function that it gives is called. */
  hold(): () => void;
  /** Answers for the next requests to the API, for one snapshot if given, after their breaches were noted. */
  nextAnswers(answers: ScriptedAnswer[], forId?: string): void;
  /** Answers for the next logins, after their breaches were noted; a `Reply` opens no session. */
  nextLoginAnswers(answers: ScriptedAnswer[]): void;
  /** Stops the servers and destroys every open connection. */
  close(): Promise<void>;
}

/** Starts a service with an empty shelf. */
export async function startDiagnosticsService(
  options: DiagnosticsServiceOptions,
): Promise<DiagnosticsService> {
  const closing = new AbortController();
  const state = createState(options, closing.signal);
  const { hostname } = state.settings;
  const listen = (handle: Handler): Promise<Listener> => startListener(options.certificates, handle);
  const answerApi: Handler = (...exchange) => answerApiHost(state, ...exchange);
  const answerLogin: Handler = (...exchange) => answerLoginHost(state, ...exchange);
  const answerPage: Handler = (request, response) => answerLoginPage(state, request, response);
  const byPath: Handler = (request, ...exchange) => {
    const { url = '' } = request;
    const answer = url.startsWith('/auth/') ? answerLogin : url === LOGIN_PAGE_PATH ? answerPage : answerApi;
    return answer(request, ...exchange);
  };
  const { isOneHost } = state.settings;
  const api = await listen(isOneHost ? byPath : answerApi);
  const auth = isOneHost ? api : await listen(answerLogin);
  const login = isOneHost ? api : await listen(answerPage);
  const address = ({ port }: Listener): string => `https://${hostname}:${port}`;
  state.urls.auth = address(auth);
  state.urls.login = address(login);

  return {
    baseUrl: address(api),
    authUrl: address(auth),
    loginUrl: address(login),
    records: state.records,
    switches: state.switches,
    connections: api.opened,
    shelve: (id, entry) => void state.shelf.set(id, entry),
    restartProcessing: (id) =>
      id === undefined ? state.firstAsked.clear() : void state.firstAsked.delete(id),
    expireSessions: () => state.sessions.expireAll(),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.released = promise;
      return resolve;
    },
    nextAnswers: (answers, forId) => void state.apiScript.push(...scriptLines(answers, forId)),
    nextLoginAnswers: (answers) => void state.loginScript.push(...scriptLines(answers)),
    async close() {
      closing.abort();
      await Promise.all([...new Set([api, auth, login])].map((listener) => listener.close()));
    },
  };
}

function scriptLines(answers: ScriptedAnswer[], forId?: string): ScriptLine[] {
  return answers.map((answer) => ({ answer, forId }));
}
