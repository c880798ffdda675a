import { describe, expect, test } from 'vitest';
import type { Destination, LookupRequest } from '../../../../src/core/lookup.ts';
import { WaitingMessages } from '../../../../src/slack/delivery/own-messages.ts';
import { acceptOrJoin } from '../../../../src/slack/front/accept.ts';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { aStore } from '../../../support/embedded.ts';
import { listening } from '../../../support/listening.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const ASKED = { question: { snapshotId: snapshotId('26808463'), set: 'all' } } as const;
const ONCE = { ...ASKED, delivery: 'one' };
const HERE: Destination = { channel: 'C1', user: 'U2' };
const URL = { url: 'https://hooks.slack.test/1', expiresAt: 9e15, replaces: false };

/** Somebody asks where a message of another person may wait for the same already. */
function asking({
  joins = 'joined' as Awaited<ReturnType<ListenerContext['join']>>,
  isForAll = true,
  isOpen = true,
  isFirst = true,
} = {}) {
  const accepted: LookupRequest[] = [];
  const waitingMessages = new WaitingMessages(aStore().namespace('waiting-messages'));
  const changes = {
    waitingMessages,
    access: { isForAll: async () => isForAll },
    join: async () => joins,
    lookups: {
      find: async () => (isOpen ? {} : undefined),
      accept: async (request: LookupRequest) => isFirst && accepted.push(request) > 0,
      isRepeated: async () => !isFirst,
      noteJoined: async () => isFirst,
    },
  };
  const { context, calls, of } = listening(() => {}, { changes });
  return {
    ...{ accepted, calls, posted: () => of('tell') },
    wait: () => waitingMessages.begin({ ...HERE, messageTs: '1.1' }, ASKED, 'first', 60_000),
    ask: (destination = HERE, more: object = {}) => acceptOrJoin({ ...ONCE, ...more, destination }, context),
  };
}

describe('Who asks for what a message waits for already', () => {
  test.each(['joined', 'full'] as const)('is pointed to it, and no lookup begins: %s', async (joins) => {
    const { wait, ask, accepted } = asking({ joins });
    await wait();
    expect(await ask()).toEqual({ channel: 'C1', ts: '1.1', lookupId: 'first' });
    expect(accepted).toEqual([]);
  });

  test('is answered by a lookup of their own where that one ends at this moment or is lost, or nothing waits', async () => {
    const late = asking({ joins: 'over' });
    await late.wait();
    const lost = asking({ isOpen: false });
    await lost.wait();
    const first = asking();
    for (const { ask, accepted } of [late, lost, first]) {
      expect(await ask()).toBeUndefined();
      expect(accepted).toEqual([{ ...ONCE, destination: HERE, askedBy: 'U2' }]);
    }
  });
});

test('Who watches a result from then on gets a message of their own for that, whatever waits', async () => {
  const { wait, ask, accepted } = asking();
  await wait();
  expect(await ask(HERE, { watch: true })).toBeUndefined();
  expect(accepted).toMatchObject([{ watch: true, askedBy: 'U2' }]);
});

test('What Slack delivers again begins nothing, and nothing is said, whether or not a message waits', async () => {
  const { wait, ask, accepted, posted, calls } = asking({ isFirst: false, isForAll: false });
  expect(await ask()).toBeUndefined();
  await wait();
  expect(await ask()).toBeUndefined();
  expect([accepted, posted(), calls]).toEqual([[], [], []]);
});

describe('Where another company reads along', () => {
  test('the answer comes directly, and that is said through the response URL: in a thread only where there is one', async () => {
    const { ask, accepted, posted } = asking({ isForAll: false });
    await ask({ ...HERE, threadTs: '1.1', hasThread: true, response: URL });
    await ask({ ...HERE, threadTs: '1.1', response: URL });
    expect(accepted.map(({ destination }) => destination)).toEqual(
      Array(2).fill({ channel: 'U2', user: 'U2' }),
    );
    expect(posted().map(([where]) => where)).toEqual([
      { responseUrl: URL.url, threadTs: '1.1' },
      { responseUrl: URL.url },
    ]);
  });

  test('or to the one person where there is no response URL', async () => {
    const { ask, calls } = asking({ isForAll: false });
    await ask({ ...HERE, threadTs: '1.1', hasThread: true });
    await ask({ ...HERE, threadTs: '1.1' });
    const [method, thread] = ['chat.postEphemeral', '1.1'];
    await expect
      .poll(() => calls.map((call) => [call.method, call.args.thread_ts]))
      .toEqual([
        [method, thread],
        [method, undefined],
      ]);
    expect(calls[0]?.args).toMatchObject({
      channel: 'C1',
      user: 'U2',
      text: expect.stringMatching(/direct/),
    });
  });
});
