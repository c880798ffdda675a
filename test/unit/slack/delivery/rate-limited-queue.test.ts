import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  Congested,
  RateLimitedQueue,
  type Urgency,
} from '../../../../src/slack/delivery/rate-limited-queue.ts';

const limited = (seconds: number) => new webApi.WebAPIRateLimitedError(seconds);

/** Calls that end when they are told to. */
function held() {
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const call = (name: string) => async () => {
    begun.push(name);
    await promise;
    return name;
  };
  return { begun, call, end: resolve };
}

const turned = () => new Promise((done) => setImmediate(done));

test('Four calls of a lane run at once, and another lane does not wait for them', async () => {
  const queue = new RateLimitedQueue();
  const { begun, call, end } = held();
  const sent = Array.from({ length: 6 }, (_, index) => queue.send('a', 'final', call(`a${index}`)));
  sent.push(queue.send('b', 'final', call('b')));
  await turned();
  expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'b']);
  end();
  expect(await Promise.all(sent)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b']);
});

test('A call that has ended makes room for one, not for a lane of its own', async () => {
  const queue = new RateLimitedQueue();
  const { begun, call, end } = held();
  const sent = Array.from({ length: 3 }, (_, index) => queue.send('a', 'final', call(`first${index}`)));
  expect(await queue.send('a', 'final', async () => 'quick')).toBe('quick');
  for (let index = 0; index < 3; index += 1) sent.push(queue.send('a', 'final', call(`next${index}`)));
  await turned();
  expect(begun).toEqual(['first0', 'first1', 'first2', 'next0']);
  end();
  await Promise.all(sent);
});

test('Final messages go before progress, and progress that would come too late is left out', async () => {
  const queue = new RateLimitedQueue();
  const { begun, call, end } = held();
  const running = Array.from({ length: 4 }, (_, index) => queue.send('a', 'final', call(`run${index}`)));
  const progress = Array.from({ length: 20 }, (_, index) =>
    queue.send('a', 'progress', call(`progress${index}`)),
  );
  await expect(queue.send('a', 'progress', call('late'))).rejects.toThrow('slow down');
  const last = queue.send('a', 'final', call('final'));
  end();
  await Promise.all([...running, ...progress, last]);
  expect(begun[4]).toBe('final');
  expect(begun).not.toContain('late');
  expect(begun).toHaveLength(25);
});

describe('A 429', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** A call that Slack limits the first time, for so long. */
  function limitedOnce(seconds: number) {
    const calls: string[] = [];
    const call = async () => {
      calls.push('called');
      if (calls.length === 1) throw limited(seconds);
      return 'sent';
    };
    return { calls, call };
  }

  test('stops its lane for as long as it says: final messages wait, progress is left out at once', async () => {
    const queue = new RateLimitedQueue();
    const { calls, call } = limitedOnce(7);
    const { begun, call: another, end } = held();
    const first = queue.send('a', 'final', call);
    await turned();
    const others = Array.from({ length: 3 }, (_, index) =>
      queue.send('a', 'final', another(`final${index}`)),
    );
    await expect(queue.send('a', 'progress', another('progress'))).rejects.toThrow('slow down');
    expect(await queue.send('b', 'progress', async () => 'other lane')).toBe('other lane');
    await vi.advanceTimersByTimeAsync(6_999);
    expect([calls.length, begun]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    // All that the lane may do at once begins again.
    expect([calls.length, begun]).toEqual([2, ['final0', 'final1', 'final2']]);
    end();
    expect(await first).toBe('sent');
    await Promise.all(others);
    expect(await queue.send('a', 'progress', async () => 'on')).toBe('on');
  });

  test('takes nobody’s place: what it stopped goes before all that came later', async () => {
    const queue = new RateLimitedQueue();
    const { call } = limitedOnce(7);
    const { begun, call: another, end } = held();
    const first = queue.send('a', 'final', () => {
      begun.push('first');
      return call();
    });
    const crowd = Array.from({ length: 20 }, (_, index) => queue.send('a', 'final', another(`${index}`)));
    await turned();
    end();
    await vi.advanceTimersByTimeAsync(7_000);
    await Promise.all([first, ...crowd]);
    expect(begun.slice(0, 5)).toEqual(['first', '0', '1', '2', 'first']);
  });

  test('to progress leaves that progress out', async () => {
    const queue = new RateLimitedQueue();
    const { calls, call } = limitedOnce(7);
    await expect(queue.send('a', 'progress', call)).rejects.toBeInstanceOf(Congested);
    expect(calls).toHaveLength(1);
  });

  test('leaves out progress that was waiting already, also after the pause; final messages are sent', async () => {
    const queue = new RateLimitedQueue();
    const { promise, reject } = Promise.withResolvers<string>();
    let isFirst = true;
    const call = async () => {
      if (!isFirst) return 'sent';
      isFirst = false;
      return promise;
    };
    const { begun, call: running, end } = held();
    const sent: Promise<unknown>[] = [queue.send('a', 'final', call)];
    for (let index = 0; index < 3; index += 1) sent.push(queue.send('a', 'final', running(`run${index}`)));
    await turned();
    const waiting = (urgency: Urgency) => queue.send('a', urgency, running(urgency));
    const [progress, last] = [waiting('progress').catch((error: unknown) => error), waiting('final')];
    reject(limited(7));
    await turned();
    // There is room for one, but it has to wait for as long as Slack says.
    expect(begun).toEqual(['run0', 'run1', 'run2']);
    end();
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await progress).toBeInstanceOf(Congested);
    expect([await last, await sent[0]]).toEqual(['final', 'sent']);
    await Promise.all(sent);
    expect(begun).toEqual(['run0', 'run1', 'run2', 'final']);
  });

  test('that names a time out of reach is obeyed for an hour', async () => {
    const queue = new RateLimitedQueue();
    const { calls, call } = limitedOnce(31 * 365 * 86_400);
    const first = queue.send('a', 'final', call);
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(2);
    expect(await first).toBe('sent');
  });
});

test('What a call throws is thrown, and the lane goes on', async () => {
  const queue = new RateLimitedQueue();
  for (let index = 0; index < 5; index += 1) {
    await expect(queue.send('a', 'final', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  expect(await queue.send('a', 'progress', async () => 'on')).toBe('on');
});
