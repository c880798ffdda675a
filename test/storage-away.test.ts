import { afterEach, beforeEach, describe, expect } from 'vitest';
import { ask, test } from './harness/conversation.ts';
import { has } from './harness/needs.ts';
import { DM, MODES, reads } from './harness/places.ts';
import { startRedis, type TestRedis } from './harness/redis.ts';
import type { Workplace } from './harness/workplace.ts';

const SORRY = 'cannot reach its own storage';
const STATE_KEY = Buffer.alloc(32, 7).toString('base64');

let redis: TestRedis;

describe.runIf(has('redis-server'))('while the bot can not write anything down', () => {
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.close());

  /** What each way to ask is told, where the person sees it. */
  const ENTRANCES: ((workplace: Workplace) => Promise<unknown>)[] = [
    // a command
    async (workplace) => {
      await workplace.slack.command({ text: '1012', channel: 'C0WARROOM' });
      await reads(workplace, SORRY, { channel: 'C0WARROOM' });
    },
    // a mention
    async (workplace) => {
      await workplace.slack.mention({ text: '1012' });
      expect(await reads(workplace, SORRY)).toMatchObject({ ephemeral: true });
    },
    // a direct message
    async (workplace) => {
      await workplace.slack.say({ text: '1012', channel: DM });
      await reads(workplace, SORRY, { channel: DM });
    },
    // a message shortcut
    async (workplace) => {
      const channel = 'C0PARTNERS';
      const { message } = await workplace.slack.say({ text: '10012345', channel });
      await workplace.slack.shortcut({ callbackId: 'diagnose-snapshot', message });
      expect(await reads(workplace, SORRY, { channel })).toMatchObject({ ephemeral: true });
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
      expect(JSON.stringify(home.view)).toContain('cannot read its own storage');
    },
  ];

  for (const mode of MODES) {
    test(`everyone who asks over ${mode} is told so, in time`, async ({ open }) => {
      const workplace = await open({ mode, variables: { REDIS_URL: redis.url, STATE_KEY } });
      await ask(workplace, '1002');
      await redis.kill();
      for (const enter of ENTRANCES) await enter(workplace);
      expect(workplace.slack.records.deliveries.filter(({ error }) => error !== undefined)).toEqual([]);
      await redis.start();
    });
  }
});
