import { request } from 'undici';
import { notice } from '../blocks/blocks.ts';
import { isRefused } from '../delivery/slack-errors.ts';
import type { ListenerContext } from './context.ts';
import type { Interaction } from './interaction.ts';

/** A text file. */
type TextFile = { readonly name: string; readonly title: string; readonly content: string };
/** A file, and what it is in mrkdwn: only the bot's own words and ids. `12 hits of snapshot 26808463`. */
export type Export = { readonly file: TextFile; readonly comment: string };

/** Where a file goes: to the readers of the message, or to one person. */
type SendTo = 'thread' | 'direct message';

const IS_IN_DM = 'I can’t upload files here, so I sent you the export as a direct message.';
const failed = (contact: string) =>
  `Slack didn’t confirm the file: look in the thread and in our direct messages before you try again. If it never arrives, ask ${contact} to add the files:write permission.`;

/**
 * Uploads a file to the thread of the message that is used, else to a direct message, or to that at once. Tells what came
 * of it to the person who used the control, unless the file is where it was sent.
 */
export async function sendFile(press: Interaction, made: Export, sendTo: SendTo = 'thread'): Promise<void> {
  const { user, context } = press;
  await press.once(user, async () => {
    const outcome = await upload(press, made, sendTo).catch((error: unknown) => {
      context.logger.warn({ err: error }, 'an export could not be uploaded');
      return undefined;
    });
    press.audit('exported', press.state, outcome === undefined ? 'failed' : `in ${outcome}`);
    if (outcome === undefined) await press.tell(failed(context.operator.contact));
    else if (outcome !== sendTo) await press.tell(IS_IN_DM);
    return outcome !== undefined;
  });
}

async function upload(press: Interaction, { file, comment }: Export, sendTo: SendTo): Promise<SendTo> {
  const { user, context } = press;
  if (sendTo === 'thread' && (await uploadToThread(press, file, `${comment}, exported by <@${user}>`)))
    return 'thread';
  const show = await putFile(file, context);
  // A file needs the id of a conversation: only this answer names that of the direct message.
  const above = notice(`Here is your file: ${comment}.`);
  const { channel } = await context.poster.post({ channel: user }, above, 'final');
  await show({ channel_id: channel });
  return 'direct message';
}

/** False if the bot cannot upload to that conversation. */
async function uploadToThread(
  { origin, context }: Interaction,
  file: TextFile,
  initial_comment: string,
): Promise<boolean> {
  const { channel, messageTs, threadTs = messageTs } = origin;
  // A private message has no thread.
  if (messageTs === undefined || threadTs === undefined) return false;
  const show = await putFile(file, context);
  try {
    await show({ channel_id: channel, thread_ts: threadTs, initial_comment });
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    context.logger.info({ err: error }, 'an export goes to a direct message');
    return false;
  }
}

const TIMEOUT_MS = 30_000;
type Context = Pick<ListenerContext, 'client' | 'dispatcher'> & {
  readonly slack: Pick<ListenerContext['slack'], 'checkHost'>;
};

/**
 * Uploads a file (https://docs.slack.dev/messaging/working-with-files#uploading_files), and gives what shows it: nobody
 * sees it before that. In single steps, because the client's own `filesUploadV2` logs the whole file at level debug.
 * Throws what Slack's client throws, and an error where Slack refuses the bytes.
 */
async function putFile(
  { name, title, content }: TextFile,
  { client, dispatcher, slack: { checkHost } }: Context,
) {
  const bytes = Buffer.from(content);
  const announced = await client.files.getUploadURLExternal({ filename: name, length: bytes.length });
  const { upload_url: url = '', file_id: id = '' } = announced;
  checkHost(url);
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the upload address of Slack answered ${statusCode}`);
  return (where: {
    readonly channel_id: string;
    readonly thread_ts?: string;
    readonly initial_comment?: string;
  }) => client.files.completeUploadExternal({ files: [{ id, title }], ...where });
}
