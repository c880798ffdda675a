import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { LoginRefused } from '../../../src/core/faults.ts';
import { examineAtStart } from '../../../src/doctor/examine.ts';
import { freePort } from '../../support/free-port.ts';
import { configOf } from '../../support/other-settings.ts';
import { startService } from '../../support/upstreams.ts';

/** What is logged at the start, and how often the service itself is said to be out of reach. */
async function checked(hosts: Readonly<Record<string, string>>, refusal?: Error, now = Date.now) {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The bot has its file open: it is not read, or the damage would be told.
  writeFileSync(join(folder, 'snapshot-bot.sqlite'), 'no database');
  const log: Record<string, unknown>[] = [];
  let unreachable = 0;
  const authenticate = async () => {
    if (refusal !== undefined) throw refusal;
  };
  await examineAtStart(configOf({ DATA_DIR: folder, ...hosts }), { authenticate } as never, {
    logger: pino({ base: null, timestamp: false }, { write: (line) => void log.push(JSON.parse(line)) }),
    now,
    onUnreachable: () => {
      unreachable += 1;
    },
  });
  return { log, unreachable, settings: log.flatMap(({ setting }) => setting ?? []) };
}

test('A host that can not be reached is a warning at the start; only the service’s own is told as its silence', async () => {
  const service = await startService();
  const { baseUrl, authUrl, loginUrl } = service;
  const good = {
    ...{ DIAGNOSTICS_BASE_URL: baseUrl, DIAGNOSTICS_AUTH_URL: authUrl, DIAGNOSTICS_LOGIN_URL: loginUrl },
  };
  const closed = `https://127.0.0.1:${await freePort()}`;
  const fine = await checked(good);
  expect([fine.settings, fine.unreachable]).toEqual([[], 0]);
  expect(fine.log).toEqual([{ level: 30, msg: 'the service accepts the account' }]);
  const page = await checked({ ...good, DIAGNOSTICS_LOGIN_URL: closed });
  expect([page.settings, page.unreachable]).toEqual([['DIAGNOSTICS_LOGIN_URL'], 0]);
  const base = await checked({ ...good, DIAGNOSTICS_BASE_URL: closed });
  expect([base.settings, base.unreachable]).toEqual([['DIAGNOSTICS_BASE_URL'], 1]);
  expect(base.log[0]).toMatchObject({ level: 40, repair: expect.stringMatching(/\w/) });
  // A certificate that is near its end is no silence.
  const late = await checked(good, undefined, () => Date.now() + 365 * 24 * 3_600_000);
  expect([late.settings[0], late.unreachable]).toEqual(['DIAGNOSTICS_BASE_URL', 0]);
  const refused = await checked(good, new LoginRefused(302, Date.now()));
  expect(refused.log).toEqual([
    {
      ...{ level: 40, fault: 'login-refused', repair: expect.stringMatching(/^Check DIAGNOSTICS_USER_ID/) },
      msg: expect.stringContaining('rejected the bot’s account'),
    },
  ]);
  // A file system that holds no files has no space either.
  if (existsSync('/proc/self'))
    expect((await checked({ ...good, DATA_DIR: '/proc/snapshot-bot' })).settings).toEqual(['DATA_DIR']);
  await service.close();
});
