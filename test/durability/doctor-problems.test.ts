import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/load-config.ts';
import { checkAudit, examine } from '../../src/doctor/examine.ts';
import { type Finding, PROBLEMS, type Problem } from '../../src/doctor/finding.ts';
import { checkEmbedded, checkRedis, checkStateKeys } from '../../src/doctor/storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { makeCertificates } from '../emulators/certificates.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import { runDoctor } from '../support/doctor.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const TIMEOUT_MS = 2_000;
const FILE = 'snapshot-bot.sqlite';
type Provoke = (world: ProcessWorld) => Finding[] | Promise<Finding[]>;

let redis: TestRedis;
beforeAll(async () => {
  if (has('redis-server')) redis = await startRedis();
});
afterAll(() => redis?.close());

/** The whole examination, in this process, with some settings changed. */
function look(
  { environment }: ProcessWorld,
  changes: Readonly<Record<string, string>> = {},
): Promise<Finding[]> {
  const config = readConfig({ ...environment, ...changes }, () => '');
  return examine(config, Date.now, snapshotId('1012'));
}

/** The examination of an app of which Slack answers otherwise. */
function lookBesideSlack(options: Parameters<typeof startSlack>[0], changes = {}): Provoke {
  return async (world) => {
    const slack = await startSlack(options);
    onTestFinished(() => slack.close());
    const tokens = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken };
    return look(world, { ...tokens, ...changes });
  };
}

/** The data folder with something in it. */
function dataFolder({ folder }: ProcessWorld, fill: (path: string) => void = () => {}, mode = 0o700): string {
  const path = join(folder, 'data');
  mkdirSync(path, { mode });
  fill(path);
  return path;
}

function header(version: number): Buffer {
  const bytes = Buffer.alloc(4_096);
  bytes.write('SQLite format 3\0', 'latin1');
  bytes.writeUInt32BE(version, 60);
  return bytes;
}

/** A Redis in front of which something changes its answers. */
async function relayed(options: Parameters<typeof startRedisRelay>[1]): Promise<Finding[]> {
  const relay = await startRedisRelay(redis.url, options);
  onTestFinished(() => relay.close());
  return checkRedis(relay.url, TIMEOUT_MS);
}

/** One answer of Redis with one of its fields written in as many characters. */
function field(name: string, value: string) {
  const pattern = new RegExp(`(?<=\r\n${name}:)[^\r]*`);
  return (answer: string) =>
    answer.replace(pattern, (found) => value.padEnd(found.length).slice(0, found.length));
}

async function expiringHost(world: ProcessWorld): Promise<Finding[]> {
  const certificates = await makeCertificates([], { days: 5 });
  setDefaultCACertificates([...getCACertificates('default'), certificates.caPem]);
  const server = createTlsServer({ cert: certificates.certPem, key: certificates.keyPem }).listen(0);
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return look(world, { DIAGNOSTICS_LOGIN_URL: `https://127.0.0.1:${port}` });
}

async function takenPort(world: ProcessWorld): Promise<Finding[]> {
  const other = createServer((_request, response) => response.end('other')).listen(0);
  onTestFinished(() => void other.close());
  return look(world, { PORT: String((other.address() as AddressInfo).port) });
}

/** The API under its address, which the cookies for its name do not reach. */
function addressOtherwise({ service: { baseUrl } }: ProcessWorld): Readonly<Record<string, string>> {
  return { DIAGNOSTICS_BASE_URL: baseUrl.replace('localhost', '127.0.0.1') };
}

/** Root may listen on every port, so this process takes the id of another user for a moment. */
async function asNobody(world: ProcessWorld): Promise<Finding[]> {
  const { geteuid, seteuid } = process;
  const wasRoot = geteuid?.() === 0;
  if (wasRoot) seteuid?.(65_534);
  try {
    return await look(world, { PORT: '80', REDIS_URL: redis.url });
  } finally {
    if (wasRoot) seteuid?.(0);
  }
}

/** How each problem that the doctor knows comes about. */
const PROVOKED: Record<Problem, Provoke> = {
  'app-token-refused': lookBesideSlack({ mode: 'socket' }, { SLACK_APP_TOKEN: 'xapp-1-wrong' }),
  'audit-file-unwritable': (world) => {
    expect(checkAudit(join(world.folder, 'audit.jsonl'), () => 0)[0]?.what).toContain('ENOSPC');
    return look(world, { AUDIT_FILE: join(world.folder, 'no-such-folder', 'audit.jsonl') });
  },
  'bot-troubled': async (world) => {
    world.service.switches.loginRefused = true;
    const { address } = await world.start();
    await world.slack.command({ text: '1012' });
    await eventually(async () => expect(await (await fetch(`${address}/readyz`)).text()).toContain('login'));
    return look(world, { PORT: new URL(address).port });
  },
  'bot-unready': async (world) => {
    const full = await world.redis();
    const { address } = await world.start({ REDIS_URL: full.url });
    await full.command('CONFIG', 'SET', 'maxmemory', '1');
    return look(world, { PORT: new URL(address).port });
  },
  'bot-token-refused': (world) => {
    world.slack.failNext('auth.test', { error: 'token_revoked' });
    return look(world);
  },
  'certificate-expires': expiringHost,
  'clock-off': (world) => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    world.service.nextLoginAnswers([{ status: 302, headers: { date, location: '/' }, body: '' }]);
    return look(world);
  },
  configuration: async ({ environment }) =>
    (await runDoctor({ ...environment, PORT: 'many' }, '--json')).findings.slice(),
  'data-file-damaged': (world) =>
    checkEmbedded(dataFolder(world, (path) => writeFileSync(join(path, FILE), 'x'.repeat(4_096)))),
  'data-file-newer': (world) =>
    checkEmbedded(dataFolder(world, (path) => writeFileSync(join(path, FILE), header(99)))),
  'data-file-unreadable': (world) => checkEmbedded(dataFolder(world, (path) => mkdirSync(join(path, FILE)))),
  'data-folder-open': (world) => checkEmbedded(dataFolder(world, undefined, 0o755)),
  'data-folder-unwritable': ({ folder }) => {
    writeFileSync(join(folder, 'a-file'), '');
    return checkEmbedded(join(folder, 'a-file', 'below'));
  },
  'host-certificate': async (world) => {
    const { certPem, keyPem } = await makeCertificates();
    const server = createTlsServer({ cert: certPem, key: keyPem }).listen(0);
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return look(world, { DIAGNOSTICS_LOGIN_URL: `https://127.0.0.1:${port}` });
  },
  'host-connection': async (world) =>
    look(world, { DIAGNOSTICS_LOGIN_URL: `https://127.0.0.1:${await freePort()}` }),
  'host-name': (world) => look(world, { DIAGNOSTICS_LOGIN_URL: 'https://no-such-host.invalid' }),
  'login-cookies': (world) => look(world, addressOtherwise(world)),
  'login-failed': (world) => {
    world.service.nextLoginAnswers([{ status: 500, body: '' }]);
    return look(world);
  },
  'login-refused': (world) => {
    world.service.switches.loginRefused = true;
    return look(world);
  },
  'port-forbidden': asNobody,
  'port-taken': takenPort,
  'redis-evicts': () => relayed({ change: field('maxmemory_policy', 'volatile-x') }),
  'redis-not-append-only': () => relayed({ change: field('aof_enabled', '0') }),
  'redis-forbidden': async () => {
    await redis.command('ACL', 'SETUSER', 'foo', 'on', '>sesame', '+@all', '~foo*');
    return checkRedis(redis.url.replace('//', '//foo:sesame@'), TIMEOUT_MS);
  },
  'redis-old': () => relayed({ change: field('redis_version', '5.0.14') }),
  'redis-password': async () => {
    const locked = await startRedis({ password: 'right' });
    onTestFinished(() => locked.close());
    return checkRedis(locked.url.replace('right', 'wrong'), TIMEOUT_MS);
  },
  'redis-refuses': async () => {
    const full = await startRedis();
    onTestFinished(() => full.close());
    const [other] = await checkRedis(`${full.url}/99`, TIMEOUT_MS);
    expect(other?.what).toBe('Redis says ERR DB index is out of range');
    expect(other?.repair).toContain('REDIS_URL a database that it has');
    await full.command('CONFIG', 'SET', 'maxmemory', '1');
    return checkRedis(full.url, TIMEOUT_MS);
  },
  'redis-replica': async () => {
    const replica = await startRedis();
    onTestFinished(() => replica.close());
    await replica.command('REPLICAOF', '127.0.0.1', new URL(redis.url).port);
    return checkRedis(replica.url, TIMEOUT_MS);
  },
  'redis-unreachable': async () => {
    const silent = await startRedisRelay(redis.url, {});
    onTestFinished(() => silent.close());
    silent.hold({ isAway: true });
    expect((await checkRedis(silent.url, 50))[0]?.what).toBe('Redis cannot be reached (timeout)');
    return checkRedis(`redis://127.0.0.1:${await freePort()}`, TIMEOUT_MS);
  },
  'scope-missing': lookBesideSlack({ scopes: ['commands', 'chat:write'] }),
  'scope-optional': lookBesideSlack({ scopes: ['commands', 'chat:write'] }),
  'snapshot-failed': (world) => {
    world.service.nextAnswers([{ status: 401 }]);
    return look(world);
  },
  'state-key-unusable': async (world) => {
    const dataDir = dataFolder(world, (path) => {
      writeFileSync(join(path, 'state.key'), 'junk', { mode: 0o600 });
    });
    const [junk] = await checkStateKeys({ kind: 'sqlite', dataDir, stateKeys: [] });
    expect(junk?.what).toContain('holds no key');
    const path = join(dataDir, 'state.key');
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`);
    expect(await checkStateKeys({ kind: 'sqlite', dataDir, stateKeys: [] })).toEqual([]);
    chmodSync(path, 0o644);
    return look(world, { DATA_DIR: dataDir });
  },
  'space-gone': (world) => checkEmbedded(dataFolder(world), () => 9 * 1024 * 1024),
  'space-little': (world) => checkEmbedded(dataFolder(world), () => 199 * 1024 * 1024),
  'state-key-lacking': async (world) => {
    const dataDir = dataFolder(world);
    const context = { logger: pino({ level: 'silent' }), now: Date.now };
    const { store } = await openStorage({ kind: 'sqlite', dataDir, stateKeys: [] }, context);
    await store.namespace('recents').set('key', 'value');
    await store.close();
    expect(await checkStateKeys({ kind: 'sqlite', dataDir, stateKeys: [] })).toEqual([]);
    rmSync(join(dataDir, 'state.key'));
    const [missing] = await checkStateKeys({ kind: 'sqlite', dataDir, stateKeys: [] });
    expect([missing?.level, missing?.what]).toEqual([
      'failure',
      expect.stringContaining('state.key is missing'),
    ]);
    return look(world);
  },
};

describe.runIf(has('redis-server'))('The doctor', () => {
  test.for(Object.keys(PROBLEMS) as Problem[])(
    'finds %s, and says what to do',
    async (problem, { world }) => {
      const found = (await PROVOKED[problem](world)).filter((finding) => finding.problem === problem);
      expect(found.length).toBeGreaterThan(0);
      for (const { repair } of found) expect(repair).toMatch(/\w{3}/);
    },
  );
});

describe.runIf(has('redis-server'))('A Redis', () => {
  async function judged(url: string): Promise<string[]> {
    const found = await checkRedis(url, TIMEOUT_MS);
    return found.map(({ problem, level, what }) => problem ?? `${level}: ${what.trim()}`);
  }

  test.for([
    ['redis_version:6.2.0', 'version 6.2.0'],
    ['redis_version:6.1.9', 'redis-old'],
    ['redis_version:5.9.1', 'redis-old'],
    ['redis_version:10.0.0', 'version 10.0.0'],
    // Valkey names a version of its own beside that of the Redis that it stands for.
    ['valkey_version:8.0.1', 'version 8.0.1', 'redis_git_sha1:[^\r]*'],
    ['unnamed:', 'redis-evicts', 'maxmemory_policy:[^\r]*'],
  ] as const)('that says %s is judged by it: %s', async ([line, verdict, place]) => {
    const said = new RegExp(`(?<=\n)${place ?? `${line.split(':')[0]}:[^\r]*`}`);
    // As many bytes as before, because their number was told.
    const change = (answer: string) =>
      answer.replace(said, ({ length }) => line.padEnd(length).slice(0, length));
    const relay = await startRedisRelay(redis.url, { change });
    onTestFinished(() => relay.close());
    const fine = ['version ', 'it takes writes', 'it evicts nothing', 'it is append-only'];
    const others = (await judged(relay.url)).filter((each) => !each.includes(verdict));
    expect(others).toHaveLength(fine.length - 1);
    for (const each of others) expect(fine.some((words) => each.startsWith(`ok: ${words}`))).toBe(true);
  });

  test('that refuses the password, or a user, is told as that, without it', async () => {
    await redis.command('ACL', 'SETUSER', 'weak', 'on', '>sesame', '+ping', '+client');
    for (const user of ['weak:wrong', 'nobody:wrong', ':wrong']) {
      const found = await checkRedis(redis.url.replace('//', `//${user}@`), TIMEOUT_MS);
      expect(found.map(({ problem }) => problem)).toEqual(['redis-password']);
      expect(JSON.stringify(found)).not.toMatch(/wrong|sesame/);
    }
    const weak = await checkRedis(redis.url.replace('//', '//weak:sesame@'), TIMEOUT_MS);
    expect(weak.map(({ problem }) => problem)).toContain('redis-forbidden');
    const locked = await startRedis({ password: 'right' });
    onTestFinished(() => locked.close());
    const [unnamed] = await checkRedis(locked.url.replace(':right@', ''), TIMEOUT_MS);
    expect(unnamed?.problem).toBe('redis-password');
  });
});
