import type { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';
import type { CheckHost } from './slack-hosts.ts';

/** A text file. */
export type TextFile = { readonly name: string; readonly title: string; readonly content: string };

const TIMEOUT_MS = 30_000;

/** Slack refused the bytes of a file. */
class UploadFailed extends Error {
  constructor(status: number) {
    super(`the upload address of Slack answered ${status}`);
  }
}

/**
 * Uploads files (https://docs.slack.dev/messaging/working-with-files#uploading_files). In single steps, because the
 * client's own `filesUploadV2` logs the whole file at level debug.
 */
export class FileUploader {
  readonly #client: webApi.WebClient;
  readonly #dispatcher: Dispatcher;
  readonly #checkHost: CheckHost;

  constructor(client: webApi.WebClient, dispatcher: Dispatcher, checkHost: CheckHost) {
    this.#checkHost = checkHost;
    this.#client = client;
    this.#dispatcher = dispatcher;
  }

  /** Uploads the file; nobody sees it yet. Gives its id. Throws what Slack's client throws, and `UploadFailed`. */
  async put({ name, content }: TextFile): Promise<string> {
    const client = this.#client;
    const bytes = Buffer.from(content);
    const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({
      filename: name,
      length: bytes.length,
    });
    this.#checkHost(url);
    const { statusCode, body } = await request(url, {
      dispatcher: this.#dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await body.dump();
    if (statusCode !== 200) throw new UploadFailed(statusCode);
    return id;
  }

  /** Shares an uploaded file, with or without a comment in mrkdwn. Throws what Slack's client throws. */
  async show(
    id: string,
    { title }: TextFile,
    { channel, threadTs }: { readonly channel: string; readonly threadTs?: string },
    comment?: string,
  ): Promise<void> {
    const where =
      threadTs === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts: threadTs };
    const said = comment === undefined ? {} : { initial_comment: comment };
    await this.#client.files.completeUploadExternal({ files: [{ id, title }], ...said, ...where });
  }
}
