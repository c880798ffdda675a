import { expect } from 'vitest';
import { DEFAULT_TIMING } from '../../src/lookups/lookups.ts';
import { USER_ID, USER_SECRET } from '../emulators/diagnostics-service/account.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { measures, metricsOf } from '../support/at-rest.ts';
import { ask, askTogether, ended, offers, shown, test, waits } from '../support/conversation.ts';
import type { World } from '../support/world.ts';

/** Puts `count` ready snapshots on the shelf, with the ids 7000, 7001, … */
function shelveMany({ service }: World, count: number): void {
  const { 1012: small } = demoShelf();
  if (small === undefined) throw new Error('the shelf has no small snapshot');
  for (let index = 0; index < count; index += 1) service.shelve(String(7000 + index), small);
}

test('A hundred commands after a refused login cost no other, and all are answered', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const together = await askTogether(world, 50, (index) => String(7000 + index));
  const after = await askTogether(world, 50, (index) => String(8000 + index));
  for (const message of [...together, ...after]) {
    expect(message.text).toContain('DIAGNOSTICS_USER_SECRET');
    expect(message.text).toMatch(/no earlier than <!date\^\d+\^/);
    expect(offers(message)).toEqual(['ask-again']);
  }
  expect(world.service.records.logins).toHaveLength(1);
  await world.restart();
  await ask(world, '9000');
  expect(world.service.records.logins).toHaveLength(1);
});

test('After the cool-down “Try again” and the next command log in again', async ({ open }) => {
  const world = await open({ timing: { coolDownMs: 1 } });
  world.service.switches.loginRefused = true;
  await ask(world, '1012');
  const message = await ask(world, '1012');
  world.service.switches.loginRefused = false;
  await world.slack.click({ message, actionId: 'ask-again', user: 'ben' });
  await shown(world, /^Snapshot 1012 .*1 hit/);
  expect(world.service.records.logins).toHaveLength(3);
});

test('The metric of a part in trouble is there only while the trouble lasts', async ({ world }) => {
  world.service.switches.loginRefused = true;
  await ask(world, '1012');
  await measures(world, 'snapshot_bot_trouble{part="login"} 1');
  world.clock.ahead = DEFAULT_TIMING.coolDownMs;
  expect(await metricsOf(world)).not.toContain('snapshot_bot_trouble{');
});

test('A changed password ends the cool-down at once', async ({ open }) => {
  const world = await open({ variables: { DIAGNOSTICS_USER_SECRET: 'an old password' } });
  expect((await ask(world, '1012')).text).toContain('DIAGNOSTICS_USER_SECRET');
  await world.restart({ DIAGNOSTICS_USER_SECRET: USER_SECRET });
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.logins.map(({ outcome }) => outcome)).toEqual(['refused', 'granted']);
});

test('Login servers that go on failing are left alone for a while after four tries, however many people wait', async ({
  open,
}) => {
  const world = await open({ timing: { progressAfterMs: 50 } });
  const { service, slack } = world;
  shelveMany(world, 20);
  service.switches.loginStatus = 503;
  // All twenty lookups are waiting before the first login fails.
  const release = service.hold();
  const ids = Array.from({ length: 20 }, (_, index) => String(7000 + index));
  await Promise.all(ids.map((text) => slack.command({ text })));
  await slack.waitFor(() => waits(world).length === 20 || undefined, 'all to wait');
  release();
  const { text } = await shown(world, /Looking up .*failed/);
  expect(text).toContain('login servers failed (status 503)');
  expect(text).not.toContain('DIAGNOSTICS_USER_SECRET');
  expect(service.records.logins).toHaveLength(4);
  service.switches.loginStatus = undefined;
  const messages = await ended(world, 20);
  expect(messages.filter(({ text }) => text.includes('1 hit'))).toHaveLength(20);
  expect(service.records.logins.map(({ outcome }) => outcome)).toEqual([
    ...Array(4).fill('scripted'),
    'granted',
  ]);
});

test('Another account does not use the session of the earlier account', async ({ world }) => {
  await ask(world, '1012');
  await world.restart({ DIAGNOSTICS_USER_ID: 'somebody-else@example.com' });
  expect((await ask(world, '1012')).text).toContain('DIAGNOSTICS_USER_ID');
  expect(world.service.records.requests).toHaveLength(1);
  expect(world.service.records.logins.map(({ userId }) => userId)).toEqual([
    USER_ID,
    'somebody-else@example.com',
  ]);
});
