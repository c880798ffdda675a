import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerApi } from './api/answer.ts';
import { exchange, type Reply } from './exchange.ts';
import { parseJson, record } from './json.ts';
import type { Refusal } from './refusal.ts';
import type { Context } from './setup.ts';

const API = /^(?:\/(\d+))?\/api\/(.*)$/;
const UPLOAD = '/upload/';
const DOWNLOAD = '/files/';
const RESPONSE_URL = /^\/(commands|actions)\//;

/** The HTTP server: the Web API, the response URLs, and the upgrades to WebSockets. */
export function slackServer(context: Context): Server {
  const server = createServer((request, response) => {
    route(request, response, context).catch((error: unknown) => {
      context.journal.breach(`the emulator itself failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => context.sockets.upgrade(request, socket, head));
  return server;
}

async function route(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://slack');
  const body = await read(request);
  const [isApi, caller, method = ''] = API.exec(pathname) ?? [];
  if (isApi) {
    const call = { method, caller: context.sender.caller(caller) };
    await answerApi(call, request, body.toString('utf8'), response, context);
  } else if (RESPONSE_URL.test(pathname)) {
    await answerResponseUrl(pathname, body.toString('utf8'), response, context);
  } else if (pathname.startsWith(UPLOAD)) {
    await answerUpload(pathname, body, response, context);
  } else if (pathname.startsWith(DOWNLOAD) && request.method === 'GET') {
    answerDownload(pathname, response, context);
  } else {
    context.journal.breach(`no such address: ${request.method} ${pathname}`);
    response.writeHead(404).end();
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Receives the bytes of an upload; the journal records it as a call of `upload_url`. */
async function answerUpload(
  path: string,
  body: Buffer,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const call = { method: 'upload_url', args: { bytes: body.length }, caller: context.sender.caller() };
  const take = (): Reply => ({ status: 200, body: context.files.receive(path, body) });
  const refused = ({ code }: Refusal): Reply => ({ status: 404, body: code });
  await exchange(call, response, context, () => context.journal.during('upload', take, refused));
}

/** Serves a file to everybody. Slack would require a session, but the emulator only listens on this machine. */
function answerDownload(path: string, response: ServerResponse, { files }: Context): void {
  const [, , id = '', name = ''] = path.split('/');
  const content = files.contentOf(id);
  if (content === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${name}`,
  });
  response.end(content);
}

const GONE = new Set(['no_service', 'used_url', 'expired_url']);

/** Answers one post to a response URL. */
async function answerResponseUrl(
  path: string,
  body: string,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const parsed = parseJson(body);
  const call = { method: 'response_url', args: record(parsed), caller: context.sender.caller() };
  await exchange(call, response, context, () => replyAt(path, parsed, context));
}

function replyAt(path: string, body: unknown, { journal, responseUrls }: Context): Reply {
  return journal.during(
    'response_url',
    () => ({ status: 200, body: responseUrls.take(path, body) }),
    ({ code, details }) => {
      const isGone = GONE.has(code);
      const status = isGone || code === 'message_not_found' ? 404 : 400;
      return { status, body: isGone ? code : { ok: false, error: code, ...details } };
    },
  );
}
