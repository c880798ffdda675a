import type { ServerResponse } from 'node:http';
import { exchange, type Reply } from './exchange.ts';
import { parseJson, record } from './json.ts';
import { Refusal } from './refusal.ts';
import type { Context } from './setup.ts';

const GONE = new Set(['no_service', 'used_url', 'expired_url']);

/** Answers one post to a response URL. */
export async function answerResponseUrl(
  path: string,
  body: string,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const parsed = parseJson(body);
  await exchange('response_url', record(parsed), response, context, () => reply(path, parsed, context));
}

function reply(path: string, body: unknown, context: Context): Reply {
  try {
    return { status: 200, body: context.responseUrls.take(path, body) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.breach) context.journal.breach(error.breach);
    const status = GONE.has(error.code) || error.code === 'message_not_found' ? 404 : 400;
    if (GONE.has(error.code)) return { status, body: error.code };
    return { status, body: { ok: false, error: error.code, ...error.details } };
  }
}
