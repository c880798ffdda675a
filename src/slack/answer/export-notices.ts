import type { Message } from '../block-kit/blocks.ts';
import { richText, words } from '../block-kit/blocks.ts';

/** Above an export in the bot's direct messages: why it is there. `what`: `12 hits of snapshot 26808463`. */
export function exportElsewhereMessage(what: string): Message {
  const sentence = `Here is your export: ${what}. I can’t upload files where you asked for it.`;
  return { text: sentence, blocks: [richText([words(sentence)])] };
}

/**
 * Above a text that no field of a modal holds, in the bot's direct messages. `what`: `Text for the case of snapshot
 * 26808463`.
 */
export function longTextMessage(what: string): Message {
  const sentence = `${what}, as a file because it is too long for a Slack form.`;
  return { text: sentence, blocks: [richText([words(sentence)])] };
}

/** In the modal where the export was chosen. */
export const EXPORT_IS_IN_THREAD = 'The file is in the thread of the message.';

/** Private, in the conversation where the export was chosen. */
export const EXPORT_IS_IN_DM = 'I can’t upload files here, so I sent you the export as a direct message.';
/** Where the app was installed without the scope `files:write`. */
export function exportNeedsScope(contact: string): string {
  return `I’m not allowed to upload files. Ask ${contact} to add the files:write permission.`;
}
export const EXPORT_FAILED = 'Slack refused the file. Try again in a minute.';
export const EXPORT_UNSURE =
  'Slack didn’t say whether it took the file: look in the thread and in our direct messages before you export it again.';
