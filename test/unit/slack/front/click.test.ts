import { expect, test } from 'vitest';
import { destinationOf, originOf } from '../../../../src/slack/front/click.ts';

type Clicked = Parameters<typeof destinationOf>[0];

const URL = 'https://hooks.slack.test/1';

function clicked(container: object, where: object = { channel: { id: 'C1' } }): Clicked {
  return { body: { user: { id: 'U1' }, ...where, container, response_url: URL } } as unknown as Clicked;
}

test('A click in a thread belongs to that thread, which has replies; one on its first message to the channel', () => {
  const inThread = clicked({ message_ts: '2.2', thread_ts: '1.1' });
  expect(destinationOf(inThread, 0)).toEqual({
    ...{ channel: 'C1', user: 'U1' },
    ...{ threadTs: '1.1', hasThread: true, messageTs: '2.2' },
  });
  const first = clicked({ message_ts: '1.1', thread_ts: '1.1' });
  expect(destinationOf(first, 0)).toEqual({ channel: 'C1', user: 'U1', messageTs: '1.1' });
});

test('A private message has no name: it is replaced through the response URL of the click', () => {
  const { response, ...rest } = destinationOf(clicked({ message_ts: '2.2', is_ephemeral: true }), 5_000);
  expect(rest).toEqual({ channel: 'C1', user: 'U1' });
  expect(response).toMatchObject({ url: URL, replaces: true });
  expect(response?.expiresAt).toBeGreaterThan(5_000);
});

test('Where the click names no conversation it is the person’s own', () => {
  expect(originOf(clicked({}, {})).channel).toBe('U1');
});
