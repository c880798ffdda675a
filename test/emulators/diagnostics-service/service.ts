import { answerApiHost, intervalRuns } from './api.ts';
import { type Handler, type Listener, startListener } from './listener.ts';
import { answerLoginHost, answerLoginPage, LOGIN_PAGE_PATH } from './login.ts';
import { createState } from './state.ts';
import type { DiagnosticsServiceOptions, ScriptedAnswer, ShelfEntry } from './types.ts';

/** A running emulator of the diagnostics service: three TLS servers on free loopback ports that check every request. */
export type DiagnosticsService = Awaited<ReturnType<typeof startDiagnosticsService>>;

/** Starts a service with an empty shelf. */
export async function startDiagnosticsService(options: DiagnosticsServiceOptions) {
  const closing = new AbortController();
  const state = createState(options, closing.signal);
  const { hostname, isOneHost } = state.settings;
  const listen = (handle: Handler): Promise<Listener> => startListener(options.certificates, handle);
  const answerApi: Handler = (...exchange) => answerApiHost(state, ...exchange);
  const answerLogin: Handler = (...exchange) => answerLoginHost(state, ...exchange);
  const answerPage: Handler = (request, response) => answerLoginPage(state, request, response);
  const byPath: Handler = (request, ...exchange) => {
    const { url = '' } = request;
    const answer = url.startsWith('/auth/') ? answerLogin : url === LOGIN_PAGE_PATH ? answerPage : answerApi;
    return answer(request, ...exchange);
  };
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
    /** How many connections to the API host have been opened. */
    connections: api.opened,
    /** Adds or replaces a snapshot. The time of the first request for its id is kept. */
    shelve: (id: string, entry: ShelfEntry): void => void state.shelf.set(id, entry),
    /** Restarts the processing of one snapshot or of all, as if nobody had asked for it yet. */
    restartProcessing: (id?: string) =>
      id === undefined ? state.firstAsked.clear() : void state.firstAsked.delete(id),
    /** Whether the interval after a 202 still runs, so that the same request would be a breach. */
    intervalRuns: () => intervalRuns(state),
    /** Ends all sessions. */
    expireSessions: () => state.sessions.expireAll(),
    /** From now on delays all answers, until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.released = promise;
      return resolve;
    },
    /** Scripts the answers to the next API requests, for one snapshot or for any. Breaches are recorded as usual. */
    nextAnswers: (answers: readonly ScriptedAnswer[], forId?: string) =>
      void state.apiScript.push(...answers.map((answer) => ({ answer, forId }))),
    /** Scripts the answers to the next logins. Breaches are recorded as usual; a `Reply` opens no session. */
    nextLoginAnswers: (answers: readonly ScriptedAnswer[]) =>
      void state.loginScript.push(...answers.map((answer) => ({ answer, forId: undefined }))),
    /** Stops the servers and destroys every open connection. */
    async close() {
      closing.abort();
      await Promise.all([...new Set([api, auth, login])].map((listener) => listener.close()));
    },
  };
}
