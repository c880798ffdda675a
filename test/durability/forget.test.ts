import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { bundled } from '../support/bundled-bot.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { shown } from '../support/conversation.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';

const test = sequential.concurrent;
const OTHER_KEY = Buffer.alloc(32, 99).toString('base64');
const FORGET = join(import.meta.dirname, '..', '..', 'src', 'forget.ts');
const ALL_DELETED = /^Everything that the bot kept was deleted\.\n/;
const WITHOUT_REST = { code: 0, output: expect.stringMatching(ALL_DELETED) };
type Run = { readonly code: number | null; readonly output: string };

async function forget(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> {
  return run(await bundled('forget'), environment, args);
}

function run(file: string, environment: Readonly<Record<string, string>>, args: string[]): Promise<Run> {
  return new Promise((done) => {
    const options = { env: { ...COMPILE_CACHE, ...environment }, cwd: tmpdir() };
    const child = execFile(process.execPath, [file, ...args], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** Lets Ana ask for 1012 and for 7002, which waits, and Ben for 1002; then the bot ends. */
async function leaveTraces(world: ProcessWorld, changes: Readonly<Record<string, string>>): Promise<void> {
  const bot = await world.start(changes);
  world.service.shelve('7002', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
  await world.slack.command({ text: '1012' });
  await shown(world, 'Snapshot 1012 ·');
  await world.slack.command({ text: '1002', user: 'U0BEN' });
  await shown(world, 'Snapshot 1002 ·');
  await world.slack.command({ text: '7002' });
  await shown(world, '7002 is still');
  await world.slack.say({ text: 'https://service.example.com/snapshots/7002' });
  await world.slack.waitFor(() => world.slack.messages('C0SUPPORT').at(-1)?.unfurls, 'the preview of a link');
  await bot.end('SIGTERM');
}

async function expectForgets(world: ProcessWorld, changes: Readonly<Record<string, string>>): Promise<void> {
  const environment = { ...world.environment, ...changes };
  await leaveTraces(world, changes);
  await expectNothingHidden(environment);
  const ofBen = await forget(environment, '--user', 'U0BEN');
  expect(ofBen).toEqual({
    code: 0,
    output: expect.stringMatching(/^Deleted for user U0BEN:\n {2}lists of recent lookups: 1\n/),
  });
  expect((await forget(environment, '--user', 'U0BEN')).output).toBe('Nothing is kept about user U0BEN.\n');
  const of1012 = await forget(environment, '--snapshot', '1012');
  for (const kind of ['results: 1', 'lists of recent lookups: 1']) expect(of1012.output).toContain(kind);
  expect(of1012.output).not.toContain('open lookups');
  expect((await forget(environment, '--snapshot', '1012')).output).toBe(
    'Nothing is kept about snapshot 1012.\n',
  );
  expect((await forget(environment, '--snapshot', '7002')).output).toContain('open lookups: 2');
  expect((await forget(environment, '--user', 'U0ANA')).code).toBe(0);
  expect(await forget(environment, '--all')).toEqual(WITHOUT_REST);
  expect((await forget(environment, '--snapshot', '1002')).output).toBe(
    'Nothing is kept about snapshot 1002.\n',
  );
}

/** Expects that without the right key nobody is told that nothing is kept, and that no key is made. */
async function expectNothingHidden(environment: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await forget({ ...environment, STATE_KEY: OTHER_KEY }, '--user', 'U0ANA');
  expect(code).toBe(1);
  expect(output).toContain('recents: a stored value could not be opened');
  expect(output).toMatch(/^What could not be read may be about user U0ANA too, and was left\. /m);
  expect(output).not.toMatch(/Nothing|Deleted/);
}

describe('npm run forget', () => {
  test('removes from the embedded store what it names, says what, and leaves the rest', {
    timeout: 60_000,
  }, async ({ world }) => {
    await expectForgets(world, {});
  });

  sequential
    .runIf(has('redis-server'))
    .concurrent('does the same on Redis', { timeout: 60_000 }, async ({ world }) => {
      const redis = await world.redis();
      await expectForgets(world, { REDIS_URL: redis.url });
    });

  test('without a key says what it could not read, and can still delete everything', async ({ world }) => {
    const DATA_DIR = join(world.folder, 'kept');
    const environment = { ...world.environment, DATA_DIR, STATE_KEY: '' };
    expect(await forget(environment, '--all')).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^Nothing more was deleted: .*snapshot-bot\.sqlite can't be found: check/,
      ),
    });
    const bot = await world.start({ DATA_DIR });
    world.service.shelve('7002', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
    await world.slack.command({ text: '7002' });
    await shown(world, '7002 is still');
    await bot.end('SIGTERM');
    const { code, output } = await forget(environment, '--snapshot', '7002');
    expect(code).toBe(1);
    expect(output).toContain('an open lookup or follow could not be opened');
    expect(existsSync(join(DATA_DIR, 'state.key'))).toBe(false);
    expect(await forget(environment, '--all')).toEqual(WITHOUT_REST);
    expect((await forget({ ...world.environment, DATA_DIR }, '--snapshot', '7002')).output).toMatch(
      /^Nothing is kept/,
    );
  });

  test('leaves a damaged store as it is, and deletes all of it with its key', async ({ world }) => {
    const DATA_DIR = join(world.folder, 'damaged');
    const environment = { ...world.environment, DATA_DIR, STATE_KEY: '' };
    await leaveTraces(world, { DATA_DIR, STATE_KEY: '' });
    const file = join(DATA_DIR, 'snapshot-bot.sqlite');
    const damaged = Buffer.from(readFileSync(file)).fill(0xa5, 4_096, 8_192);
    writeFileSync(file, damaged);
    expect(await forget(environment, '--user', 'U0BEN')).toEqual({
      code: 1,
      output: expect.stringMatching(/^Nothing was deleted: .* is damaged/),
    });
    expect(readFileSync(file).equals(damaged)).toBe(true);
    // Also with a key that can't be read.
    writeFileSync(join(DATA_DIR, 'state.key'), 'junk');
    const all = await forget(environment, '--all');
    expect(all).toEqual(WITHOUT_REST);
    for (const name of ['snapshot-bot.sqlite', 'state.key'])
      expect(all.output).toContain(`${join(DATA_DIR, name)}: removed`);
    expect(readdirSync(DATA_DIR)).toEqual(['snapshot-bot.sqlite']);
    expect((await forget(environment, '--user', 'U0BEN')).output).toBe('Nothing is kept about user U0BEN.\n');
  });

  test('says that the bot has to stop where it has the embedded store', async ({ world }) => {
    await world.start();
    // The id of a person of an Enterprise Grid begins with W.
    const { code, output } = await run(FORGET, world.environment, ['--user', 'W0ANA']);
    expect(code).toBe(1);
    expect(output).toMatch(/^Nothing was deleted: .* is in use by another process/);
  });

  test.for([[], ['--user', 'ana'], ['--snapshot', 'x'], ['--user', 'U0ANA', '--all'], ['--everything']])(
    'with %j explains how it is used, and deletes nothing',
    async (args, { world }) => {
      const { code, output } = await forget(world.environment, ...args);
      expect(code).toBe(2);
      expect(output).toContain('usage: npm run forget');
    },
  );

  test('explains a problem of the configuration, and deletes nothing', async ({ world }) => {
    const { code, output } = await forget({ ...world.environment, DIAGNOSTICS_VENDOR: '' }, '--all');
    expect(code).toBe(2);
    expect(output).toContain('DIAGNOSTICS_VENDOR');
  });
});
