import type { IncomingMessage, ServerResponse } from 'node:http';
import { exchange, type Reply } from '../exchange.ts';
import { type Json, parseJson, record } from '../json.ts';
import type { Context } from '../setup.ts';
import { parseArguments } from './chat.ts';
import { perform } from './methods.ts';

const BEARER = /^Bearer (.+)$/;

/** Answers one Web API call. */
export async function answerApi(
  { method, caller }: { readonly method: string; readonly caller: number | undefined },
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
  const fields = isJson ? record(parseJson(body)) : Object.fromEntries(new URLSearchParams(body));
  const { token: inBody, ...rest } = fields;
  const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1];
  // Slack reads the token from forms and from the header, but not from a JSON body.
  const token = bearer ?? (isJson || typeof inBody !== 'string' ? undefined : inBody);
  const args = parseArguments(rest);
  await exchange({ method, args, caller }, response, context, () =>
    reply(method, token, args, request, context),
  );
}

function reply(
  method: string,
  token: string | undefined,
  args: Json,
  request: IncomingMessage,
  context: Context,
): Reply {
  const headers = { 'x-oauth-scopes': [...context.scopes].join(',') };
  const ok = (answer: Json): Reply => ({ status: 200, body: reachable(answer, request), headers });
  return context.journal.during(
    method,
    () => ok(perform(method, token, args, context)),
    ({ code, details }) => ok({ ok: false, error: code, ...details }),
  );
}

function reachable(answer: Json, request: IncomingMessage): Json {
  if (typeof answer.url !== 'string') return answer;
  return { ...answer, url: answer.url.replace('ws://slack/', `ws://${request.headers.host}/`) };
}
