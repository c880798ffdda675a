import { expect, test } from 'vitest';
import { onOneServer, onReplicas } from '../../../src/storage/redis/durable-write.ts';

/** A Redis that says how many replicas it has, and how many of them have what was written. */
function redisWith(replicas: number, confirmed: unknown) {
  const asked: string[][] = [];
  const state = { confirmed };
  const connection = {
    socketEpoch: 1,
    sendCommand: async (words: string[]) => {
      asked.push(words);
      return words[0] === 'ROLE'
        ? ['master', 0, Array.from({ length: replicas }, () => [])]
        : state.confirmed;
    },
  };
  return { connection, asked, state };
}

const write = async () => 'written';

test('On a single server a write needs no confirmation', async () => {
  const { connection, asked } = redisWith(0, 0);
  expect(await onOneServer(connection, write)).toBe('written');
  expect(asked).toEqual([]);
});

test.for([1, 2])('A write that %i replicas have is confirmed on the connection that wrote', async (count) => {
  const { connection, asked } = redisWith(2, count);
  expect(await onReplicas(() => false)(connection, write)).toBe('written');
  expect(asked).toEqual([['WAIT', '1', '800']]);
});

test.for([0, undefined, 'ERR'])('A write of which Redis says %j is refused', async (count) => {
  const { connection } = redisWith(1, count);
  await expect(onReplicas(() => false)(connection, write)).rejects.toThrow('no replica of Redis');
});

test('A write that fails is not confirmed', async () => {
  const { connection, asked } = redisWith(1, 1);
  const failing = onReplicas(() => false)(connection, () => Promise.reject(new Error('full')));
  await expect(failing).rejects.toThrow('full');
  expect(asked).toEqual([]);
});

test('Where nobody could take over, a server that has no replicas now is enough', async () => {
  const alone = redisWith(0, 0);
  expect(await onReplicas(() => true)(alone.connection, write)).toBe('written');
  expect(alone.asked).toEqual([['ROLE']]);
  const joined = redisWith(1, 0);
  await expect(onReplicas(() => true)(joined.connection, write)).rejects.toThrow('no replica of Redis');
  const unsaid = { socketEpoch: 1, sendCommand: async () => 'ERR' };
  expect(await onReplicas(() => true)(unsaid, write)).toBe('written');
});

test('A write before the socket was replaced is refused, whatever Redis says of the new one', async () => {
  const { connection } = redisWith(1, 1);
  const writing = async () => {
    connection.socketEpoch += 1;
  };
  await expect(onReplicas(() => false)(connection, writing)).rejects.toThrow('was lost during the write');
});

test('Writes that wait for a confirmation share one that is asked for after all of them', async () => {
  const { connection, asked, state } = redisWith(1, 1);
  const durably = onReplicas(() => false);
  let writes = 0;
  const seen: number[] = [];
  const { sendCommand } = connection;
  connection.sendCommand = async (words) => {
    seen.push(writes);
    return sendCommand(words);
  };
  const count = async () => {
    writes += 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => durably(connection, count)));
  expect([asked.length, seen]).toEqual([1, [5]]);
  // A refusal is for those who waited for it: the next one is asked anew.
  state.confirmed = 0;
  await expect(durably(connection, count)).rejects.toThrow('no replica of Redis');
  state.confirmed = 1;
  await durably(connection, count);
  expect(asked).toHaveLength(3);
});

test('A write that comes while a confirmation is under way waits for the next one', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let asked = 0;
  const connection = {
    socketEpoch: 1,
    sendCommand: async () => {
      asked += 1;
      return answers[asked - 1]?.promise;
    },
  };
  const durably = onReplicas(() => false);
  const first = durably(connection, write);
  await expect.poll(() => asked).toBe(1);
  const second = durably(connection, write);
  const third = durably(connection, write);
  answers[0]?.resolve(0);
  await expect(first).rejects.toThrow('no replica of Redis');
  await expect.poll(() => asked).toBe(2);
  answers[1]?.resolve(1);
  expect(await Promise.all([second, third])).toEqual(['written', 'written']);
  expect(asked).toBe(2);
});

test('Each connection is asked for what it wrote itself', async () => {
  const [one, other] = [redisWith(1, 1), redisWith(1, 0)];
  const durably = onReplicas(() => false);
  await durably(one.connection, write);
  await expect(durably(other.connection, write)).rejects.toThrow('no replica of Redis');
  expect([one.asked.length, other.asked.length]).toEqual([1, 1]);
});
