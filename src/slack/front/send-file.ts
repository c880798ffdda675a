import { request } from 'undici';
import { notice } from '../blocks/blocks.ts';
import { isRefused } from '../delivery/slack-errors.ts';
import type { ListenerContext } from './context.ts';
import type { Interaction } from './interaction.ts';

/** A text file. `comment`: mrkdwn that describes it, such as `12 hits of snapshot 26808463`, without text from outside. */
export type TextFile = { readonly name: string; readonly content: string; readonly comment: string };

/** Where a file is uploaded to. */
type Place = 'thread' | 'direct message';

const TIMEOUT_MS = 30_000;
const IS_IN_DM = 'I can’t upload files here, so I sent you the export as a direct message.';
const failed = (contact: string) =>
  `Slack didn’t confirm the file: look in the thread and in our direct messages before you try again. If it never arrives, ask ${contact} to add the files:write permission.`;

/**
 * Uploads a file to the thread of the message, or to a direct message if the thread can't be used or `to` says so.
 * Tells the person who asked for the file if the upload failed or went elsewhere.
 */
export async function sendFile(press: Interaction, file: TextFile, to: Place = 'thread'): Promise<void> {
  const { user, context } = press;
  await press.once(user, async () => {
    const place = await upload(press, file, to).catch((error: unknown) => {
      context.logger.warn({ err: error }, 'an export could not be uploaded');
      return undefined;
    });
    press.audit('exported', press.state, place === undefined ? 'failed' : `in ${place}`);
    if (place === undefined) await press.tell(failed(context.operator.contact));
    else if (place !== to) await press.tell(IS_IN_DM);
    return place !== undefined;
  });
}

async function upload({ user, origin, context }: Interaction, file: TextFile, to: Place): Promise<Place> {
  const { client, poster, logger } = context;
  const { channel: channel_id, messageTs, threadTs: thread_ts = messageTs } = origin;
  // An ephemeral message has no thread.
  if (to === 'thread' && messageTs !== undefined && thread_ts !== undefined) {
    try {
      const initial_comment = `${file.comment}, exported by <@${user}>`;
      const put = await putFile(file, context);
      await client.files.completeUploadExternal({ files: [put], channel_id, thread_ts, initial_comment });
      return 'thread';
    } catch (error) {
      if (!isRefused(error)) throw error;
      logger.info({ err: error }, 'an export goes to a direct message');
    }
  }
  const put = await putFile(file, context);
  // An upload needs the id of the direct message's channel, which only the answer to a post contains.
  const { channel } = await poster.post(
    { channel: user },
    notice(`Here is your file: ${file.comment}.`),
    'final',
  );
  await client.files.completeUploadExternal({ files: [put], channel_id: channel });
  return 'direct message';
}

/**
 * Uploads a file without sharing it (https://docs.slack.dev/messaging/working-with-files#uploading_files); returns its
 * id and title. The client's `filesUploadV2` would write the whole file to the debug log. Throws the errors of Slack's
 * client, and an error if Slack refuses the upload.
 */
async function putFile({ name, content }: TextFile, { client, dispatcher, slack }: ListenerContext) {
  const bytes = Buffer.from(content);
  const announced = await client.files.getUploadURLExternal({ filename: name, length: bytes.length });
  const { upload_url: url = '', file_id: id = '' } = announced;
  slack.checkHost(url);
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the upload address of Slack answered ${statusCode}`);
  return { id, title: name };
}
