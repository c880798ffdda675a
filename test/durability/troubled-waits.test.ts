import { expect } from 'vitest';
import type { Reply } from '../emulators/diagnostics-service/types.ts';
import { ask, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { processing, READY, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;

test('A fault that may pass does not end a wait that has begun', async ({ world }) => {
  const down: Reply = { status: 503 };
  const script = [
    processing('Busy.'),
    down,
    down,
    down,
    down,
    ...Array(4).fill('reset'),
    processing('Busy.'),
  ];
  world.service.nextAnswers(script);
  const message = await ask(world, '1012');
  expect(message.text).toContain('1 hit');
  expect(message.history.map(({ text }) => text)).toEqual([
    'Snapshot 1012 is still being processed. The service says: Busy.',
    expect.stringMatching(/still being processed.*failed \(status 503\).*I’ll keep trying\./),
    expect.stringMatching(/still being processed.*closed the connection before.*I’ll keep trying\./),
    'Snapshot 1012 is still being processed. The service says: Busy.',
  ]);
  expect(world.service.records.requests).toHaveLength(script.length + 1);
});

test('A login that is refused in the middle of a wait does not end it: the wait goes on when it is repaired', async ({
  open,
}) => {
  const coolDownMs = 600;
  const world = await open({ timing: { coolDownMs } });
  const { service } = world;
  service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'is still being processed');
  service.switches.loginRefused = true;
  service.expireSessions();
  const troubled = await shown(world, 'I’ll keep trying');
  expect(troubled.text).toContain('the service rejected the bot’s account');
  expect(offers(troubled)).toContain('cancel');
  // The refusal lasts until a second login is refused.
  await eventually(() => expect(service.records.logins).toHaveLength(3));
  service.switches.loginRefused = false;
  service.shelve('7001', READY);
  const result = await shown(world, '1 hit');
  expect(result.ts).toBe(troubled.ts);
  const refused = service.records.logins.filter(({ outcome }) => outcome === 'refused');
  const times = refused.map(({ arrivedAt }) => arrivedAt);
  for (const [index, at] of times.slice(1).entries())
    expect(at - (times[index] ?? at)).toBeGreaterThanOrEqual(coolDownMs);
  expect(service.records.logins.at(-1)?.outcome).toBe('granted');
});

test('Sessions that end again and again cost a login each, and the wait is one message', async ({
  world,
}) => {
  const { service } = world;
  service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'is still being processed');
  for (let times = 1; times <= 4; times += 1) {
    service.expireSessions();
    // A session that ends before its first answer would be one that the service refuses right after a login.
    const expired = service.records.requests.length;
    const isUsed = () =>
      service.records.requests
        .slice(expired)
        .some(({ session, status }) => session === 'live' && status === 202);
    await eventually(() => expect(isUsed()).toBe(true));
    expect(service.records.logins).toHaveLength(times + 1);
  }
  service.shelve('7001', READY);
  const result = await shown(world, '1 hit');
  expect(result.history.map(({ text }) => text)).toEqual(['Snapshot 7001 is still being processed.']);
  expect(service.records.logins).toHaveLength(5);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});
