import { checkContent } from '../content.ts';
import { type Json, records, string } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { threadOf, writableChannel } from './access.ts';

/** files.getUploadURLExternal */
export function getUploadUrl(args: Json, context: Context): Json {
  const by = 'files.getUploadURLExternal';
  const length = Number(args.length);
  const filename = string(args.filename);
  if (filename === '' || !Number.isInteger(length) || length < 1) {
    throw new Refusal('invalid_arguments', `${by}: filename ${filename}, length ${String(args.length)}`);
  }
  const { id, url } = context.files.reserve(filename, length);
  return { upload_url: url, file_id: id };
}

/** files.completeUploadExternal: shows the files in a message of the bot, if a channel is given. */
export function completeUpload(args: Json, context: Context): Json {
  const by = 'files.completeUploadExternal';
  const files = records(args.files);
  if (files.length === 0) throw new Refusal('invalid_arguments', `${by}: no files`);
  const uploads = files.map(({ id, title }) => ({
    id: context.files.uploaded(string(id), by).id,
    title: string(title),
  }));
  // Unlike a message, a file goes only to where the bot is a member.
  const channel = args.channel_id === undefined ? undefined : writableChannel(context, args.channel_id, by);
  if (channel && !channel.members.has(TEAM.botUser)) throw Refusal.ofTheWorld('not_in_channel');
  const threadTs = channel && threadOf(context, channel, args, by);
  const rules = { workspace: context.workspace, journal: context.journal, by };
  const { initial_comment: comment } = args;
  const text = comment === undefined ? '' : checkContent({ text: comment, parse: 'none' }, rules).text;
  const shown = uploads.map(({ id, title }) => context.files.complete(id, title));
  if (channel) {
    const extras = { files: shown };
    context.workspace.post({ channel: channel.id, user: TEAM.botUser, text, threadTs, extras });
  }
  return { files: uploads };
}
