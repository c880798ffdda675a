import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { CannotStart } from '../../src/core/faults.ts';
import { BotProcess } from '../support/bot-process.ts';
import { test as sequentialWorldTest, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';

const test = sequential.concurrent;
const worldTest = sequentialWorldTest.concurrent;

/** The output of the bot when it can't start. */
async function printed(
  world: ProcessWorld,
  changes: Readonly<Record<string, string>> = {},
  entry: 'bundled' | 'shipped' = 'bundled',
  code = 1,
): Promise<string> {
  const bot = new BotProcess({ ...world.environment, ...changes }, entry);
  expect(await bot.fail()).toBe(code);
  return bot.log.join('\n');
}

function expectExplained(text: string, setting: string, what: RegExp, repair: RegExp): void {
  // The explanation comes before any line of the log.
  expect(text).toMatch(new RegExp(`^Snapshot Bot cannot start: ${setting}: `));
  expect(text).toMatch(what);
  expect(text).toMatch(repair);
  expect(text).toContain('npm run doctor');
  expect(text).not.toMatch(/^\s+at |"stack"|"level":"fatal"/m);
}

const taken = createServer();
beforeAll(() => new Promise<void>((done) => taken.listen(0, done)));
afterAll(() => void taken.close());

function takenPort(): string {
  return String((taken.address() as AddressInfo).port);
}

test.for(['invalid_auth', 'account_inactive'])(
  'A token that Slack rejects (%s) is explained, without the token',
  async (error, { world }) => {
    world.slack.failNext('auth.test', { error });
    // Exit code 2 means a wrong configuration: the systemd unit does not restart the bot after it.
    const text = await printed(world, {}, 'shipped', 2);
    expectExplained(
      text,
      'SLACK_BOT_TOKEN',
      new RegExp(`rejects this token \\(${error}\\)`),
      /copy it again/,
    );
    expect(text).not.toContain(world.slack.botToken);
  },
);

test.for(['start', 'doctor', 'forget'] as const)(
  'npm run %s with an older Node says which Node it needs',
  (script) => {
    // Hides the function that Node 20 lacks, and that the first module calls.
    const older =
      'data:text/javascript,import m from "node:module";delete m.enableCompileCache;' +
      'Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})';
    const [, words = ''] = /^(?:exec )?node (.*)$/.exec(manifest.scripts[script]) ?? [];
    const args = ['--import', older, ...words.split(' ')];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^Snapshot Bot needs Node 24 .*20\.20\.2/)]);
  },
);

test('A Slack that can’t be reached is explained by its setting and what to check', async ({ world }) => {
  const apiUrl = `http://127.0.0.1:${await freePort()}/api/`;
  const text = await printed(world, { SLACK_API_URL: apiUrl, LOG_LEVEL: 'info' });
  expectExplained(text, 'SLACK_API_URL', /could not be reached \(ECONNREFUSED\)/, /check the network/);
});

test('A taken OPS_PORT is explained, with what to do', async ({ world }) => {
  const text = await printed(world, { OPS_PORT: takenPort() });
  expectExplained(text, 'OPS_PORT', /port \d+ is in use by another process/, /choose another port/);
});

worldTest.for(['http', 'socket'] as const)(
  'A taken PORT is reported by its setting and number, over %s',
  async (mode, { open }) => {
    const port = takenPort();
    const failure = await open({ mode, variables: { PORT: port } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CannotStart);
    expect(failure).toMatchObject({ setting: 'PORT', what: expect.stringContaining(port) });
  },
);

test('A data directory that another process has is explained', async ({ world }) => {
  await world.start();
  const text = await printed(world);
  expectExplained(text, 'DATA_DIR', /in use by another process/, /set REDIS_URL to share one store/);
});

async function readiness(bot: BotProcess): Promise<{ ready: boolean; reasons: { part: string }[] }> {
  const answer = await fetch(`${bot.address}/readyz`);
  return JSON.parse(await answer.text());
}

test('A login that is refused at the start is tried once, is a warning, and stops nothing', async ({
  world,
}) => {
  world.service.switches.loginRefused = true;
  const bot = await world.start({}, 'shipped');
  // The log is for the operator: the line names a repair and no contact.
  const warned =
    /"repair":"check DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET.*"msg":"Login failed: .*login-refused/;
  await eventually(() => expect(bot.log.join('\n')).toMatch(warned));
  expect(await readiness(bot)).toMatchObject({ ready: true, reasons: [{ part: 'login' }] });
  expect(world.service.records.logins).toHaveLength(1);
  expect(bot.isUp).toBe(true);
});

test('A Redis that is unavailable at the start is reported in one log line with a repair and no stack', async ({
  world,
}) => {
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
  const bot = await world.start({ REDIS_URL, LOG_LEVEL: 'info' });
  const said = bot.log.filter((line) => /"part":"(?:redis|queue)"/.test(line));
  expect(said.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      setting: 'REDIS_URL',
      reason: expect.stringContaining('ECONNREFUSED'),
      repair: expect.stringContaining('check that it runs'),
    }),
  ]);
  expect(said[0]).not.toContain('"stack"');
});

test('A Redis that refuses the database of REDIS_URL makes the bot unready, with the reason', async ({
  world,
}) => {
  const REDIS_URL = `${(await world.redis()).url}/99`;
  const bot = await world.start({ REDIS_URL });
  const problem = expect.stringContaining('(ERR DB index is out of range)');
  expect(await readiness(bot)).toMatchObject({
    ready: false,
    reasons: expect.arrayContaining([{ part: 'store', problem }]),
  });
});

test('A Redis that evicts, or is not append-only, is warned of at the start, each with its repair', async ({
  world,
}) => {
  const redis = await world.redis();
  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  await redis.command('CONFIG', 'SET', 'appendonly', 'no');
  const bot = await world.start({ REDIS_URL: redis.url }, 'shipped');
  await eventually(() => {
    const log = bot.log.join('\n');
    expect(log).toMatch(/"repair":"set maxmemory-policy to noeviction: [^"]+","msg":"its eviction policy is/);
    expect(log).toMatch(/"repair":"set appendonly yes: [^"]+","msg":"it is not append-only"/);
  });
});

test('A misspelt name of a setting is warned of in the log at the start', async ({ world }) => {
  const { log } = await world.start({ ALOWED_CHANNELS: 'C0SUPPORT' }, 'shipped');
  const warned = /"level":"warn".*ALOWED_CHANNELS is no setting: is ALLOWED_CHANNELS meant\?/;
  expect(log.join('\n')).toMatch(warned);
});

test('A good start says that the service accepts the account, and the first command uses its session', async ({
  world,
}) => {
  const bot = await world.start({}, 'shipped');
  await eventually(() => expect(bot.log.join('\n')).toContain('the service accepts the account'));
  await world.slack.command({ text: '1012' });
  await shown(world, '1 hit');
  expect(world.service.records.logins).toHaveLength(1);
});

test('A closed terminal and Ctrl+C stop the bot in good order, also when another signal follows', async ({
  world,
}) => {
  const closed = await world.start({ LOG_FORMAT: 'pretty' }, 'shipped');
  expect(await closed.end('SIGHUP')).toMatchObject({ code: 0 });
  expect(closed.log.at(-1)).toMatch(/^\S+ INFO .*stopped/i);
  const bot = await world.start({ LOG_LEVEL: 'trace' }, 'shipped');
  const endings = await Promise.all([bot.end('SIGINT'), bot.end('SIGTERM')]);
  expect(endings.map(({ code }) => code)).toEqual([0, 0]);
  expect(JSON.parse(bot.log.at(-1) ?? '')).toMatchObject({ msg: expect.stringMatching(/^stopped/) });
});

test('A stop waits for no connection to a service that is gone, and is no error in the log', async ({
  world,
  onTestFinished,
}) => {
  const gone = createTcpServer();
  onTestFinished(() => void gone.close());
  const connected = once(gone, 'connection');
  await once(gone.listen(0), 'listening');
  const { port } = gone.address() as AddressInfo;
  const bot = await world.start({ DIAGNOSTICS_AUTH_URL: `https://localhost:${port}` }, 'shipped');
  await world.slack.command({ text: '1012' });
  await connected;
  expect((await bot.end('SIGTERM')).code).toBe(0);
  expect(bot.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await world.start({}, 'shipped');
  await shown(world, '1 hit');
});

test('With npm start, a signal to npm ends the bot, and npm waits until it is gone', async ({ world }) => {
  const bot = await world.start({}, 'npm start');
  expect(await bot.end('SIGTERM')).toMatchObject({ code: 0 });
  await expect(fetch(`${bot.address}/healthz`)).rejects.toThrow();
  expect(bot.log.join('\n')).toContain('stopped; open lookups go on');
});
