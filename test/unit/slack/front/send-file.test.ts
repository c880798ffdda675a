import { MockAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { putFile } from '../../../../src/slack/front/send-file.ts';
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
  const context = { client: slack.client, dispatcher: agent, slack: { checkHost } };
  return { ...slack, uploads, put: () => putFile(FILE, context) };
}

describe('A file', () => {
  test('is announced with its bytes, put where Slack says, and shown there with a comment', async () => {
    const checked: unknown[] = [];
    const { put, calls, uploads } = uploading(200, (address) => void checked.push(address));
    const show = await put();
    // Two bytes are one character.
    const args = { filename: 'hits.csv', length: '7' };
    expect(calls).toEqual([{ method: 'files.getUploadURLExternal', args }]);
    const headers = expect.objectContaining({ 'content-type': 'application/octet-stream' });
    expect(uploads).toEqual([[FILE.content, headers]]);
    expect(checked).toEqual([`${ORIGIN}/put`]);
    await show({ channel_id: 'C1', thread_ts: '1.1', initial_comment: 'For *you*' });
    expect(calls[1]).toEqual({
      method: 'files.completeUploadExternal',
      args: {
        files: [{ id: 'F1', title: 'Hits' }],
        initial_comment: 'For *you*',
        channel_id: 'C1',
        thread_ts: '1.1',
      },
    });
  });

  test('is put nowhere but at Slack', async () => {
    const { put, uploads } = uploading(200, () => {
      throw new Error('that is not Slack');
    });
    await expect(put()).rejects.toThrow('that is not Slack');
    expect(uploads).toEqual([]);
  });

  test.each([201, 403, 500])('whose bytes are not taken (%i) is not there', async (status) => {
    await expect(uploading(status).put()).rejects.toThrow(`the upload address of Slack answered ${status}`);
  });
});
