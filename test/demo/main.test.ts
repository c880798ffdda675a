import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { BotProcess } from '../support/bot-process.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from './asking.ts';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { runCommand } from './one-command.ts';
import { meaningOf } from './reading.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** `temporary` is where a test's demo puts what it needs, to see that nothing stays. */
const test = base.extend<{ temporary: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
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

test.concurrent('the tour shows every kind of answer, over Socket Mode too', async ({ temporary }) => {
  const [http, socket] = await Promise.all([run(temporary, '--tour'), run(temporary, '--tour', '--socket')]);
  for (const { code, out, err } of [http, socket]) {
    expect({ code, err }, out).toEqual({ code: 0, err: '' });
    expect(out).toContain('Snapshot 1003 is still being processed.');
    expect(out).toContain('2 logins');
    expect(out).toContain('0 breaches');
  }
  expect(readdirSync(temporary)).toEqual([]);
});

test.concurrent('a bot that is killed in a wait and started again answers', async ({ onTestFinished }) => {
  const world = await openDemoWorld();
  onTestFinished(() => world.close());
  world.service.shelve('7001', {
    title: 'Ready soon',
    purpose: 'Ready at the second look.',
    document: realisticDocument,
    processing: { forMs: 1_000 },
  });
  await world.bot.start();
  const isWaiting = Promise.withResolvers<void>();
  const answered = ask(world.slack, { command: '/snapshot 7001 hit', channel: 'support', user: 'ana' }, () =>
    isWaiting.resolve(),
  );
  await isWaiting.promise;
  await world.bot.end('SIGKILL');
  expect(world.bot.state).toBe('stopped');
  await world.bot.start();
  expect(meaningOf(await answered)).toBe('result');
  expect(world.bot.state).toBe('running');
  expect([...world.slack.records.breaches, ...world.service.records.breaches]).toEqual([]);
});

test.concurrent('a bot that ends by itself says why', async () => {
  const told: string[] = [];
  const onDeath = ({ message }: Error) => told.push(message);
  const bot = new BotProcess({ LOG_LEVEL: 'loud' }, 'shipped', { onDeath });
  await expect(bot.start()).rejects.toThrow('LOG_LEVEL is none of');
  expect([bot.state, told.length]).toEqual(['died', 1]);
});

// These two wait for most of their time: beside them the others run, one after the other.
const oneAfterTheOther = { concurrent: false };
describe.concurrent('beside the tour', () => {
  test('one command: the answer on standard output, and 0', oneAfterTheOther, async ({ temporary }) => {
    const { code, out, err } = await run(temporary, '/snapshot 1001 hit');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').slice(0, 2)).toEqual(['snapshot', 'Snapshot 1001 · edge-7.example.com']);
    expect(out).toContain('37 hits in 247 checks');
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('/snapshot 9999: 1, because it is no result', oneAfterTheOther, async ({ temporary }) => {
    const { code, out, err } = await run(temporary, '/snapshot 9999');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/Snapshot 9999 was not found/);
  });

  describe('in a demo that runs', () => {
    let world: DemoWorld;
    beforeAll(async () => {
      world = await openDemoWorld();
      await world.bot.start();
    });
    afterAll(() => world.close());

    test.each([
      ['/snapshot', /Only visible to you/],
      ['/snapshot 1007', /1007/],
    ])('%s is answered, and is no result', oneAfterTheOther, async (command, said) => {
      const lines: string[] = [];
      const out = (line: string) => void lines.push(line);
      expect(await runCommand(world, command, { out, err: out })).toBe(false);
      expect(lines.join('\n')).toMatch(said);
    });

    test('what a command shows in a window is its answer', oneAfterTheOther, async () => {
      const lines: string[] = [];
      const out = (line: string) => void lines.push(line);
      expect(await runCommand(world, '/snapshot 1012 me', { out, err: () => {} })).toBe(true);
      expect(lines.join('\n')).toMatch(/Only visible to you.*1 hit — 1 medium/s);
    });

    test('nobody of another company reads a result', oneAfterTheOther, async () => {
      const { slack } = world;
      await slack.command({ text: '1012', user: 'ana', channel: 'partners' });
      const read = (channel: string, user: string) => JSON.stringify(slack.messages(channel, user));
      await eventually(() => expect(read('@ana', 'ana')).toContain('chs600777s'));
      expect(read('partners', 'guest')).not.toContain('chs600777s');
    });
  });

  test('arguments that make no sense: 1, and why', oneAfterTheOther, async ({ temporary }) => {
    const { code, out, err } = await run(temporary, '--foo');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('--foo');
    expect((await run(temporary, '--help')).out).toContain('npm run demo -- --tour');
  });

  test(
    'the page is announced first, and Ctrl-C leaves nothing behind',
    oneAfterTheOther,
    async ({ temporary }) => {
      const child = start(temporary, []);
      const address = await printed(child, /http:\/\/127\.0\.0\.1:\d+/);
      expect((await fetch(address)).status).toBe(200);
      // Nothing that was said before the demo has gone to a bot that did not listen yet.
      const underneath = await firstOf(await fetch(`${address}/events?as=ana`));
      expect(underneath).toContain('link_shared');
      expect(underneath).not.toContain('unreachable');
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      expect(await exited).toEqual([0, null]);
      expect(readdirSync(temporary)).toEqual([]);
      await expect(fetch(address)).rejects.toThrow();
    },
  );
});

/** The first event of a stream: all that an open page shows. */
async function firstOf({ body }: Response): Promise<string> {
  let all = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    all += chunk;
    if (all.includes('\n\n')) break;
  }
  return all;
}

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
