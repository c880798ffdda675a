import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { type FarEnds, test } from '../support/far-ends.ts';
import { has } from '../support/needs.ts';

const FORGET = join(import.meta.dirname, '..', '..', 'src', 'forget.ts');
type Run = { readonly code: number | null; readonly output: string };

function forget(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> {
  return new Promise((done) => {
    const options = { env: { ...COMPILE_CACHE, ...environment }, cwd: tmpdir() };
    const child = execFile(process.execPath, [FORGET, ...args], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

function answered({ slack }: FarEnds, words: string): Promise<unknown> {
  return slack.waitFor(
    () => slack.messages('C0SUPPORT').find(({ text }) => text.includes(words)),
    `a message with ${words}`,
  );
}

/** Lets Ana ask for 1012 and for 7002, which waits, and Ben for 1002; then the bot ends. */
async function leaveTraces(ends: FarEnds, changes: Readonly<Record<string, string>>): Promise<void> {
  const bot = await ends.start(changes);
  ends.service.shelve('7002', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
  await ends.slack.command({ text: '1012' });
  await answered(ends, 'Snapshot 1012 ·');
  await ends.slack.command({ text: '1002', user: 'U0BEN' });
  await answered(ends, 'Snapshot 1002 ·');
  await ends.slack.command({ text: '7002' });
  await answered(ends, '7002 is still');
  await bot.end('SIGTERM');
}

async function expectForgets(ends: FarEnds, changes: Readonly<Record<string, string>>): Promise<void> {
  const environment = { ...ends.environment, ...changes };
  await leaveTraces(ends, changes);
  const ofBen = await forget(environment, '--user', 'U0BEN');
  expect(ofBen).toEqual({
    code: 0,
    output: expect.stringMatching(/^Deleted of user U0BEN:\n {2}recents: 1\n/),
  });
  expect((await forget(environment, '--user', 'U0BEN')).output).toBe('Nothing was kept of user U0BEN.\n');
  const of1012 = await forget(environment, '--snapshot', '1012');
  for (const kind of ['answers: 1', 'hit-summaries: 1', 'recents: 1']) expect(of1012.output).toContain(kind);
  expect(of1012.output).not.toContain('open lookups');
  expect((await forget(environment, '--snapshot', '1012')).output).toBe(
    'Nothing was kept of snapshot 1012.\n',
  );
  expect((await forget(environment, '--snapshot', '7002')).output).toContain('open lookups: 1');
  expect((await forget(environment, '--user', 'U0ANA')).code).toBe(0);
  expect(await forget(environment, '--all')).toEqual({
    code: 0,
    output: 'Everything that the bot kept is deleted.\n',
  });
  expect((await forget(environment, '--snapshot', '1002')).output).toBe(
    'Nothing was kept of snapshot 1002.\n',
  );
}

describe('npm run forget', () => {
  test('removes from the embedded store what it names, says what, and leaves the rest', {
    timeout: 60_000,
  }, async ({ ends }) => {
    await expectForgets(ends, {});
  });

  test.runIf(has('redis-server'))('does the same on Redis', { timeout: 60_000 }, async ({ ends }) => {
    const redis = await ends.redis();
    await expectForgets(ends, { REDIS_URL: redis.url });
  });

  test('says that the bot has to stop where it has the embedded store', async ({ ends }) => {
    await ends.start();
    const { code, output } = await forget(ends.environment, '--all');
    expect(code).toBe(1);
    expect(output).toMatch(/^Nothing was deleted: .* is in use by another process/);
  });

  test.for([[], ['--user', 'ana'], ['--snapshot', 'x'], ['--user', 'U0ANA', '--all'], ['--everything']])(
    'with %j explains how it is used, and deletes nothing',
    async (args, { ends }) => {
      const { code, output } = await forget(ends.environment, ...args);
      expect(code).toBe(2);
      expect(output).toContain('usage: npm run forget');
    },
  );
});
