import { checkContent } from '../content.ts';
import { type Json, records, string } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { threadOf, writableChannel } from './access.ts';

/** files.getUploadURLExternal */
export function getUploadUrl(args: Json, context: Context): Json {
  const length = Number(args.length);
  const filename = string(args.filename);
  if (filename === '' || !Number.isInteger(length) || length < 1) {
    throw new Refusal('invalid_arguments', `filename ${filename}, length ${String(args.length)}`);
  }
  const { id, url } = context.files.reserve(filename, length);
  return { upload_url: url, file_id: id };
}

/** files.completeUploadExternal: shows the files in a message of the bot. */
export function completeUpload(args: Json, context: Context): Json {
  const channel = writableChannel(context, args.channel_id);
  // Unlike a message, a file can only be shared where the bot is a member.
  if (!channel.members.has(TEAM.botUser)) throw Refusal.ofTheWorld('not_in_channel');
  const threadTs = threadOf(context, channel, args);
  const { initial_comment: comment } = args;
  const text = comment === undefined ? '' : checkContent({ text: comment }, context).text;
  const files = records(args.files).map(({ id, title }) => context.files.complete(string(id), string(title)));
  if (files.length === 0) throw new Refusal('invalid_arguments', 'no files');
  context.workspace.post({ channel: channel.id, user: TEAM.botUser, text, threadTs, extras: { files } });
  return { files: files.map(({ id, title }) => ({ id, title })) };
}
