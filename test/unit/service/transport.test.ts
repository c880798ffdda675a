import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { NotADocument, TooLarge, Unreachable } from '../../../src/core/faults.ts';
import { LeaseLost } from '../../../src/core/lease.ts';
import type { Question } from '../../../src/core/lookup.ts';
import {
  HTTP_TIMEOUTS,
  type HttpRequest,
  type ProxySettings,
  Transport,
} from '../../../src/service/transport.ts';
import { makeCertificates } from '../../emulators/certificates.ts';
import { startDiagnosticsService } from '../../emulators/diagnostics-service/service.ts';
import { eventually } from '../../support/eventually.ts';
import { test as sequential } from '../../support/service-world.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;
const MB = 1024 * 1024;

function question(id: string): Question {
  return { snapshotId: snapshotId(id), set: 'all' };
}

function get(address: string): HttpRequest {
  return {
    upstream: 'diagnostics service',
    method: 'GET',
    url: new URL(address),
    headers: {},
    mayStart: async () => {},
  };
}

describe('At once', () => {
  test('no more requests are sent than allowed, the others in their order, and a login before all', async ({
    open,
  }) => {
    const { service, client, transport } = await open({ concurrency: 2 });
    const releaseLogin = service.hold();
    const asked = Array.from({ length: 7 }, (_, index) =>
      client.diagnostics(question(`70${index}`)).catch(() => {}),
    );
    await eventually(() => expect(service.records.logins).toHaveLength(1));
    const release = service.hold();
    releaseLogin();
    await eventually(() => expect([service.records.requests.length, transport.waiting]).toEqual([2, 5]));
    release();
    await Promise.all(asked);
    expect(transport.waiting).toBe(0);
    const { requests } = service.records;
    expect(requests.map(({ id }) => id)).toEqual(Array.from({ length: 7 }, (_, index) => `70${index}`));
    for (const [index, { arrivedAt }] of requests.entries()) {
      const before = requests.slice(0, index).filter(({ answeredAt = Infinity }) => answeredAt > arrivedAt);
      expect(before.length).toBeLessThan(2);
    }
  });

  test('a login goes before requests that wait', async ({ open }) => {
    const { transport, service } = await open({ concurrency: 1 });
    const order: string[] = [];
    const send = (upstream: HttpRequest['upstream']) =>
      transport.send({ ...get(`${service.loginUrl}/x`), upstream }, () => void order.push(upstream));
    await Promise.all([send('diagnostics service'), send('diagnostics service'), send('login servers')]);
    expect(order).toEqual(['diagnostics service', 'login servers', 'diagnostics service']);
  });

  test('no more connections are open than allowed, and they are used again', async ({ open }) => {
    const { service, client } = await open({ concurrency: 3 });
    const asked = Array.from({ length: 12 }, (_, index) =>
      client.diagnostics(question(`70${index}`)).catch(() => {}),
    );
    await Promise.all(asked);
    expect(service.connections()).toBeLessThanOrEqual(3);
  });
});

describe('A request', () => {
  test('that may not be written once its connection is open is not written, and not counted', async ({
    open,
  }) => {
    const { transport, client, service, answers } = await open();
    const connections: number[] = [];
    const mayBeWritten = () => {
      connections.push(service.connections());
      throw new LeaseLost('asking');
    };
    await expect(
      transport.send({ ...get(`${service.baseUrl}/x`), mayBeWritten }, () => undefined),
    ).rejects.toThrow(LeaseLost);
    expect([connections, service.records.requests, answers]).toEqual([[1], [], []]);
    expect((await client.diagnostics(question('1012'))).kind).toBe('ready');
  });

  test('whose answer cannot be read frees its place', async ({ open }) => {
    const { transport, service } = await open({ concurrency: 1 });
    const failing = transport.send(get(`${service.loginUrl}/x`), () => Promise.reject(new Error('misread')));
    await expect(failing).rejects.toThrow('misread');
    expect(await transport.send(get(`${service.loginUrl}/x`), ({ status }) => status)).toBe(200);
  });

  test.for([
    ['https://localhost:1', 'connection'],
    ['https://nowhere.invalid', 'name'],
  ])('to %s is unreachable: %s', async ([address, reason], { open }) => {
    const { transport } = await open();
    await expect(transport.send(get(`${address}/x`), () => undefined)).rejects.toMatchObject({ reason });
  });

  test('to a host with an untrusted certificate is unreachable, and is not retried', async ({ open }) => {
    const { transport } = await open();
    const stranger = await startDiagnosticsService({ certificates: await makeCertificates() });
    const fault = await transport
      .send(get(`${stranger.baseUrl}/x`), () => undefined)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ reason: 'certificate', isTransient: false });
    expect(stranger.records.requests).toEqual([]);
    await stranger.close();
  });
});

test('A request with the shipped timeouts ends after two minutes, whatever happens', () => {
  expect(HTTP_TIMEOUTS).toEqual({
    connectMs: 10_000,
    headersMs: 30_000,
    bodyMs: 30_000,
    wholeMs: 120_000,
    awayMs: 10_000,
  });
});

describe('A proxy', () => {
  /** A proxy that refuses what it is asked, and where it was asked to connect to. */
  async function refusing() {
    const asked: string[] = [];
    const server = createServer();
    server.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    server.on('request', ({ url = '' }, response) => {
      asked.push(new URL(url).host);
      response.writeHead(403).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { asked, url: `http://127.0.0.1:${port}`, close: () => server.close() };
  }

  function through(proxies: ProxySettings) {
    const onAnswer = () => {};
    return new Transport({ proxies, timeouts: HTTP_TIMEOUTS, concurrency: 1, onAnswer });
  }

  test('is asked for the addresses that it is for', async () => {
    const proxy = await refusing();
    for (const [proxies, address, asked] of [
      [{ httpsProxy: proxy.url }, 'https://api.invalid/x', ['api.invalid:443']],
      [{ httpProxy: proxy.url }, 'http://api.invalid/x', ['api.invalid']],
      // Where only one is named, it is for everything.
      [{ httpProxy: proxy.url }, 'https://api.invalid/x', ['api.invalid:443']],
      [{ httpsProxy: proxy.url }, 'http://api.invalid/x', []],
      [{ httpsProxy: proxy.url, noProxy: 'api.invalid' }, 'https://api.invalid/x', []],
      [{ httpsProxy: proxy.url, noProxy: 'other.invalid' }, 'https://api.invalid/x', ['api.invalid:443']],
    ] as const) {
      proxy.asked.length = 0;
      const transport = through(proxies);
      await transport.send(get(address), () => undefined).catch(() => {});
      expect(proxy.asked.map((each) => each.replace(/:80$/, ''))).toEqual(asked);
      await transport.close();
    }
    proxy.close();
  });
});

test('A fault without an answer has its cause; after its end a transport sends nothing', async ({ open }) => {
  const { transport, service } = await open();
  await expect(transport.send(get('https://localhost:1/x'), () => undefined)).rejects.toMatchObject({
    cause: { code: 'ECONNREFUSED' },
  });
  await transport.close();
  await expect(transport.send(get(`${service.loginUrl}/x`), () => undefined)).rejects.toThrow(Unreachable);
});

describe('A body', () => {
  test('of 32 MB is read, and one that is a byte longer is not', async ({ open }) => {
    const { client, service, answers } = await open();
    const raw = (size: number) => ({ title: '', purpose: '', raw: { body: Buffer.alloc(size, ' ') } });
    service.shelve('801', raw(32 * MB));
    service.shelve('802', raw(32 * MB + 1));
    service.shelve('803', raw(MB));
    for (const [id, fault] of [
      ['801', NotADocument],
      ['802', TooLarge],
      ['803', NotADocument],
    ] as const) {
      await expect(client.diagnostics(question(id))).rejects.toThrow(fault);
    }
    expect(answers.slice(1)).toEqual([
      'diagnostics service 200',
      'diagnostics service none',
      'diagnostics service 200',
    ]);
  });
});
