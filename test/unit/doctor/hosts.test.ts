import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHosts } from '../../../src/doctor/service.ts';
import type { ProxySettings } from '../../../src/service/transport.ts';
import { startConnectProxy } from '../../support/connect-proxy.ts';
import { configOf } from '../../support/other-settings.ts';
import { trustedCertificates } from '../../support/trusted-certificates.ts';

const DAY_MS = 24 * 3_600_000;

async function listening(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function trustedHost(): Promise<number> {
  const { certPem, keyPem } = await trustedCertificates();
  return listening(createTlsServer({ cert: certPem, key: keyPem }));
}

type Changes = { proxies?: ProxySettings; timeoutMs?: number; now?: () => number };

/** What is found of the one host that all settings name. */
async function look(url: string, { proxies = {}, timeoutMs = 2_000, now = Date.now }: Changes = {}) {
  const { service } = configOf();
  const named = { ...service, baseUrl: url, authUrl: url, loginUrl: url };
  const [finding] = await checkHosts({ service: named, proxies }, timeoutMs, now);
  return finding ?? expect.fail('nothing was found');
}

describe('A host of the service', () => {
  test('that answers with a trusted certificate is fine, and says for how long', async () => {
    const port = await trustedHost();
    expect(await look(`https://127.0.0.1:${port}`)).toEqual({
      ...{ area: 'DIAGNOSTICS_BASE_URL', level: 'ok' },
      what: expect.stringMatching(
        new RegExp(`^127\\.0\\.0\\.1:${port} answers \\(TLSv1\\.\\d, certificate good for 36\\d days\\)$`),
      ),
    });
  });

  test('whose certificate ends within two weeks is a warning', async () => {
    const url = `https://127.0.0.1:${await trustedHost()}`;
    const { what } = await look(url);
    const days = Number(/good for (\d+) days/.exec(what)?.[1]);
    const levels = [days - 13, days - 14, days - 15].map(
      async (past) => (await look(url, { now: () => Date.now() + past * DAY_MS })).level,
    );
    expect(await Promise.all(levels)).toEqual(['warning', 'warning', 'ok']);
  });

  test('that takes connections and stays silent is not said to have a certificate that nobody trusts', async () => {
    const port = await listening(createServer());
    expect(await look(`https://127.0.0.1:${port}`, { timeoutMs: 50 })).toMatchObject({
      ...{ problem: 'host-connection', level: 'failure' },
      what: `no connection to 127.0.0.1:${port} (timeout)`,
    });
  });

  test('that does not speak TLS, or hangs up, is said to be that', async () => {
    const plain = await listening(createHttpServer((_request, response) => response.end()) as Server);
    const rude = await listening(createServer((socket) => socket.destroy()));
    for (const port of [plain, rude])
      expect(await look(`https://127.0.0.1:${port}`)).toMatchObject({
        problem: 'host-connection',
        what: expect.stringMatching(/no connection to 127\.0\.0\.1:\d+ \([A-Z_]+\)/),
      });
  });

  test('whose name is unknown is told with the setting to check', async () => {
    const { repair } = await look('https://no-such-host.invalid');
    expect(repair).toBe('check DIAGNOSTICS_BASE_URL and the name server');
  });

  test('is reached by its IPv6 address too', async () => {
    const { certPem, keyPem } = await trustedCertificates();
    const server = createTlsServer({ cert: certPem, key: keyPem });
    onTestFinished(() => void server.close());
    server.listen(0, '::1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await look(`https://[::1]:${port}`)).toMatchObject({ level: 'ok' });
  });
});

describe('Behind a proxy', () => {
  test('a host that NO_PROXY names is reached without it', async () => {
    const proxies = { httpsProxy: 'http://proxy.invalid', noProxy: '127.0.0.1' };
    const { what } = await look(`https://127.0.0.1:${await trustedHost()}`, { proxies });
    expect(what).toMatch(/answers \(/);
  });

  /** A proxy that answers as the listener says. */
  async function proxy(listener: RequestListener): Promise<string> {
    const server: HttpServer = createHttpServer();
    server.on('connect', (request, socket) => listener(request, socket as never));
    return `127.0.0.1:${await listening(server as unknown as Server)}`;
  }

  test('a host is reached through a tunnel to its port, which is 443 unless the address says otherwise', async () => {
    const { url, tunnels, refuseWith, close } = await startConnectProxy();
    onTestFinished(close);
    const port = await trustedHost();
    const proxies = { httpsProxy: url };
    expect((await look(`https://localhost:${port}`, { proxies })).what).toContain('answers (');
    refuseWith(502);
    expect(await look('https://localhost', { proxies })).toMatchObject({
      problem: 'host-connection',
      what: 'no connection to localhost (Proxy response (502) !== 200 when HTTP Tunneling)',
    });
    expect(tunnels).toEqual([`localhost:${port}`, 'localhost:443']);
  });

  test('the user and the password of its address are sent as they were before they were written as a URL', async () => {
    const logins: unknown[] = [];
    const address = await proxy(({ headers }, socket) => {
      logins.push(headers['proxy-authorization']);
      socket.end('HTTP/1.1 407 No\r\n\r\n');
    });
    for (const login of ['m%40e:p%2Fw@', ''])
      await look('https://localhost', { proxies: { httpsProxy: `http://${login}${address}` } });
    expect(logins).toEqual([`Basic ${Buffer.from('m@e:p/w').toString('base64')}`, undefined]);
  });

  test('one that stays silent, or whose name is unknown, is told as the proxy', async () => {
    const address = await proxy(() => {});
    expect(
      await look('https://localhost', { proxies: { httpsProxy: `http://${address}` }, timeoutMs: 50 }),
    ).toMatchObject({ what: 'no connection to localhost (timeout)' });
    expect(
      await look('https://localhost', { proxies: { httpsProxy: 'http://proxy.invalid' } }),
    ).toMatchObject({
      ...{ problem: 'host-name', repair: 'check HTTPS_PROXY and the name server' },
      what: expect.stringContaining('the host name of the proxy proxy.invalid'),
    });
  });
});
