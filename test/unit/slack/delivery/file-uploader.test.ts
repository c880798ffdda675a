import { MockAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { FileUploader } from '../../../../src/slack/delivery/file-uploader.ts';
import { scriptedSlack } from '../../../support/scripted-slack.ts';

const ORIGIN = 'https://files.slack.test';
const FILE = { name: 'hits.csv', title: 'Hits', content: 'name\nä' };

/** Slack that names an address for the bytes, and that address, which answers with this status. */
function uploading(status = 200, checkHost: (address: unknown) => void = () => {}) {
  const slack = scriptedSlack(({ method }) =>
    method === 'files.getUploadURLExternal' ? { upload_url: `${ORIGIN}/put`, file_id: 'F1' } : {},
  );
  const agent = new MockAgent();
  agent.disableNetConnect();
  const uploads: unknown[] = [];
  agent
    .get(ORIGIN)
    .intercept({ path: '/put', method: 'POST' })
    .reply(status, ({ body, headers }) => {
      uploads.push([String(body), headers]);
      return 'OK';
    });
  return { ...slack, uploads, files: new FileUploader(slack.client, agent, checkHost) };
}

describe('A file', () => {
  test('is announced with its bytes, put where Slack says, and has the id that Slack gives it', async () => {
    const checked: unknown[] = [];
    const { files, calls, uploads } = uploading(200, (address) => void checked.push(address));
    expect(await files.put(FILE)).toBe('F1');
    // Two bytes are one character.
    const args = { filename: 'hits.csv', length: '7' };
    expect(calls).toEqual([{ method: 'files.getUploadURLExternal', args }]);
    const headers = expect.objectContaining({ 'content-type': 'application/octet-stream' });
    expect(uploads).toEqual([[FILE.content, headers]]);
    expect(checked).toEqual([`${ORIGIN}/put`]);
  });

  test('is put nowhere but at Slack', async () => {
    const { files, uploads } = uploading(200, () => {
      throw new Error('that is not Slack');
    });
    await expect(files.put(FILE)).rejects.toThrow('that is not Slack');
    expect(uploads).toEqual([]);
  });

  test.each([201, 403, 500])('whose bytes are not taken (%i) is not there', async (status) => {
    await expect(uploading(status).files.put(FILE)).rejects.toThrow(
      `the upload address of Slack answered ${status}`,
    );
  });

  test('is shown in a conversation or in a thread, with a comment', async () => {
    const { files, calls } = uploading();
    await files.show('F1', FILE, { channel: 'C1' }, 'For *you*');
    await files.show('F1', FILE, { channel: 'C1', threadTs: '1.1' }, 'For *you*');
    const args = {
      files: [{ id: 'F1', title: 'Hits' }],
      initial_comment: 'For *you*',
      channel_id: 'C1',
    };
    const method = 'files.completeUploadExternal';
    expect(calls).toEqual([
      { method, args },
      { method, args: { ...args, thread_ts: '1.1' } },
    ]);
  });
});
