import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import { Stopping } from '../../../src/core/errors.ts';
import { Unreachable } from '../../../src/core/faults.ts';
import type { HttpRequest } from '../../../src/service/transport.ts';
import { eventually } from '../../support/eventually.ts';
import { test as sequential } from '../../support/service-world.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;

function get(address: string): HttpRequest {
  return {
    ...{ upstream: 'diagnostics service', method: 'GET', headers: {}, mayStart: async () => {} },
    url: new URL(address),
  };
}

/** A host that takes a connection, and never speaks TLS on it. */
async function silentHost(onTestFinished: (end: () => void) => void) {
  const host = createServer();
  await once(host.listen(0), 'listening');
  const connected: Promise<Socket[]> = once(host, 'connection');
  onTestFinished(async () => {
    for (const socket of await connected) socket.destroy();
    host.close();
  });
  const { port } = host.address() as AddressInfo;
  return { connected, address: `https://localhost:${port}/x` };
}

test('A request that is not on a connection yet ends as soon as the bot stops', async ({
  open,
  onTestFinished,
}) => {
  const { transport } = await open();
  const { connected, address } = await silentHost(onTestFinished);
  const sent = transport.send(get(address), () => {});
  await connected;
  transport.stop();
  await expect(sent).rejects.toThrow(Stopping);
});

test('A connection that does not open within its limit is none', async ({ open, onTestFinished }) => {
  const { transport } = await open({ timeouts: { connectMs: 20 } });
  const { address } = await silentHost(onTestFinished);
  await expect(transport.send(get(address), () => {})).rejects.toMatchObject({
    reason: 'timeout',
    cause: { message: expect.stringContaining('timeout: 20ms') },
  });
});

test('A request that is on a connection gets its answer though the bot stops, and no other is sent', async ({
  open,
}) => {
  const { transport, service } = await open();
  const { promise: written, resolve: mayBeWritten } = Promise.withResolvers<void>();
  const address = `${service.loginUrl}/x`;
  const sent = transport.send({ ...get(address), mayBeWritten }, ({ status }) => status);
  await written;
  transport.stop();
  await expect(transport.send(get(address), () => {})).rejects.toThrow(Stopping);
  expect(await sent).toBe(200);
});

test('A host that was reached and gave no answer is not away', async ({ open }) => {
  const { service, client } = await open({ timeouts: { awayMs: 0 } });
  service.nextAnswers(['reset']);
  expect((await client.diagnostics({ snapshotId: snapshotId('1012'), set: 'all' })).kind).toBe('ready');
});

test('A host that is away for long is tried by one request for all, and once it is back all are answered', async ({
  open,
  onTestFinished,
}) => {
  const { service, transport } = await open({ timeouts: { awayMs: 0 }, concurrency: 50 });
  const servicePort = Number(new URL(service.loginUrl).port);
  let isBack = false;
  let tries = 0;
  const host = createServer((socket) => {
    tries += 1;
    if (!isBack) return socket.destroy();
    const onwards = connect(servicePort, '127.0.0.1');
    for (const end of [socket.pipe(onwards), onwards.pipe(socket)]) end.on('error', () => {});
  });
  onTestFinished(() => void host.close());
  await once(host.listen(0), 'listening');
  const { port } = host.address() as AddressInfo;
  const send = () => transport.send(get(`https://localhost:${port}/x`), ({ status }) => status);
  const refused = { originalError: expect.any(Unreachable) };
  await expect(send()).rejects.toThrow(Unreachable);
  const during = await Promise.allSettled(Array.from({ length: 50 }, send));
  expect(during).toEqual(
    during.map(() => ({ status: 'rejected', reason: expect.objectContaining(refused) })),
  );
  expect(tries).toBe(1);
  isBack = true;
  await eventually(send);
  expect(tries).toBe(2);
  await Promise.all(Array.from({ length: 50 }, send));
});
