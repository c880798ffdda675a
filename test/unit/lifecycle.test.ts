import { expect, test } from 'vitest';
import { lifecycle } from '../../src/app.ts';

type Parts = Parameters<typeof lifecycle>[0];

/** Parts that record their starts and stops, a moment after the call. */
function living(changes: object = {}) {
  const done: string[] = [];
  const does = (what: string) => async () => {
    await new Promise(setImmediate);
    done.push(what);
  };
  const part = (name: string) => ({ start: does(`start ${name}`), stop: does(`stop ${name}`) });
  const parts = {
    config: { port: 3000 },
    slack: { ...part('slack'), port: () => 3000 },
    lookups: part('lookups'),
    features: [{}, part('reminders')],
    storage: {
      jobs: { stop: does('stop jobs') },
      store: { close: does('close store') },
    },
    transport: { stop: does('stop requests'), close: does('close transport') },
    dispatcher: { destroy: does('close dispatcher') },
    observation: { server: { ...part('server'), port: () => 9090 } },
    tracing: part('tracing'),
    replicas: { start: () => void done.push('start replicas'), stop: does('stop replicas') },
    ...changes,
  };
  return { done, ...lifecycle(parts as unknown as Parts) };
}

test('The start serves health first, then goes on with what was open, and then listens to Slack', async () => {
  const { start, done, port, opsPort } = living();
  await start();
  expect(done).toEqual([
    ...['start server', 'start replicas', 'start lookups', 'start reminders', 'start slack'],
  ]);
  expect([port(), opsPort()]).toEqual([3000, 9090]);
});

test('Running steps get six seconds at a stop, of the ten that a signal leaves', async () => {
  const given: unknown[] = [];
  const jobs = { stop: async (ms: number) => void given.push(ms) };
  await living({ storage: { jobs, store: { close: async () => {} } } }).stop();
  expect(given).toEqual([6_000]);
});

test('A stop ends Slack’s deliveries first, then the steps of its queue, then what the steps need', async () => {
  const { stop, done } = living();
  await stop();
  expect(done).toEqual([
    ...['stop slack', 'stop jobs', 'stop requests', 'stop tracing', 'stop replicas'],
    ...['close transport', 'close dispatcher', 'close store', 'stop server'],
  ]);
});
