import { expect } from 'vitest';
import { ask, shown, test } from '../support/conversation.ts';
import { deliverEvent } from '../support/slack-event.ts';
import type { World } from '../support/workplace.ts';

async function recentLookups({ slack }: World, user?: string): Promise<string> {
  await slack.openHome(user);
  return JSON.stringify(slack.home(user)?.view ?? slack.home(user));
}

test('When an account is deactivated, what was kept of that person goes, and of nobody else', async ({
  open,
}) => {
  const world = await open();
  await ask(world, '1012');
  await ask(world, '1002', 'U0BEN');
  expect(await recentLookups(world)).toContain('1012');
  expect(await deliverEvent(world, { type: 'user_change', user: { id: 'U0ANA', deleted: true } })).toBe(200);
  expect(await recentLookups(world)).not.toContain('1012');
  expect(await recentLookups(world, 'U0BEN')).toContain('1002');
});

test('A change of an account that is not its end deletes nothing', async ({ open }) => {
  const world = await open();
  await ask(world, '1012');
  await deliverEvent(world, { type: 'user_change', user: { id: 'U0ANA', deleted: false } });
  await deliverEvent(world, { type: 'tokens_revoked', tokens: { oauth: ['U0ANA'], bot: [] } });
  expect(await recentLookups(world)).toContain('1012');
});

test.for([
  { type: 'app_uninstalled' },
  { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0SNAPSHOT'] } },
])('After $type everything that was kept is gone, open lookups too', async (event, { open }) => {
  const world = await open();
  await ask(world, '1012');
  world.service.shelve('7002', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
  await world.slack.command({ text: '7002' });
  await shown(world, '7002 is still being processed');
  // The step that has just shown the wait may be ending still.
  await expect
    .poll(async () => {
      expect(await deliverEvent(world, event)).toBe(200);
      return (await fetch(`${world.address()}/metrics`)).text();
    })
    .toContain('snapshot_bot_open_lookups 0');
  expect(await recentLookups(world)).not.toContain('1012');
});
