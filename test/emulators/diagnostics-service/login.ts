import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { parseJson } from '../slack/json.ts';
import { USER_ID } from './account.ts';
import { SESSION_MS } from './cookies.ts';
import { chooseAnswer, conclude, nextLine } from './exchange.ts';
import { errorPage, redirect, signInPage } from './pages.ts';
import type { ServiceState } from './state.ts';
import type { LoginRecord, Reply } from './types.ts';

/** The path of the bot's login (specification 4.1). */
export const LOGIN_PATH = '/auth/pub/sso/login/diagnostics-api';

/** The interactive login page (specification 4.1). */
export const LOGIN_PAGE_PATH = '/resource/login.jsp';

const LIBRARY_DEFAULT_AGENT = /^(?:node|undici|node-fetch|axios|got|curl)\b/i;
const SHORTEST_AGENT = 5;

const CREDENTIALS = z.strictObject({ user_id: z.string(), user_secret: z.string() });

/** Answers requests to the login host (specification 4.1 and 5). */
export async function answerLoginHost(
  state: ServiceState,
  request: IncomingMessage,
  response: ServerResponse,
  reset: () => void,
): Promise<void> {
  const { records, settings } = state;
  const record: LoginRecord = {
    kind: 'login',
    arrivedAt: settings.now(),
    outcome: 'pending',
  };
  records.logins.push(record);
  const early = state.pauses.breaches('the login host', record.arrivedAt);
  records.breaches.push(...early.map((sentence) => `login: ${sentence}`));
  const body = parseJson(await text(request));
  const breach = findBreach(request, body);
  if (breach) records.breaches.push(...breach.sentences.map((sentence) => `login: ${sentence}`));

  const replacement = chooseAnswer(state.switches, state.switches.loginStatus, nextLine(state.loginScript));
  const ordinary = breach?.reply ?? judgedReply(state, record, CREDENTIALS.parse(body));
  if (breach) record.outcome = 'breach';
  else if (replacement) record.outcome = 'scripted';
  await conclude(state, record, { response, reset }, ordinary, replacement);
}

function judgedReply(
  { switches, urls, sessions, settings }: ServiceState,
  record: LoginRecord,
  { user_id, user_secret }: z.infer<typeof CREDENTIALS>,
): Reply {
  const isKnown = user_id === USER_ID && user_secret === switches.userSecret;
  const isGranted = isKnown && !switches.loginRefused;
  record.userId = user_id;
  record.outcome = isGranted ? 'granted' : 'refused';
  if (!isGranted) return redirect(`${urls.login}${LOGIN_PAGE_PATH}`);
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'set-cookie': sessions.open() },
    body: JSON.stringify({ expires: Math.floor((settings.now() + SESSION_MS) / 1_000) }),
  };
}

/** Answers requests to the host of the interactive login page. */
export async function answerLoginPage(
  state: ServiceState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET' && request.url === LOGIN_PAGE_PATH) state.records.loginPageViews += 1;
  const { status, headers, body } = signInPage();
  response.writeHead(status, headers).end(body);
}

function findBreach(
  request: IncomingMessage,
  body: unknown,
): { sentences: string[]; reply: Reply } | undefined {
  const { method, url = '', headers } = request;
  if (method === 'GET' && url !== LOGIN_PATH) {
    // A real service answers this request with its sign-in page.
    return { sentences: [`a redirect to the login servers was followed: GET ${url}`], reply: signInPage() };
  }
  const sentences = [
    ...(url === LOGIN_PATH ? [] : [`the path is ${url}, not ${LOGIN_PATH}`]),
    ...(method === 'POST' ? [] : [`the method is ${method}, not POST`]),
    ...(headers['content-type'] === 'application/json'
      ? []
      : [`the content type is ${headers['content-type']}, not application/json`]),
    ...agentProblems(headers['user-agent']),
    ...(CREDENTIALS.safeParse(body).error?.issues ?? []).map(
      ({ message, path }) => `${path.join('.') || 'the body'}: ${message}`,
    ),
  ];
  if (sentences.length === 0) return undefined;
  return { sentences, reply: errorPage(400, 'Bad request', 'The login request is not as specified.') };
}

function agentProblems(agent = ''): string[] {
  if (agent.trim().length < SHORTEST_AGENT) return ['the User-Agent is missing or says nothing'];
  return LIBRARY_DEFAULT_AGENT.test(agent) ? [`the User-Agent is the default of a library: ${agent}`] : [];
}
