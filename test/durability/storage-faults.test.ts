import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { ask, SUPPORT, test as worldTest } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has, pathTo } from '../support/needs.ts';
import { test as processTest } from '../support/process-world.ts';
import { READY, SLOW } from '../support/shelved.ts';

const FILE = 'snapshot-bot.sqlite';
const PRLIMIT = pathTo('prlimit') ?? '';
const STORAGE_TROUBLE = 'can’t reach its own storage';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('A damaged file', () => {
  const half = (good: Buffer) => good.subarray(0, Math.floor(good.length / 2));
  const middle = (good: Buffer) => {
    const page = 4_096 * Math.floor(good.length / 4_096 / 2);
    return Buffer.from(good).fill(0xa5, page, page + 4_096);
  };
  const damages: [what: string, damage: (good: Buffer) => Buffer][] = [
    ['is rubbish', () => Buffer.from('rubbish '.repeat(5_000))],
    ['is cut off', half],
    ['has a damaged page in its middle', middle],
    ['has lost its first page', (good) => Buffer.from(good).fill(0, 0, 4_096)],
  ];

  worldTest.for(damages)(
    'that %s ends the start with an error that names it, and is left as it is',
    async ([_, damage], { open }) => {
      const world = await open({ variables: { DATA_DIR: dataDir } });
      for (const id of ['1012', '1002', '1001']) await ask(world, id);
      await world.stopBot();
      const file = join(dataDir, FILE);
      const damaged = damage(readFileSync(file));
      writeFileSync(file, damaged);
      await expect(world.restart()).rejects.toThrow(`${file} is damaged; restore it from a backup`);
      expect(readFileSync(file).equals(damaged)).toBe(true);
    },
  );
});

describe('State of another version', () => {
  worldTest(
    'in the whole file stops the start with a message, and the file stays unchanged',
    async ({ open }) => {
      const world = await open({ variables: { DATA_DIR: dataDir } });
      await ask(world, '1012');
      await world.stopBot();
      const database = new DatabaseSync(join(dataDir, FILE));
      database.exec('PRAGMA user_version = 99');
      database.close();
      const before = readFileSync(join(dataDir, FILE));
      await expect(world.restart()).rejects.toThrow(/another version of the bot/);
      expect(readFileSync(join(dataDir, FILE)).equals(before)).toBe(true);
    },
  );
});

processTest.runIf(process.getuid?.() !== 0 || has('setpriv'))(
  'A data directory that can only be read ends the start with an error that names it',
  async ({ world }) => {
    const locked = join(dataDir, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    const bot = world.bot({ DATA_DIR: locked }, 'shipped');
    // The process runs as another user, because root ignores permissions.
    const code = await bot.fail(true);
    expect(code).toBe(1);
    expect(bot.log.join('\n')).toContain(`${locked} cannot be written to`);
    expect(readdirSync(locked)).toEqual([]);
  },
);

processTest.runIf(process.getuid?.() !== 0 || has('setpriv'))(
  'A key file that the user may not read, as after a restore by root, is explained',
  async ({ world }) => {
    const file = join(dataDir, 'state.key');
    writeFileSync(file, '', { mode: 0 });
    const bot = world.bot({ DATA_DIR: dataDir, STATE_KEY: '' }, 'shipped');
    const code = await bot.fail(true);
    expect(code).toBe(1);
    expect(bot.log.join('\n')).toMatch(
      /^Snapshot Bot cannot start: STATE_KEY: .*state\.key can’t be read by this user; run chown/,
    );
  },
);

/** Limits the size of the files that the process may write: 1 byte stands for a full disk. */
function limitFiles(pid: number, bytes: '1' | 'unlimited'): void {
  execFileSync(PRLIMIT, ['--pid', String(pid), `--fsize=${bytes}:`]);
}

processTest.runIf(has('prlimit'))(
  'On a full disk commands are refused honestly and at once, what is open stays, and ends once there is space',
  async ({ world }) => {
    const { slack, service } = world;
    const bot = await world.start();
    service.shelve('7001', SLOW);
    await slack.command({ text: '7001' });
    const find = (words: string) => slack.messages(SUPPORT).find(({ text }) => text.includes(words));
    const waiting = await slack.waitFor(() => find('Snapshot 7001 is still'), 'a wait');
    limitFiles(bot.pid, '1');
    service.shelve('7001', READY);
    for (const text of ['1012', '1002']) {
      const delivery = await slack.command({ text });
      expect(delivery.status).toBe(200);
      expect(delivery.body).toContain(STORAGE_TROUBLE);
    }
    expect((await fetch(`${bot.address}/readyz`)).status).toBe(503);
    expect((await fetch(`${bot.address}/healthz`)).status).toBe(200);
    // Either a step fails to begin, or its outcome can't be stored.
    await eventually(() => expect(bot.log.join('\n')).toMatch(/the queue reports an error|retrying lookup/));
    limitFiles(bot.pid, 'unlimited');
    expect((await slack.command({ text: '1012' })).body).toBe('');
    const result = await slack.waitFor(() => find('Snapshot 7001 of '), 'the open lookup to end', 15_000);
    expect(result.ts).toBe(waiting.ts);
    await slack.waitFor(() => find('Snapshot 1012 of '), 'the new lookup to end');
    expect((await fetch(`${bot.address}/readyz`)).status).toBe(200);
    expect(slack.messages(SUPPORT).filter(({ ephemeral }) => !ephemeral)).toHaveLength(2);
  },
);
