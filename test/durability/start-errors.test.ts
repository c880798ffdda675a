import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { PortUnusable } from '../../src/core/errors.ts';
import { BotProcess } from '../support/bot-process.ts';
import { test as sequentialWorldTest, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';

const test = sequential.concurrent;
const worldTest = sequentialWorldTest.concurrent;

/** What the program prints when it can't start. */
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
  // No line of the log is printed before the explanation.
  expect(text).toMatch(/^Snapshot Bot cannot start: /);
  expect(text).toMatch(what);
  expect(text).toMatch(new RegExp(`^ {2}${setting}, (?:from |which is not set, so)`, 'm'));
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

test.for([
  ['invalid_auth', 'the environment'],
  ['account_inactive', 'the environment'],
] as const)('A token that Slack rejects (%s) is explained, without the token', async ([error], { world }) => {
  world.slack.failNext('auth.test', { error });
  // The code of a configuration with problems, after which the systemd unit does not start the bot again.
  const text = await printed(world, {}, 'shipped', 2);
  expectExplained(text, 'SLACK_BOT_TOKEN', new RegExp(`rejects this token \\(${error}\\)`), /copy it again/);
  expect(text).not.toContain(world.slack.botToken);
});

test.for(['start', 'doctor', 'forget'] as const)(
  'An older Node is told which one npm run %s needs, before it reads a file that it can’t',
  (script) => {
    // What Node 20 lacks, as far as the first module needs it.
    const older =
      'data:text/javascript,import m from "node:module";delete m.enableCompileCache;' +
      'Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})';
    const [, words = ''] = /^(?:exec )?node (.*)$/.exec(manifest.scripts[script]) ?? [];
    const args = ['--import', older, ...words.split(' ')];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^Snapshot Bot needs Node 24 .*20\.20\.2/)]);
  },
);

test('Without a network the way to Slack is explained', async ({ world }) => {
  const apiUrl = `http://127.0.0.1:${await freePort()}/api/`;
  const text = await printed(world, { SLACK_API_URL: apiUrl, LOG_LEVEL: 'info' });
  expectExplained(text, 'SLACK_API_URL', /could not be reached \(ECONNREFUSED\)/, /check the network/);
});

test('A port that is taken is explained', async ({ world }) => {
  const text = await printed(world, { OPS_PORT: takenPort() });
  expectExplained(text, 'OPS_PORT', /port \d+ is in use by another process/, /choose another port/);
});

worldTest.for(['http', 'socket'] as const)('The same for PORT over %s', async (mode, { open }) => {
  const port = takenPort();
  const failure = await open({ mode, variables: { PORT: port } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PortUnusable);
  expect(failure).toMatchObject({ setting: 'PORT', what: expect.stringContaining(port) });
});

test('A data directory that another process has is explained', async ({ world }) => {
  await world.start();
  const text = await printed(world);
  expectExplained(text, 'DATA_DIR', /in use by another process/, /set REDIS_URL to share one store/);
});

async function readiness(bot: BotProcess): Promise<{ ready: boolean; reasons: { part: string }[] }> {
  const answer = await fetch(`${bot.address}/readyz`);
  return JSON.parse(await answer.text());
}

test('At the start the login is tried once; a refusal is a warning, and no crash', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const bot = await world.start({}, 'shipped');
  await eventually(() => expect(bot.log.join('\n')).toContain('"fault":"login-refused"'));
  // The reader of the log is the operator: the line names no contact, and what to do.
  expect(bot.log.join('\n')).toMatch(/"repair":"Check DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET/);
  expect(await readiness(bot)).toMatchObject({ ready: true, reasons: [{ part: 'login' }] });
  expect(world.service.records.logins).toHaveLength(1);
  expect(bot.isUp).toBe(true);
});

test('At the start a Redis that is away is said in a line with what to do, without a stack, and no more often', async ({
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

test('At the start a Redis that evicts and is not append-only is a warning each, as the doctor gives it', async ({
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

test('A good start says that the service accepts the account, and what it learned serves the first command', async ({
  world,
}) => {
  const bot = await world.start({}, 'shipped');
  await eventually(() => expect(bot.log.join('\n')).toContain('the service accepts the account'));
  await world.slack.command({ text: '1012' });
  await shown(world, '1 hit');
  expect(world.service.records.logins).toHaveLength(1);
});

test('With LOG_FORMAT=pretty the shipped bot logs for people, and otherwise one JSON object a line', async ({
  world,
}) => {
  const pretty = await world.start({ LOG_FORMAT: 'pretty' }, 'shipped');
  // The signal of a terminal that is closed.
  expect(await pretty.end('SIGHUP')).toMatchObject({ code: 0 });
  expect(pretty.log.at(-1)).toMatch(/^\S+ INFO .*stopped/i);
  const json = await world.start({ LOG_LEVEL: 'trace' }, 'shipped');
  expect(json.log.map((line) => JSON.parse(line).level)).toContain('trace');
  // Ctrl+C in a terminal is a stop like any other, and another signal does not cut it short.
  const endings = await Promise.all([json.end('SIGINT'), json.end('SIGTERM')]);
  expect(endings.map(({ code }) => code)).toEqual([0, 0]);
  expect(JSON.parse(json.log.at(-1) ?? '')).toMatchObject({ msg: expect.stringMatching(/^stopped/) });
});

/** A process whose loop is held for ever as soon as its stop has begun. */
const HELD = "data:text/javascript,process.on('SIGTERM',()=>setImmediate(()=>{for(;;);}))";

test('A stop whose loop is held ends by itself', async ({ world }) => {
  const bot = await world.start({ NODE_OPTIONS: `--import=${HELD}` }, 'shipped');
  const { ms } = await bot.end('SIGTERM');
  expect(ms).toBeGreaterThan(6_000);
});

/** A process with a thread in native code, which nothing can interrupt. */
const HELD_THREAD = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread, Worker } from 'node:worker_threads';
  const held = "'\\u0301\\u0327'.repeat(400_000).normalize('NFKD')";
  if (isMainThread) new Worker(held, { eval: true }).unref();
`)}`;

test('A stop with a thread that is held ends by itself', async ({ world }) => {
  const bot = await world.start({ NODE_OPTIONS: `--import=${HELD_THREAD}` }, 'shipped');
  const { ms } = await bot.end('SIGTERM');
  expect(ms).toBeGreaterThan(6_000);
});

test('A stop waits for no connection to a service that is gone', async ({ world, onTestFinished }) => {
  const gone = createTcpServer();
  onTestFinished(() => void gone.close());
  const connected = once(gone, 'connection');
  await once(gone.listen(0), 'listening');
  const { port } = gone.address() as AddressInfo;
  const bot = await world.start({ DIAGNOSTICS_AUTH_URL: `https://localhost:${port}` }, 'shipped');
  await world.slack.command({ text: '1012' });
  await connected;
  // One that waits is ended by its thread, with a signal.
  expect((await bot.end('SIGTERM')).code).toBe(0);
  await world.start({}, 'shipped');
  await shown(world, '1 hit');
});

test('With npm start, a signal to npm ends the bot, and npm waits until it is gone', async ({ world }) => {
  const bot = await world.start({}, 'npm start');
  expect(await bot.end('SIGTERM')).toMatchObject({ code: 0 });
  await expect(fetch(`${bot.address}/healthz`)).rejects.toThrow();
  expect(bot.log.join('\n')).toContain('stopped; open lookups go on');
});
