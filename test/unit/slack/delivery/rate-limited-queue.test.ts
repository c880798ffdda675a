import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { RateLimitedQueue } from '../../../../src/slack/delivery/rate-limited-queue.ts';

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

test('A 429 stops its lane: final messages wait and are sent, progress is left out at once', async () => {
  const queue = new RateLimitedQueue();
  const calls: string[] = [];
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const first = queue.send('a', 'final', async () => {
    calls.push('first');
    if (calls.length > 1) return 'sent';
    resolve();
    throw limited(0.05);
  });
  await stopped;
  await turned();
  await expect(queue.send('a', 'progress', async () => calls.push('progress'))).rejects.toThrow('slow down');
  expect(calls).toEqual(['first']);
  expect(await queue.send('b', 'progress', async () => 'other lane')).toBe('other lane');
  expect(await first).toBe('sent');
  expect(calls).toEqual(['first', 'first']);
});

test('What a call throws is thrown, and the lane goes on', async () => {
  const queue = new RateLimitedQueue();
  await expect(queue.send('a', 'final', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.send('a', 'progress', async () => 'on')).toBe('on');
});
