import { describe, expect } from 'vitest';
import { DM, MODES, reads } from '../support/bot-messages.ts';
import { ask, test } from '../support/conversation.ts';
import { has } from '../support/needs.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import type { World } from '../support/world.ts';

const SORRY = 'can’t reach its own storage';

/** Every way to ask, and where the person reads the apology. */
const WAYS_TO_ASK: Record<string, (world: World) => Promise<unknown>> = {
  'a command': async (world) => {
    await world.slack.command({ text: '1012', channel: 'C0WARROOM' });
    await reads(world, SORRY, { channel: 'C0WARROOM' });
  },
  'a mention': async (world) => {
    await world.slack.mention({ text: '1012' });
    expect(await reads(world, SORRY)).toMatchObject({ ephemeral: true });
  },
  'a direct message': async (world) => {
    await world.slack.say({ text: '1012', channel: DM });
    await reads(world, SORRY, { channel: DM });
  },
  'a message shortcut': async (world) => {
    const channel = 'C0PARTNERS';
    const { message } = await world.slack.say({ text: '10012345', channel });
    await world.slack.shortcut({ callbackId: 'diagnose-snapshot', message });
    expect(await reads(world, SORRY, { channel })).toMatchObject({ ephemeral: true });
  },
  'the global shortcut': async ({ slack }) => {
    await slack.shortcut({ callbackId: 'look-up-snapshot' });
    const view = await slack.waitFor(() => slack.modals().at(-1), 'the modal');
    await slack.submit({ view, values: { id: '1012' } });
    expect(JSON.stringify(slack.modals().at(-1)?.view)).toContain(SORRY);
  },
  'the Home tab': async ({ slack }) => {
    await slack.openHome();
    const home = await slack.waitFor(() => slack.home(), 'the Home tab');
    expect(JSON.stringify(home.view)).toContain(SORRY);
    // The Home tab can't read its lists now, and must not call them empty.
    expect(JSON.stringify(home.view)).not.toContain('Nothing in the last few days');
    expect(JSON.stringify(home.view)).toContain('"action_id":"open-look-up"');
  },
};

describe.runIf(has('redis-server'))('While the storage is away', () => {
  test.concurrent.for(MODES)(
    'people who ask over %s are told that the bot can’t reach it, and no delivery fails',
    async (mode, { open, redis: start }) => {
      const redis = await start();
      const world = await open({ mode, variables: { REDIS_URL: redis.url, STATE_KEY } });
      await ask(world, '1002');
      await redis.kill();
      for (const askAndRead of Object.values(WAYS_TO_ASK)) await askAndRead(world);
      expect(world.slack.records.deliveries.filter(({ error }) => error !== undefined)).toEqual([]);
      // The bot stops quickly only with a reachable Redis.
      await redis.start();
    },
  );

  test.concurrent('the bot is alive and not ready', async ({ open, redis: start }) => {
    const redis = await start();
    const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
    await redis.kill();
    const status = async (path: string) => (await fetch(`${world.address()}${path}`)).status;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
    // The bot stops quickly only with a reachable Redis.
    await redis.start();
  });
});
