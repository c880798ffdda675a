import { describe, expect } from 'vitest';
import { atRest, metricsOf } from '../support/at-rest.ts';
import { ask, test } from '../support/conversation.ts';
import { linesOf } from '../support/home.ts';
import { devicesOf } from '../support/own-devices.ts';
import { SLOW } from '../support/shelved.ts';
import { deliverEvent } from '../support/slack-event.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

async function recentLookups({ slack }: World, user?: string): Promise<string> {
  await slack.openHome(user);
  return JSON.stringify(slack.home(user)?.view ?? slack.home(user));
}

const variablesOf = stores();

/** Uninstalls the app while a request for the snapshot is open. */
async function uninstallDuring(world: World, id: string): Promise<void> {
  const { service, slack } = world;
  service.shelve('7002', SLOW);
  // A first lookup logs the bot in: otherwise the hold would stop the login and not the request.
  await ask(world, '1011');
  const release = service.hold();
  await slack.command({ text: id });
  await expect.poll(() => service.records.requests.at(-1)?.id).toBe(id);
  expect(await deliverEvent(world, { type: 'app_uninstalled' })).toBe(200);
  release();
}

for (const store of STORES) {
  describe(`On ${store}`, () => {
    test('When an account is deactivated, the data of that person alone is deleted', async ({ open }) => {
      const world = await open({ variables: await variablesOf(store) });
      await ask(world, '1012');
      await ask(world, '1002', 'U0BEN');
      expect(await recentLookups(world)).toContain('1012');
      expect(await deliverEvent(world, { type: 'user_change', user: { id: 'U0ANA', deleted: true } })).toBe(
        200,
      );
      expect(await recentLookups(world)).not.toContain('1012');
      expect(linesOf(await devicesOf(world)).join()).not.toContain('1012');
      expect(await recentLookups(world, 'U0BEN')).toContain('1002');
    });

    test('A device loses its owner when the owner’s account is deactivated, and keeps its other data', async ({
      open,
    }) => {
      const world = await open({ variables: await variablesOf(store) });
      const message = await ask(world, '1001');
      await world.slack.click({ message, actionId: 'own', user: 'ben' });
      await expect.poll(async () => JSON.stringify(await ask(world, '1012'))).toContain('*Owner:* <@U0BEN>');
      await deliverEvent(world, { type: 'user_change', user: { id: 'U0BEN', deleted: true } });
      const after = JSON.stringify(await ask(world, '1012', 'ana'));
      expect(await recentLookups(world, 'U0BEN')).not.toContain('Mine');
      expect(after).not.toContain('Owner:');
      expect(after).toContain('Since 1001');
    });

    test('A change of an account, or a token that a person takes back, deletes nothing', async ({ open }) => {
      const world = await open({ variables: await variablesOf(store) });
      await ask(world, '1012');
      await expect.poll(() => recentLookups(world)).toContain('1012');
      await deliverEvent(world, { type: 'user_change', user: { id: 'U0ANA', deleted: false } });
      await deliverEvent(world, { type: 'tokens_revoked', tokens: { oauth: ['U0ANA'], bot: [] } });
      expect(await recentLookups(world)).toContain('1012');
    });

    test.for([
      { type: 'app_uninstalled' },
      { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0SNAPSHOT'] } },
    ])('After $type all stored data is gone, open lookups too', async (event, { open }) => {
      const world = await open({ variables: await variablesOf(store) });
      await ask(world, '1012');
      await beginWait(world, '7002');
      // The step that showed the wait may still be storing it, so the event is repeated until all is deleted.
      await expect
        .poll(async () => {
          expect(await deliverEvent(world, event)).toBe(200);
          const isOpen = !(await metricsOf(world)).includes('snapshot_bot_open_lookups 0');
          return { isOpen, isListed: (await recentLookups(world)).includes('1012') };
        })
        .toEqual({ isOpen: false, isListed: false });
    });

    test('A step that runs during an uninstall does not bring its lookup back', async ({ open }) => {
      const world = await open({ variables: await variablesOf(store) });
      await uninstallDuring(world, '7002');
      // A restart waits for running steps, and then resumes every stored lookup.
      await world.restart();
      await atRest(world.address());
      expect(world.service.records.requests.map((request) => request.id)).toEqual(['1011', '7002']);
    });
  });
}

test('Data that a step stored during an uninstall is deleted once the longest step is over', async ({
  open,
}) => {
  const world = await open({ timing: { longestStepMs: 2_000 } });
  await uninstallDuring(world, '1012');
  await expect.poll(() => recentLookups(world)).toContain('1012');
  await expect.poll(() => recentLookups(world)).not.toContain('1012');
});
