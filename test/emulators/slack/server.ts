import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerApi } from './api/answer.ts';
import { answerDownload, answerUpload } from './file-server.ts';
import { answerResponseUrl } from './response-url-server.ts';
import type { Context } from './setup.ts';

const API = '/api/';
const UPLOAD = '/upload/';
const DOWNLOAD = '/files/';
const RESPONSE_URL = /^\/(commands|actions)\//;

/** The HTTP side: the Web API, the response URLs, and the upgrades to sockets. */
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
  if (pathname.startsWith(API)) {
    await answerApi(pathname.slice(API.length), request, body.toString('utf8'), response, context);
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
