import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundled } from '../support/bundled-bot.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { shown } from '../support/conversation.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';

const test = sequential.concurrent;
const OTHER_KEY = Buffer.alloc(32, 99).toString('base64');
const ALL_DELETED = {
  code: 0,
  output: expect.stringMatching(/^Everything that the bot kept was deleted\.\n/),
};
const deleted = (user: string, count: string) => ({
  code: 0,
  output: expect.stringMatching(new RegExp(`^Deleted for user ${user}: ${count} entries\\.\\n$`)),
});
type Variables = Readonly<Record<string, string>>;

async function forget(
  environment: Variables,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const file = await bundled('forget');
  return new Promise((done) => {
    const options = { env: { ...COMPILE_CACHE, ...environment }, cwd: tmpdir() };
    const child = execFile(process.execPath, [file, ...args], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** Ana asks for 1012 and for 7002, which is never ready, and Ben for 1002. Then the bot ends. */
async function leaveTraces(world: ProcessWorld, changes: Variables): Promise<void> {
  const bot = await world.start(changes);
  world.service.shelve('7002', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
  await world.slack.command({ text: '1012' });
  await shown(world, 'Snapshot 1012 of');
  await world.slack.command({ text: '1002', user: 'U0BEN' });
  await shown(world, 'Snapshot 1002 of');
  await world.slack.command({ text: '7002' });
  await shown(world, '7002 is still');
  await bot.end('SIGTERM');
}

for (const [store, where] of [
  ['the embedded store', async () => ({})],
  ['Redis', async (world: ProcessWorld) => ({ REDIS_URL: (await world.redis()).url })],
] as const) {
  sequential
    .runIf(store !== 'Redis' || has('redis-server'))
    .concurrent(`On ${store} what one person left is deleted, or everything`, async ({ world }) => {
      const changes = await where(world);
      const environment = { ...world.environment, ...changes };
      await leaveTraces(world, changes);
      const unread = await forget({ ...environment, STATE_KEY: OTHER_KEY }, '--user', 'U0ANA');
      expect(unread.code).toBe(1);
      expect(unread.output).toMatch(
        /^Deleted for user U0ANA: 0 entries\.\n! a stored value could not be opened.*\n! an open lookup .* could not be opened/,
      );
      expect(unread.output).toContain('What could not be read may be about user U0ANA too, and was left.');
      expect(await forget(environment, '--user', 'U0BEN')).toEqual(deleted('U0BEN', '1'));
      expect(await forget(environment, '--user', 'U0BEN')).toEqual(deleted('U0BEN', '0'));
      // More than one entry: her open lookup is among them.
      expect(await forget(environment, '--user', 'U0ANA')).toEqual(deleted('U0ANA', '[2-9]'));
      await leaveTraces(world, changes);
      expect(await forget(environment, '--all')).toEqual(ALL_DELETED);
      expect(await forget(environment, '--user', 'U0ANA')).toEqual(deleted('U0ANA', '0'));
    });
}

test('Without the key one person’s data can’t be deleted, but all data can, and no key is made', async ({
  world,
}) => {
  const DATA_DIR = join(world.folder, 'kept');
  const environment = { ...world.environment, DATA_DIR, STATE_KEY: '' };
  const missing = /^Nothing more was deleted: .*snapshot-bot\.sqlite can't be found: check/;
  expect(await forget(environment, '--all')).toEqual({ code: 1, output: expect.stringMatching(missing) });
  await leaveTraces(world, { DATA_DIR });
  expect(await forget(environment, '--user', 'U0ANA')).toEqual({
    code: 1,
    output: expect.stringMatching(/^Nothing more was deleted: .*state\.key is missing/),
  });
  expect(existsSync(join(DATA_DIR, 'state.key'))).toBe(false);
  expect(await forget(environment, '--all')).toEqual(ALL_DELETED);
});

test('A damaged store can be deleted with its key, but not one person’s data in it', async ({ world }) => {
  const DATA_DIR = join(world.folder, 'damaged');
  const environment = { ...world.environment, DATA_DIR, STATE_KEY: '' };
  await leaveTraces(world, { DATA_DIR, STATE_KEY: '' });
  const file = join(DATA_DIR, 'snapshot-bot.sqlite');
  const damaged = Buffer.from(readFileSync(file)).fill(0xa5, 4_096, 8_192);
  writeFileSync(file, damaged);
  expect(await forget(environment, '--user', 'U0BEN')).toEqual({
    code: 1,
    output: expect.stringMatching(/^Nothing more was deleted: .* is damaged/),
  });
  expect(readFileSync(file).equals(damaged)).toBe(true);
  // `--all` works without a readable state key.
  writeFileSync(join(DATA_DIR, 'state.key'), 'junk');
  const all = await forget(environment, '--all');
  expect(all).toEqual(ALL_DELETED);
  for (const name of ['snapshot-bot.sqlite', 'state.key'])
    expect(all.output).toContain(`${join(DATA_DIR, name)}: removed`);
  expect(readdirSync(DATA_DIR)).toEqual(['snapshot-bot.sqlite']);
});

test('An embedded store that the bot uses is left as it is', async ({ world }) => {
  await world.start();
  // On Enterprise Grid the id of a person may begin with W.
  expect(await forget(world.environment, '--user', 'W0ANA')).toEqual({
    code: 1,
    output: expect.stringMatching(/^Nothing more was deleted: .* is in use by another process/),
  });
});

sequential
  .runIf(has('redis-server'))
  .concurrent('A Redis that can’t be used is explained by its reason', async ({ world }) => {
    const { url } = await world.redis({ password: 'right' });
    const environment = { ...world.environment, REDIS_URL: url.replace('right', 'wrong') };
    expect(await forget(environment, '--user', 'U0ANA')).toEqual({
      code: 1,
      output: expect.stringMatching(/^Nothing more was deleted: .*\(WRONGPASS /),
    });
  });

test.for([[], ['--user', 'ana'], ['--user', 'U0ANA', '--all']])(
  'With %j its use is explained, and nothing deleted',
  async (args, { world }) => {
    const { code, output } = await forget(world.environment, ...args);
    expect(code).toBe(2);
    expect(output).toContain('usage: npm run forget');
  },
);

test('A problem of the configuration is explained, and nothing deleted', async ({ world }) => {
  const { code, output } = await forget({ ...world.environment, DIAGNOSTICS_VENDOR: '' }, '--all');
  expect(code).toBe(2);
  expect(output).toContain('DIAGNOSTICS_VENDOR');
});
