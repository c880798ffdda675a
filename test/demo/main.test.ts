import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** Where the demo puts what it needs, to see that nothing stays. */
let temporary = '';
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'demo-test-'));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, TMPDIR: temporary } });
}

async function run(...args: string[]) {
  const child = start(args);
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)));
  const [out = '', err = ''] = await Promise.all(streams);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, err };
}

test('one command: the answer on standard output, and 0', async () => {
  const { code, out, err } = await run('/snapshot 1001 hit');
  expect(code).toBe(0);
  expect(out.split('\n').slice(0, 2)).toEqual(['snapshot', 'Snapshot 1001 · edge-7.example.com']);
  expect(out).toContain('37 hits in 247 checks');
  expect(err).toBe('');
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([
  ['/snapshot 9999', /Snapshot 9999 was not found/],
  ['/snapshot', /Only visible to you/],
  ['/snapshot 1007', /1007/],
])('%s: 1, because it is no result', async (command, said) => {
  const { code, out } = await run(command);
  expect(out).toMatch(said);
  expect(code).toBe(1);
});

test('arguments that make no sense: 1, and why', async () => {
  const { code, out, err } = await run('--foo');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('--foo');
  expect((await run('--help')).out).toContain('npm run demo -- --tour');
});

test('the tour plays every kind of answer, through Socket Mode too', async () => {
  const [http, socket] = await Promise.all([run('--tour'), run('--tour', '--socket')]);
  for (const { code, out, err } of [http, socket]) {
    expect(err).toBe('');
    expect(out).toContain('Snapshot 1003 is still being processed.');
    expect(out).toContain('2 logins');
    expect(out).toContain('0 breaches');
    expect(code).toBe(0);
  }
  expect(readdirSync(temporary)).toEqual([]);
});

test('the page is announced first, and Ctrl-C leaves nothing behind', async () => {
  const child = start([]);
  const address = await printed(child, /http:\/\/127\.0\.0\.1:\d+/);
  expect((await fetch(address)).status).toBe(200);
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(readdirSync(temporary)).toEqual([]);
  await expect(fetch(address)).rejects.toThrow();
});

/** Leaves the stream open: a pipe that is closed would end whoever still writes into it. */
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
