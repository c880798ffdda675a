import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BareBot, startBareBot } from '../testing/bare-bot.ts';

let bareBot: BareBot;
beforeEach(async () => {
  bareBot = await startBareBot();
});
afterEach(() => bareBot.close());

const CONTENT = '\ufeffa,b\r\n';
const LENGTH = Buffer.byteLength(CONTENT);

/** Uploads the bytes of a file, and returns its id. */
async function put(content = CONTENT): Promise<string> {
  const reserved = await bareBot.call('files.getUploadURLExternal', { filename: 'a.csv', length: LENGTH });
  const response = await fetch(String(reserved.upload_url), { method: 'POST', body: content });
  expect(await response.text()).toBe(`OK - ${Buffer.byteLength(content)}`);
  return String(reserved.file_id);
}

test.each([
  ['C0RANDOM', 'not_in_channel'],
  ['C0SECRET', 'channel_not_found'],
  ['C0OLDNEWS', 'is_archived'],
])('a file does not go to %s, where the bot can not write', async (channel_id, error) => {
  const files = [{ id: await put(), title: 'a' }];
  expect(await bareBot.call('files.completeUploadExternal', { files, channel_id })).toMatchObject({ error });
  expect(bareBot.slack.records.breaches).toEqual([]);
  // The file can still be shown in a channel where the bot can write.
  expect(await bareBot.call('files.completeUploadExternal', { files, channel_id: 'D0ANABOT' })).toMatchObject(
    {
      ok: true,
    },
  );
});

test('an upload is a breach if its bytes never come, are too few or go elsewhere, or if it is completed twice', async () => {
  const reserved = await bareBot.call('files.getUploadURLExternal', { filename: 'a.csv', length: LENGTH });
  const files = [{ id: reserved.file_id, title: 'a' }];
  expect(await bareBot.call('files.completeUploadExternal', { files })).toMatchObject({
    error: 'file_not_found',
  });
  const short = await put('a');
  const shortFiles = [{ id: short, title: 'a' }];
  expect(await bareBot.call('files.completeUploadExternal', { files: shortFiles })).toMatchObject({
    ok: true,
  });
  expect(await bareBot.call('files.completeUploadExternal', { files: shortFiles })).toMatchObject({
    error: 'file_already_completed',
  });
  expect(
    await fetch(`${bareBot.slack.apiUrl.replace('/api/', '')}/upload/v1/none`, { method: 'POST' }),
  ).toMatchObject({
    status: 404,
  });
  expect(bareBot.slack.records.breaches).toHaveLength(4);
});
