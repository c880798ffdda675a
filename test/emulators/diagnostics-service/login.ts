import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SESSION_MS } from './cookies.ts';
import { chooseAnswer, conclude, nextLine } from './exchange.ts';
import { errorPage, redirect, signInPage } from './pages.ts';
import type { ServiceState } from './state.ts';
import type { LoginRecord, Reply } from './types.ts';

/** Where the bot logs in (specification 4.1). */
export const LOGIN_PATH = '/auth/pub/sso/login/diagnostics-api';

/** The interactive login page (specification 4.1). */
export const LOGIN_PAGE_PATH = '/resource/login.jsp';

const LIBRARY_DEFAULT_AGENT = /^(?:node|undici|node-fetch|axios|got|curl)\b/i;
const SHORTEST_AGENT = 5;

interface Credentials {
  user_id: string;
  user_secret: string;
}

/** Answers the login host (specification 4.1 and 5). */
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
    userAgent: request.headers['user-agent'],
  };
  records.logins.push(record);
  const early = state.pauses.breaches('the login host', record.arrivedAt);
  records.breaches.push(...early.map((sentence) => `login: ${sentence}`));
  const body = await text(request);
  const breach = findBreach(request, body);
  if (breach) records.breaches.push(...breach.sentences.map((sentence) => `login: ${sentence}`));

  const replacement = chooseAnswer(state.switches, state.switches.loginStatus, nextLine(state.loginScript));
  const ordinary = breach?.reply ?? judgedReply(state, record, JSON.parse(body) as Credentials);
  if (breach) record.outcome = 'breach';
  else if (replacement) record.outcome = 'scripted';
  await conclude(state, record, { response, reset }, ordinary, replacement);
}

function judgedReply(state: ServiceState, record: LoginRecord, credentials: Credentials): Reply {
  const { settings, switches } = state;
  const { user_id, user_secret } = credentials;
  const known = user_id === settings.userId && user_secret === switches.userSecret;
  record.userId = user_id;
  record.outcome = known && !switches.loginRefused ? 'granted' : 'refused';
  return record.outcome === 'granted' ? granted(state) : redirect(`${state.urls.login}${LOGIN_PAGE_PATH}`);
}

/** Answers the interactive login page's host. */
export async function answerLoginPage(
  state: ServiceState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET' && request.url === LOGIN_PAGE_PATH) state.records.loginPageViews += 1;
  const { status, headers, body } = signInPage();
  response.writeHead(status, headers).end(body);
}

function granted(state: ServiceState): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'set-cookie': state.sessions.open() },
    body: JSON.stringify({ expires: Math.floor((state.settings.now() + SESSION_MS) / 1_000) }),
  };
}

function findBreach(
  request: IncomingMessage,
  body: string,
): { sentences: string[]; reply: Reply } | undefined {
  const { method, url = '', headers } = request;
  if (method === 'GET' && url !== LOGIN_PATH) {
    // A real service answers such a request with its sign-in page, so this one does too.
    return { sentences: [`a redirect to the login servers was followed: GET ${url}`], reply: signInPage() };
  }
  const sentences = [
    ...(url === LOGIN_PATH ? [] : [`the path is ${url}, not ${LOGIN_PATH}`]),
    ...(method === 'POST' ? [] : [`the method is ${method}, not POST`]),
    ...(headers['content-type'] === 'application/json'
      ? []
      : [`the content type is ${headers['content-type']}, not application/json`]),
    ...agentProblems(headers['user-agent']),
    ...bodyProblems(body),
  ];
  if (sentences.length === 0) return undefined;
  return { sentences, reply: errorPage(400, 'Bad request', 'The login request is not as specified.') };
}

function agentProblems(agent = ''): string[] {
  if (agent.trim().length < SHORTEST_AGENT) return ['the User-Agent is missing or says nothing'];
  return LIBRARY_DEFAULT_AGENT.test(agent) ? [`the User-Agent is the default of a library: ${agent}`] : [];
}

function bodyProblems(body: string): string[] {
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ['the body is no JSON object'];
  const fields = Object.entries(value);
  const names = fields.map(([name]) => name).sort();
  return [
    ...(names.join() === 'user_id,user_secret'
      ? []
      : [`the body has the fields ${names.join(', ') || 'of an empty object'}, not user_id and user_secret`]),
    ...fields
      .filter(([name, field]) => name.startsWith('user_') && typeof field !== 'string')
      .map(([name]) => `${name} is not a string`),
  ];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
