import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { LoginRefused, ServiceFailed } from '../../../src/core/faults.ts';
import { checkAudit, checkPorts } from '../../../src/doctor/examine.ts';
import { explainFault, plainText } from '../../../src/doctor/finding.ts';
import { checkEmbedded } from '../../../src/doctor/storage.ts';
import { SCHEMA_VERSION } from '../../../src/storage/sqlite/sqlite-file.ts';
import { freePort } from '../../support/free-port.ts';
import { configOf } from '../../support/other-settings.ts';

const MEBIBYTE = 1_024 * 1_024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-doctor-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

describe('The folder of the embedded store', () => {
  const levels = (free: number, path = folder) =>
    checkEmbedded(path, () => free).map(({ level, problem }) => problem ?? level);

  test.each([
    [10 * MEBIBYTE - 1, 'space-gone'],
    [10 * MEBIBYTE, 'space-little'],
    [200 * MEBIBYTE - 1, 'space-little'],
    [200 * MEBIBYTE, 'ok'],
  ])('with %d bytes free is %s', (free, level) => {
    expect(levels(free)[0]).toBe(level);
    expect(checkEmbedded(folder, () => free)[0]?.what).toContain(`${Math.floor(free / MEBIBYTE)} MB free`);
  });

  test.each([
    [0o700, 'ok'],
    [0o750, 'data-folder-open'],
    [0o701, 'data-folder-open'],
  ])('with the mode %o is %s', (mode, level) => {
    chmodSync(folder, mode);
    expect(levels(1e12)[1]).toBe(level);
  });

  test('that is still to be made is judged by where it will be: its space, and not who else can enter there', () => {
    chmodSync(folder, 0o755);
    const data = join(folder, 'to', 'come');
    expect(levels(1e12, data)).toEqual(['ok', 'ok']);
    expect(checkEmbedded(data, () => 1e12)[0]?.what).toContain(`${folder} is writable`);
    expect(existsSync(join(folder, 'to'))).toBe(false);
  });

  test('is tried, whatever its permissions say: /proc is root’s, and takes no file from root either', () => {
    const [found] = checkEmbedded('/proc/nope');
    expect(found).toMatchObject({ level: 'failure', problem: 'data-folder-unwritable' });
    expect(found?.what).toMatch(/^\/proc cannot be written to \(E\w+\)$/);
    expect(checkEmbedded(folder)).toHaveLength(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('may hold a file without a byte, as a start leaves it that found no space for more', () => {
    writeFileSync(join(folder, 'snapshot-bot.sqlite'), '');
    expect(levels(1e12).at(-1)).toBe('ok');
  });

  test.each([
    [0, /is a database$/],
    [SCHEMA_VERSION, /has state version \d+$/],
    [SCHEMA_VERSION + 1, /this release reads up to/],
  ])('may hold a file of the version %d', (version, what) => {
    const header = Buffer.alloc(100);
    header.write('SQLite format 3\0', 'latin1');
    header.writeUInt32BE(version, 60);
    writeFileSync(join(folder, 'snapshot-bot.sqlite'), header);
    const found = checkEmbedded(folder, () => 1e12).at(-1);
    expect(found?.what).toMatch(what);
    expect(found?.level).toBe(version > SCHEMA_VERSION ? 'failure' : 'ok');
  });
});

describe('The file of the audit', () => {
  const levels = (file: string | undefined) => checkAudit(file).map(({ level }) => level);

  test('is looked at without making it', () => {
    const file = join(folder, 'audit.jsonl');
    expect(levels(file)).toEqual(['ok']);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, 'a line\n');
    expect(levels(file)).toEqual(['ok']);
  });

  test('is one that nobody else can write to', () => {
    const file = join(folder, 'audit.jsonl');
    const problems = [0o600, 0o644, 0o620, 0o602].map((mode) => {
      writeFileSync(file, '');
      chmodSync(file, mode);
      return checkAudit(file).map(({ problem }) => problem);
    });
    expect(problems).toEqual([[undefined], [undefined], ['audit-file-open'], ['audit-file-open']]);
  });

  test('must not be a folder; standard output and no audit need neither', () => {
    mkdirSync(join(folder, 'audit.jsonl'));
    expect(levels(join(folder, 'audit.jsonl'))).toEqual(['failure']);
    expect([levels('-'), levels(undefined)]).toEqual([[], []]);
  });
});

describe('The ports', () => {
  async function taken(listener?: RequestListener): Promise<string> {
    const server =
      listener === undefined ? createTcpServer((socket) => socket.destroy()) : createServer(listener);
    onTestFinished(() => void server.close());
    await once(server.listen(0), 'listening');
    return String((server.address() as AddressInfo).port);
  }
  const bot: RequestListener = (request, response) => {
    const health = { status: 'ok', version: '1.0.0', uptimeSeconds: 1 };
    response.end(JSON.stringify(request.url === '/healthz' ? health : { ready: true, reasons: [] }));
  };
  const found = async (settings: Readonly<Record<string, string>>) =>
    (await checkPorts(configOf(settings))).map(({ area, problem, level }) => `${area} ${problem ?? level}`);

  test('that the bot listens on are each looked at: Slack’s only over HTTP, or where health is served on it', async () => {
    const [PORT, OPS_PORT] = [String(await freePort()), String(await freePort())];
    const socket = { SLACK_APP_TOKEN: 'xapp-1' };
    expect(await found({ PORT })).toEqual(['PORT ok']);
    expect(await found({ PORT, OPS_PORT })).toEqual(['PORT ok', 'OPS_PORT ok']);
    expect(await found({ PORT, ...socket })).toEqual(['PORT ok']);
    expect(await found({ PORT, OPS_PORT, ...socket })).toEqual(['OPS_PORT ok']);
  });

  test('that the bot itself has are fine: it is known by its health, where that is served', async () => {
    const PORT = await taken();
    expect(await found({ PORT, OPS_PORT: await taken(bot) })).toEqual(['PORT ok', 'OPS_PORT ok']);
    expect(await found({ PORT: await taken(bot) })).toEqual(['PORT ok']);
  });

  test('that others have are not, also where they answer something of a version', async () => {
    const other = await taken((_request, response) => response.end('{"version":"1.0.0"}'));
    expect(await found({ PORT: other })).toEqual(['PORT port-taken']);
    expect(await found({ PORT: await taken() })).toEqual(['PORT port-taken']);
  });
});

describe('What people read in Slack, on a terminal', () => {
  test('has labels in place of links and times, and its own signs', () => {
    expect(plainText('see <https://a.example|the page>, <@U1>, a &lt;b&gt; &amp; c')).toBe(
      'see the page, @U1, a <b> & c',
    );
    // An escaped escape is that escape, and not what it would stand for.
    expect(plainText('&amp;lt;')).toBe('&lt;');
  });

  test('does not send the operator to the operator', () => {
    const faults = [new LoginRefused(302, 0), new ServiceFailed('login servers', 500)];
    for (const fault of faults)
      expect(explainFault(fault, 'https://login.example').repair).not.toMatch(/ask your bot admin/i);
  });
});
