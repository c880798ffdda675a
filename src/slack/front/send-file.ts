import { request } from 'undici';
import { type Message, notice } from '../blocks/blocks.ts';
import { codeOf, isOfSlack, isRefused, meaningOf } from '../delivery/slack-errors.ts';
import type { ListenerContext } from './context.ts';
import type { Interaction } from './interaction.ts';

/** A text file. */
type TextFile = { readonly name: string; readonly title: string; readonly content: string };
/** A file, and what it is in mrkdwn: only the bot's own words and ids. `12 hits of snapshot 26808463`. */
export type Export = { readonly file: TextFile; readonly comment: string };

/** Where a file goes: to the readers of the message, or to one person. */
type SendTo = 'thread' | 'direct message';

const IS_IN_DM = 'I can’t upload files here, so I sent you the export as a direct message.';
const FAILED = 'Slack refused the file. Try again in a minute.';
const UNSURE =
  'Slack didn’t say whether it took the file: look in the thread and in our direct messages before you export it again.';

/** Before an export in the bot's direct messages: why it is there. */
function exportElsewhereMessage(what: string): Message {
  return notice(`Here is your export: ${what}. I can’t upload files where you asked for it.`);
}

/** Before a text that no field of a modal holds, in the bot's direct messages. */
function longTextMessage(what: string): Message {
  return notice(`${what}, as a file because it is too long for a Slack form.`);
}

/**
 * Uploads a file to the thread of the message that is used, else to a direct message, or to that at once. Tells what came
 * of it to the person who used the control, unless the file is where it was sent.
 */
export async function sendFile(press: Interaction, made: Export, sendTo: SendTo = 'thread'): Promise<void> {
  await press.once(press.user, async () => {
    const { outcome, notice } = await upload(press, made, sendTo);
    press.audit('exported', press.state, outcome);
    if (outcome !== `in ${sendTo}`) await press.tell(notice);
    return outcome !== 'failed';
  });
}

/** How the audit calls what came of it, and what the person is told. */
type Outcome = { readonly outcome: string; readonly notice: string };

async function upload(press: Interaction, { file, comment }: Export, sendTo: SendTo): Promise<Outcome> {
  const { user, context } = press;
  try {
    if (sendTo === 'thread' && (await uploadToThread(press, file, `${comment}, exported by <@${user}>`)))
      return { outcome: 'in thread', notice: '' };
    const above = sendTo === 'thread' ? exportElsewhereMessage(comment) : longTextMessage(comment);
    const show = await putFile(file, context);
    // Files are shown in a conversation, not to a person: only this answer names that of the two.
    const { channel } = await context.poster.post({ channel: user }, above, 'final');
    await show({ channel_id: channel });
    return { outcome: 'in direct message', notice: IS_IN_DM };
  } catch (error) {
    context.logger.warn({ err: error }, 'an export could not be uploaded');
    if (isMissingScope(error)) return { outcome: 'failed', notice: needsScope(context.operator.contact) };
    const isUnsure = isOfSlack(error) && meaningOf(error) === 'failed';
    return isUnsure ? { outcome: 'unsure', notice: UNSURE } : { outcome: 'failed', notice: FAILED };
  }
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
    if (!isRefused(error) || isMissingScope(error)) throw error;
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

/** Where the app was installed without the scope `files:write`. */
function needsScope(contact: string): string {
  return `I’m not allowed to upload files. Ask ${contact} to add the files:write permission.`;
}

function isMissingScope(error: unknown): boolean {
  return codeOf(error) === 'missing_scope';
}
