import type { Message } from '../blocks.ts';
import { richText, words } from '../blocks.ts';

/** Above an export in the bot's direct messages: why it is there. `what`: `12 hits of snapshot 26808463`. */
export function exportElsewhereMessage(what: string): Message {
  const sentence = `Here is the export that you asked for: ${what}. The bot can’t upload files where you asked.`;
  return { text: sentence, blocks: [richText([words(sentence)])] };
}

/** For the eyes of who asked, in the place where they asked. */
export const EXPORT_IS_IN_DM =
  'The bot can’t upload files here, so it has sent you the export as a direct message.';
export const EXPORT_NEEDS_SCOPE =
  'The bot may not upload files in this workspace. Whoever installed it can allow it: the permission is called files:write.';
export const EXPORT_FAILED = 'Slack did not take the file. Try again in a minute.';
