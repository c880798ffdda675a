import { answerApiHost } from './api.ts';
import { type Handler, type Listener, startListener } from './listener.ts';
import { answerLoginHost, answerLoginPage, LOGIN_PAGE_PATH } from './login.ts';
import { createState } from './state.ts';
import type { DiagnosticsServiceOptions, ScriptedAnswer, ShelfEntry } from './types.ts';

/** A running emulator of the diagnostics service: three TLS servers on free loopback ports, strict about every request. */
export type DiagnosticsService = Awaited<ReturnType<typeof startDiagnosticsService>>;

/** Starts a service with an empty shelf. */
export async function startDiagnosticsService(options: DiagnosticsServiceOptions) {
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
    /** The API host. */
    baseUrl: address(api),
    /** The login servers. */
    authUrl: address(auth),
    /** The host of the interactive login page. */
    loginUrl: address(login),
    records: state.records,
    switches: state.switches,
    /** How many connections to the API host were opened so far. */
    connections: api.opened,
    /** Puts a snapshot in place of what was there under that id; the time of its first request stays. */
    shelve: (id: string, entry: ShelfEntry): void => void state.shelf.set(id, entry),
    /** Forgets when a snapshot, or all of them, was first asked for: its processing begins anew. */
    restartProcessing: (id?: string) =>
      id === undefined ? state.firstAsked.clear() : void state.firstAsked.delete(id),
    /** Ends every session handed out so far. */
    expireSessions: () => state.sessions.expireAll(),
    /** From now on takes requests and logins without answering them, until the function that it gives is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.released = promise;
      return resolve;
    },
    /** Answers for the next requests to the API, for one snapshot if given, after their breaches were noted. */
    nextAnswers: (answers: readonly ScriptedAnswer[], forId?: string) =>
      void state.apiScript.push(...answers.map((answer) => ({ answer, forId }))),
    /** Answers for the next logins, after their breaches were noted; a `Reply` opens no session. */
    nextLoginAnswers: (answers: readonly ScriptedAnswer[]) =>
      void state.loginScript.push(...answers.map((answer) => ({ answer, forId: undefined }))),
    /** Stops the servers and destroys every open connection. */
    async close() {
      closing.abort();
      await Promise.all([...new Set([api, auth, login])].map((listener) => listener.close()));
    },
  };
}
