import { describe, expect } from 'vitest';
import { DM, MODES, reads } from '../support/bot-messages.ts';
import { ask, test } from '../support/conversation.ts';
import { has } from '../support/needs.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import type { World } from '../support/world.ts';

const SORRY = 'can’t reach its own storage';

describe.runIf(has('redis-server'))('While the bot cannot write to its store', () => {
  /** What each way to ask is told, where the person sees it. */
  const ENTRY_POINTS: ((world: World) => Promise<unknown>)[] = [
    // a command
    async (world) => {
      await world.slack.command({ text: '1012', channel: 'C0WARROOM' });
      await reads(world, SORRY, { channel: 'C0WARROOM' });
    },
    // a mention
    async (world) => {
      await world.slack.mention({ text: '1012' });
      expect(await reads(world, SORRY)).toMatchObject({ ephemeral: true });
    },
    // a direct message
    async (world) => {
      await world.slack.say({ text: '1012', channel: DM });
      await reads(world, SORRY, { channel: DM });
    },
    // a message shortcut
    async (world) => {
      const channel = 'C0PARTNERS';
      const { message } = await world.slack.say({ text: '10012345', channel });
      await world.slack.shortcut({ callbackId: 'diagnose-snapshot', message });
      expect(await reads(world, SORRY, { channel })).toMatchObject({ ephemeral: true });
    },
    // the global shortcut
    async ({ slack }) => {
      await slack.shortcut({ callbackId: 'look-up-snapshot' });
      const view = await slack.waitFor(() => slack.modals().at(-1), 'the modal');
      await slack.submit({ view, values: { id: '1012' } });
      expect(slack.modals().at(-1)?.errors.id).toContain(SORRY);
    },
    // the Home tab
    async ({ slack }) => {
      await slack.openHome();
      const home = await slack.waitFor(() => slack.home(), 'the Home tab');
      expect(JSON.stringify(home.view)).toContain('can’t reach its own storage');
      // The lists of lookups cannot be read now.
      expect(JSON.stringify(home.view)).not.toContain('Nothing in the last few days');
      expect(JSON.stringify(home.view)).toContain('"action_id":"open-look-up"');
    },
  ];

  for (const mode of MODES) {
    test.concurrent(`everyone who asks over ${mode} is told so, in time`, async ({ open, redis: start }) => {
      const redis = await start();
      const world = await open({ mode, variables: { REDIS_URL: redis.url, STATE_KEY } });
      await ask(world, '1002');
      await redis.kill();
      // What a balancer checks, and what an alert does.
      const status = async (path: string) => (await fetch(`${world.address()}${path}`)).status;
      if (mode === 'http') expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
      for (const enter of ENTRY_POINTS) await enter(world);
      expect(world.slack.records.deliveries.filter(({ error }) => error !== undefined)).toEqual([]);
      await redis.start();
    });
  }
});
