import { EventEmitter } from 'node:events';
import type { Logger, SocketModeReceiver } from '@slack/bolt';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SocketSupervisor } from '../../../../src/slack/front/over-socket.ts';

/** Slack's end: each try to connect is taken, refused or left without a greeting, as a test says. */
function supervised(...answers: ('taken' | 'refused' | 'silent' | 'ended')[]) {
  const tries: string[] = [];
  const warnings: unknown[][] = [];
  const client = Object.assign(new EventEmitter(), {
    start: async () => {
      const answer = answers.shift() ?? 'taken';
      tries.push(answer);
      client.emit('authenticated');
      if (answer === 'refused') throw new Error('Slack refuses');
      // Slack's client rejects with nothing then.
      if (answer === 'ended') return Promise.reject();
      if (answer === 'silent') return new Promise<void>(() => {});
      client.emit('connected');
      return undefined;
    },
    disconnect: async () => {
      tries.push('closed');
      client.emit('disconnected');
    },
  });
  const receiver = {
    client,
    start: () => client.start(),
    stop: async () => void client.emit('disconnected'),
  } as unknown as SocketModeReceiver;
  const logger = { warn: (...words: unknown[]) => void warnings.push(words) } as unknown as Logger;
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const supervisor = new SocketSupervisor(receiver, logger, pause);
  onTestFinished(() => supervisor.stop());
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((turned) => setImmediate(turned));
  };
  return { supervisor, client, tries, warnings, pauses, until };
}

test('A connection that Slack ends is opened again at once', async () => {
  const { supervisor, client, tries, until } = supervised();
  expect(supervisor.isConnected).toBe(false);
  await supervisor.start();
  expect(supervisor.isConnected).toBe(true);
  client.emit('disconnected');
  expect(supervisor.isConnected).toBe(false);
  await until(() => supervisor.isConnected);
  expect(tries).toEqual(['taken', 'taken']);
});

test.each(['close', 'disconnecting'])('A connection counts as none from “%s” on', async (state) => {
  const { supervisor, client, tries } = supervised();
  await supervisor.start();
  client.emit(state);
  expect([supervisor.isConnected, tries.length]).toEqual([false, 1]);
});

test('A connection that can’t be opened is tried again, and each failure is logged', async () => {
  const { supervisor, client, tries, warnings, until } = supervised('taken', 'refused', 'taken');
  await supervisor.start();
  client.emit('disconnected');
  await until(() => supervisor.isConnected);
  expect(tries).toEqual(['taken', 'refused', 'taken']);
  expect(warnings).toHaveLength(1);
});

test('However often its end is reported, a connection is opened once', async () => {
  const { supervisor, client, tries, until } = supervised();
  await supervisor.start();
  for (let times = 0; times < 3; times += 1) client.emit('disconnected');
  await until(() => supervisor.isConnected);
  await new Promise((turned) => setImmediate(turned));
  expect(tries).toHaveLength(2);
});

test('The refusal of the first connection is thrown to the caller', async () => {
  const { supervisor, client, tries } = supervised('refused');
  await expect(supervisor.start()).rejects.toThrow('Slack refuses');
  client.emit('disconnected');
  await new Promise((turned) => setImmediate(turned));
  expect(tries).toEqual(['refused']);
});

test('A connection that ended while it was opened for the first time is opened again', async () => {
  const { supervisor, client, tries, until } = supervised();
  client.once('connected', () => void client.emit('disconnected'));
  await supervisor.start();
  await until(() => supervisor.isConnected);
  expect(tries).toEqual(['taken', 'taken']);
});

test('A first connection that ends before Slack’s greeting is no refusal, and is opened again', async () => {
  const { supervisor, tries, until } = supervised('ended', 'taken');
  await supervisor.start();
  await until(() => supervisor.isConnected);
  expect(tries).toEqual(['ended', 'taken']);
});

test('After a stop nothing is opened any more', async () => {
  const { supervisor, client, tries } = supervised();
  await supervisor.start();
  await supervisor.stop();
  client.emit('disconnected');
  await new Promise((turned) => setImmediate(turned));
  expect([supervisor.isConnected, tries.length]).toEqual([false, 1]);
});

/** Timers that a test moves on; the loop that opens connections runs between them. */
async function after(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

test('A connection that Slack leaves without a greeting for 15 seconds is closed, and another one is tried', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { supervisor, client, tries, until } = supervised('taken', 'silent', 'taken');
  await supervisor.start();
  client.emit('disconnected');
  await until(() => tries.length === 2);
  await after(14_900);
  expect(tries).toEqual(['taken', 'silent']);
  await after(200);
  vi.useRealTimers();
  await until(() => supervisor.isConnected);
  expect(tries).toEqual(['taken', 'silent', 'closed', 'taken']);
});

test('The first try comes at once, and the pauses between the others grow to half a minute and no further', async () => {
  const { supervisor, client, pauses, until } = supervised('taken', ...Array(10).fill('refused'));
  await supervisor.start();
  client.emit('disconnected');
  await until(() => supervisor.isConnected);
  expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});
