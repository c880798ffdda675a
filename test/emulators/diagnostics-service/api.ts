import type { IncomingMessage, ServerResponse } from 'node:http';
import { VENDOR } from './account.ts';
import { chooseAnswer, conclude, nextLine } from './exchange.ts';
import { errorPage, redirect } from './pages.ts';
import { snapshotReply } from './snapshot.ts';
import type { ServiceState } from './state.ts';
import type { DiagnosticSet, Reply, RequestRecord } from './types.ts';

const DIAGNOSTICS_PATH = /^\/snapshot-analyzer\/api\/snapshots\/(\d+)\/diagnostics$/;
const SET_QUERY = /^set=(hit|miss)$/;

interface Target {
  path: string;
  query: string | undefined;
  id: string | undefined;
  set: DiagnosticSet | undefined;
}

/** Answers requests to the API host (specification 4.2). */
export async function answerApiHost(
  state: ServiceState,
  request: IncomingMessage,
  response: ServerResponse,
  reset: () => void,
): Promise<void> {
  const { records, settings, switches } = state;
  const target = readTarget(request.url ?? '');
  const verdict = state.sessions.judge(request.headers.cookie);
  const record: RequestRecord = {
    kind: 'request',
    arrivedAt: settings.now(),
    method: request.method ?? '',
    url: request.url ?? '',
    id: target.id,
    set: target.set,
    session: verdict.session,
  };
  records.requests.push(record);

  const breaches = [...requestBreaches(request, target), ...cookieBreaches(verdict)];
  const early = ['the API host', `${record.id} ${record.set}`].flatMap((about) =>
    state.pauses.breaches(about, record.arrivedAt),
  );
  const sentences = [...breaches.map(({ sentence }) => sentence), ...haste(state, record), ...early];
  records.breaches.push(...sentences.map((sentence) => `${request.method} ${request.url}: ${sentence}`));
  const ordinary = breaches[0]?.reply ?? servedReply(state, record);
  const replacement = chooseAnswer(switches, switches.apiStatus, nextLine(state.apiScript, target.id));
  await conclude(state, record, { response, reset }, ordinary, replacement);
}

function readTarget(url: string): Target {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? undefined : url.slice(at + 1);
  const set = query === undefined ? 'all' : SET_QUERY.exec(query)?.[1];
  return { path, query, id: DIAGNOSTICS_PATH.exec(path)?.[1], set: set as DiagnosticSet | undefined };
}

function requestBreaches(
  { method, headers }: IncomingMessage,
  { path, query, id, set }: Target,
): { sentence: string; reply: Reply }[] {
  const mediaType = `application/vnd.${VENDOR}.diagnostics.api`;
  const accept = headers.accept ?? 'absent';
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const checks: [broken: boolean, sentence: string, reply: Reply][] = [
    [
      id === undefined,
      `the path ${path} is not that of a snapshot's diagnostics`,
      errorPage(404, 'Not found', 'No such resource.'),
    ],
    [method !== 'GET', `the method is ${method}, not GET`, errorPage(405, 'Method not allowed', 'Use GET.')],
    [
      set === undefined,
      `the query ${JSON.stringify(query)} is neither set=hit nor set=miss`,
      errorPage(400, 'Bad request', 'Unknown parameter.'),
    ],
    [hasBody, 'a GET came with a body', errorPage(400, 'Bad request', 'No body expected.')],
    [
      accept !== mediaType,
      `the Accept header is ${accept}, not ${mediaType}`,
      errorPage(406, 'Not acceptable', 'The media type is not offered.'),
    ],
  ];
  return checks.filter(([broken]) => broken).map(([, sentence, reply]) => ({ sentence, reply }));
}

function cookieBreaches(
  verdict: ReturnType<ServiceState['sessions']['judge']>,
): { sentence: string; reply: Reply }[] {
  if (verdict.session !== 'breach') return [];
  const reply = errorPage(400, 'Bad request', 'The cookies are not those of a session.');
  return verdict.sentences.map((sentence) => ({ sentence, reply }));
}

function haste({ lastProcessing, settings }: ServiceState, { id, set, arrivedAt }: RequestRecord): string[] {
  const last = lastProcessing.get(`${id} ${set}`);
  if (last === undefined || arrivedAt - last >= settings.waitMs) return [];
  return [`asked again ${arrivedAt - last} ms after a 202, before ${settings.waitMs} ms had passed`];
}

/** Whether the interval after a 202 still runs for any question. */
export function intervalRuns({ lastProcessing, settings }: ServiceState): boolean {
  return [...lastProcessing.values()].some((at) => settings.now() - at < settings.waitMs);
}

function servedReply(state: ServiceState, record: RequestRecord): Reply {
  if (record.session !== 'live')
    return redirect(`${state.urls.auth}/auth/pub/sso/login?resource=diagnostics-api`);
  return snapshotReply(state, record.id ?? '', record.set ?? 'all', record.arrivedAt);
}
