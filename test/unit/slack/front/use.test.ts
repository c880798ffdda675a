import { expect, test } from 'vitest';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { destinationOf, Use } from '../../../../src/slack/front/use.ts';
import { scriptedSlack } from '../../../support/scripted-slack.ts';

const NOW = 5_000;

const URL = 'https://hooks.slack.test/1';

function clicked(container: object, where: object = { channel: { id: 'C1', name: 'network' } }): Use {
  const body = { user: { id: 'U1' }, trigger_id: 'T1', ...where, container, response_url: URL };
  const { client } = scriptedSlack();
  return new Use({ client, body, action: { block_id: '' } }, { now: () => NOW } as ListenerContext);
}

test('A click in a thread belongs to that thread, which has replies; one on its first message to the channel', () => {
  const inThread = clicked({ message_ts: '2.2', thread_ts: '1.1' });
  expect(destinationOf(inThread)).toEqual({
    ...{ channel: 'C1', user: 'U1' },
    ...{ threadTs: '1.1', hasThread: true, messageTs: '2.2' },
  });
  const first = clicked({ message_ts: '1.1', thread_ts: '1.1' });
  expect(destinationOf(first)).toEqual({ channel: 'C1', user: 'U1', messageTs: '1.1' });
});

test('A private message has no name: it is replaced through the response URL of the click', () => {
  const { response, ...rest } = destinationOf(clicked({ message_ts: '2.2', is_ephemeral: true }));
  expect(rest).toEqual({ channel: 'C1', user: 'U1' });
  expect(response).toMatchObject({ url: URL, replaces: true });
  expect(response?.expiresAt).toBeGreaterThan(NOW);
});

test('Where the click names no conversation it is the person’s own', () => {
  expect(clicked({}, {}).origin.channel).toBe('U1');
});
