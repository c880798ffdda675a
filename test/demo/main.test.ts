import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from 'vitest';
import { readOptions } from './options.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** `temporary` is the folder for the files of a test's demo, which has to be empty at the end. */
const test = base.extend<{ temporary: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the dependencies of a fixture from its pattern.
  temporary: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

function start(temporary: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, TMPDIR: temporary } });
}

async function run(temporary: string, ...args: string[]) {
  const child = start(temporary, args);
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)));
  const [out = '', err = ''] = await Promise.all(streams);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, err };
}

test.concurrent('The tour shows every kind of answer', async ({ temporary }) => {
  const { code, out, err } = await run(temporary, '--tour');
  expect({ code, err }, out).toEqual({ code: 0, err: '' });
  expect(out).toContain('Snapshot 1003 is still being processed.');
  expect(out).toContain('2 logins');
  expect(out).toContain('0 breaches');
  expect(readdirSync(temporary)).toEqual([]);
});

test.concurrent('A command prints its answer and ends with 0, or with 1 without a result, over Socket Mode too', async ({
  temporary,
}) => {
  const { code, out, err } = await run(temporary, '/snapshot 1001');
  // A slow machine also prints “Looking up”.
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^(?:Looking up .*\n)?$/) });
  expect(out).toMatch(/Snapshot 1001 .*edge-7\.example\.com.*37 hits in 247 checks/s);
  const alone = await run(temporary, '/snapshot 1001 me');
  expect(alone).toMatchObject({ code: 0, out: expect.stringMatching(/All 37 hits/) });
  const unknown = await run(temporary, '/snapshot 9999', '--socket');
  expect(unknown).toMatchObject({ code: 1, out: expect.stringMatching(/Snapshot 9999 was not found/) });
  expect(readdirSync(temporary)).toEqual([]);
});

test.concurrent.each([
  [['--foo'], /--foo.*The demo knows/],
  [['1001'], /“1001” is not a slash command/],
  [['--tour', '/snapshot 1001'], /not both/],
])('%j is refused: %s', async (args, why) => {
  expect(() => readOptions(args)).toThrow(why);
});

test.concurrent('The help lists the options', async ({ temporary }) => {
  expect(await run(temporary, '--help')).toMatchObject({ code: 0, out: expect.stringMatching(/--tour/) });
});

test.concurrent('The page is announced first, and Ctrl-C leaves nothing behind', async ({ temporary }) => {
  const child = start(temporary, []);
  const address = await printed(child, /http:\/\/127\.0\.0\.1:\d+/);
  expect((await fetch(address)).status).toBe(200);
  // The first messages are posted only when the bot listens, so the bot receives their links.
  const underneath = await firstOf(await fetch(`${address}/events?as=ana`));
  expect(underneath).toContain('link_shared');
  expect(underneath).not.toContain('unreachable');
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(readdirSync(temporary)).toEqual([]);
});

/** The first event of a stream, which holds the whole state of the page. */
async function firstOf({ body }: Response): Promise<string> {
  let all = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    all += chunk;
    if (all.includes('\n\n')) break;
  }
  return all;
}

/** Waits for the wanted output. Does not close the stream, because that would end the process that writes into it. */
function printed(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let all = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
      const found = wanted.exec(all);
      if (found !== null) done(found[0]);
    });
    child.once('exit', () => fail(new Error(`It ended without ${wanted}: ${all}`)));
  });
}
