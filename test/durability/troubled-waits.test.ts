import { expect } from 'vitest';
import { offers, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { READY } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';

const test = sequential.concurrent;

test('A login that is refused in the middle of a wait does not end it: the wait goes on when it is repaired', async ({
  open,
}) => {
  const coolDownMs = 600;
  const world = await open({ timing: { coolDownMs } });
  const { service } = world;
  await beginWait(world);
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
