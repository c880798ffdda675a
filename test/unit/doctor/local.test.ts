import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { LoginRefused, ServiceFailed } from '../../../src/core/faults.ts';
import { checkAudit, checkPorts } from '../../../src/doctor/examine.ts';
import {
  asText,
  exitCodeOf,
  explainFault,
  found as foundProblem,
  ok,
  plainText,
} from '../../../src/doctor/finding.ts';
import { checkEmbedded, checkStateKeys } from '../../../src/doctor/storage.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
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

describe('The keys of the embedded store', () => {
  const [ONE, OTHER] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
  const settings = (stateKeys: readonly Uint8Array[]) =>
    ({ kind: 'sqlite', dataDir: folder, stateKeys }) as const;
  async function store(stateKeys: readonly Uint8Array[], now = Date.now) {
    const { store } = await openStorage(settings(stateKeys), { logger: pino({ level: 'silent' }), now });
    await store.namespace('recents').set(`by ${stateKeys.length}`, 'value', 30_000);
    await store.close();
  }
  const problems = async (...stateKeys: readonly Uint8Array[]) =>
    (await checkStateKeys(settings(stateKeys))).map(({ problem }) => problem);

  test('are those of STATE_KEY and that of the key file', async () => {
    await store([]);
    expect([await problems(), await problems(OTHER)]).toEqual([[], []]);
    await store([ONE]);
    expect([await problems(ONE), await problems(OTHER, ONE)]).toEqual([[], []]);
    expect(await problems(OTHER)).toEqual(['state-key-lacking']);
  });

  test('are missed also after the process was killed; with a key its bot may be running, and says it itself', async () => {
    await store([]);
    rmSync(join(folder, 'state.key'));
    expect(await problems(OTHER)).toEqual(['state-key-lacking']);
    writeFileSync(join(folder, 'snapshot-bot.sqlite-wal'), '');
    expect([await problems(), await problems(OTHER)]).toEqual([['state-key-unusable'], []]);
  });

  test('are not missed for what has expired', async () => {
    await store([ONE], () => Date.now() - 60_000);
    expect(await problems(OTHER)).toEqual([]);
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

  test('must not be a folder, nor a pipe that nobody reads; standard output and no audit need neither', () => {
    mkdirSync(join(folder, 'audit.jsonl'));
    expect(levels(join(folder, 'audit.jsonl'))).toEqual(['failure']);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(levels(join(folder, 'pipe'))).toEqual(['failure']);
    expect([levels('-'), levels(undefined)]).toEqual([[], []]);
  });
});

describe('The ports', () => {
  async function taken(
    listener?: RequestListener,
    connected = (socket: Socket) => void socket.destroy(),
  ): Promise<string> {
    const server = listener === undefined ? createTcpServer(connected) : createServer(listener);
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
    const silent = await taken(undefined, (socket) => void onTestFinished(() => void socket.destroy()));
    expect(await checkPorts(configOf({ PORT: silent }), 50)).toMatchObject([{ problem: 'port-taken' }]);
  });
});

describe('The report of the doctor', () => {
  const [fine, warned, failed] = [
    ok('a', 'fine'),
    foundProblem('space-little', 'c', '99 MB', 'make space'),
    foundProblem('space-gone', 'd', '9 MB', 'make more'),
  ];
  const untried = { area: 'b', level: 'unchecked', what: 'not tried', repair: 'try it' } as const;

  test('marks each finding, says how to repair it, and counts them', () => {
    expect(asText([fine, untried, untried, warned, warned, warned, failed])).toBe(
      [
        '✓ a: fine',
        ...Array.from({ length: 2 }, () => '? b: not tried\n    → try it'),
        ...Array.from({ length: 3 }, () => '! c: 99 MB\n    → make space'),
        '✗ d: 9 MB\n    → make more',
        '\n1 failed, 3 to look at, 2 not checked, 1 fine\n',
      ].join('\n'),
    );
  });

  test('ends with the code 1 only where something fails', () => {
    const codes = [[], [fine, untried, warned], [fine, failed, warned]].map(exitCodeOf);
    expect(codes).toEqual([0, 0, 1]);
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
