import { afterEach, describe, expect, vi } from 'vitest';
import { shown, test } from '../support/conversation.ts';
import { requests, shelveUnit } from '../support/several.ts';
import { processing } from '../support/shelved.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const HOUR_MS = 3_600_000;
const another = stores();
/** The real clock, which the service uses. */
const now = Date.now;

/** Makes the clock of the bot's process adjustable. */
function adjustableClock() {
  const clock = { aheadMs: 0 };
  vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.aheadMs);
  return clock;
}
afterEach(() => void vi.restoreAllMocks());

const MOMENTS = ['while the bot runs', 'before it starts again'];

describe.each(STORES)('On %s a clock that goes back an hour', (store) => {
  const goesBack = async (when: string, clock: { aheadMs: number }, world: World) => {
    const isRunning = when === 'while the bot runs';
    if (!isRunning) await world.stopBot();
    clock.aheadMs -= HOUR_MS;
    if (!isRunning) await world.restart();
  };

  test.for(MOMENTS)('%s delays no lookup that waits', async (when, { open }) => {
    const clock = adjustableClock();
    const world = await open({ variables: await another(store), service: { now } });
    world.service.nextAnswers([processing('Unpacking.'), processing('Reading.')]);
    await world.slack.command({ text: '1012' });
    await shown(world, 'Unpacking.');
    await goesBack(when, clock, world);
    expect((await shown(world, '1 hit')).history).toHaveLength(2);
  });

  test.for(MOMENTS)(
    '%s does not make the bot read the same result again and again',
    async (when, { open }) => {
      const clock = adjustableClock();
      const world = await open({ variables: await another(store), service: { now } });
      shelveUnit(world, 'Unpacking.');
      await world.slack.command({ text: '1014 1017' });
      await shown(world, '1 of 2 is ready');
      await goesBack(when, clock, world);
      shelveUnit(world);
      await shown(world, 'on both');
      expect(requests(world)['1014']).toBeLessThanOrEqual(2);
    },
  );
});
