import type { ServerResponse } from 'node:http';
import { exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import type { Context } from './setup.ts';

/** Receives the bytes of one upload; the records list it as a call of `upload_url`. */
export async function answerUpload(
  path: string,
  body: Buffer,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  await exchange('upload_url', { bytes: body.length }, response, context, () => {
    try {
      return { status: 200, body: context.files.receive(path, body) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      context.journal.breach(error.breach ?? error.code);
      return { status: 404, body: error.code };
    }
  });
}

/** Serves a file to everybody. Slack would ask for a session; the emulator listens only on its own machine. */
export function answerDownload(path: string, response: ServerResponse, { files }: Context): void {
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
