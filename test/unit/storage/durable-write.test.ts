import { expect, onTestFinished, test, vi } from 'vitest';
import { durablyOn } from '../../../src/storage/redis/redis-connection.ts';

/** A Redis that says how many replicas it has, and how many of them have what was written. */
function redisWith(replicas: number, confirmed: unknown) {
  const asked: string[] = [];
  const state = { replicas, confirmed, epoch: 1 };
  const connection = {
    epoch: () => state.epoch,
    send: async (...words: string[]) => {
      asked.push(words.join(' '));
      const role = ['master', 0, Array.from({ length: state.replicas }, () => [])];
      return words[0] === 'ROLE' ? role : state.confirmed;
    },
  };
  return { connection, durably: durablyOn(connection.epoch, connection.send), asked, state };
}

const write = async () => 'written';
const WAIT = 'WAIT 1 800';

test('Where there are no replicas a write needs no confirmation, and they are not asked for at each write', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(60_001);
  const { durably, asked } = redisWith(0, 0);
  expect(await durably(write)).toBe('written');
  vi.advanceTimersByTime(999);
  expect(await durably(write)).toBe('written');
  expect(asked).toEqual(['ROLE']);
  vi.advanceTimersByTime(1);
  await durably(write);
  expect(asked).toEqual(['ROLE', 'ROLE']);
});

test.for([1, 2])('A write that %i replicas have is confirmed on the connection that wrote', async (count) => {
  const { durably, asked } = redisWith(2, count);
  expect(await durably(write)).toBe('written');
  expect(asked).toEqual(['ROLE', WAIT]);
});

test.for([0, undefined, 'ERR'])('A write of which Redis says %j is refused', async (count) => {
  await expect(redisWith(1, count).durably(write)).rejects.toThrow('no replica of Redis');
});

test('A write that fails is not confirmed', async () => {
  const { durably, asked } = redisWith(1, 1);
  await expect(durably(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(asked).toEqual([]);
});

test('A write before the socket was replaced is refused, whatever Redis says of the new one', async () => {
  const { durably, state } = redisWith(1, 1);
  const writing = async () => {
    state.epoch += 1;
  };
  await expect(durably(writing)).rejects.toThrow('was lost during the write');
});

test('Writes that wait for a confirmation share one that is asked for after all of them', async () => {
  const { durably, asked, state } = redisWith(1, 1);
  let writes = 0;
  const count = async () => {
    writes += 1;
    asked.push('write');
  };
  await Promise.all(Array.from({ length: 5 }, () => durably(count)));
  expect(writes).toBe(5);
  expect(asked).toEqual([...Array(5).fill('write'), 'ROLE', WAIT]);
  // A refusal is for those who waited for it: the next one is asked anew.
  state.confirmed = 0;
  await expect(durably(count)).rejects.toThrow('no replica of Redis');
  state.confirmed = 1;
  await durably(count);
  expect(asked.filter((words) => words === WAIT)).toHaveLength(3);
});

test('A write that comes while a confirmation is under way waits for the next one', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let asked = 0;
  const send = async (word?: string) => {
    if (word === 'ROLE') return ['master', 0, [[]]];
    asked += 1;
    return answers[asked - 1]?.promise;
  };
  const durably = durablyOn(() => 1, send);
  const first = durably(write);
  await expect.poll(() => asked).toBe(1);
  const [second, third] = [durably(write), durably(write)];
  answers[0]?.resolve(0);
  await expect(first).rejects.toThrow('no replica of Redis');
  await expect.poll(() => asked).toBe(2);
  answers[1]?.resolve(1);
  expect(await Promise.all([second, third])).toEqual(['written', 'written']);
  expect(asked).toBe(2);
});

test('A server that has lost its replicas since may have been replaced: for a minute its word alone is not enough', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { durably, state } = redisWith(1, 1);
  await durably(write);
  Object.assign(state, { replicas: 0, confirmed: 0 });
  vi.advanceTimersByTime(60_000);
  await expect(durably(write)).rejects.toThrow('no replica of Redis');
  vi.advanceTimersByTime(1);
  expect(await durably(write)).toBe('written');
});
