import { afterEach, describe, expect, vi } from 'vitest';
import { shown, test } from '../support/conversation.ts';
import { processing } from '../support/shelved.ts';
import { STORES, stores } from '../support/stores.ts';

const HOUR_MS = 3_600_000;
const another = stores();
/** The clock of the service, which nobody sets. */
const now = Date.now;

/** The clock of the bot's machine, which can be set back. */
function adjustableClock() {
  const clock = { aheadMs: 0 };
  vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.aheadMs);
  return clock;
}
afterEach(() => void vi.restoreAllMocks());

/** On Redis a clock that goes back while the bot runs is noticed within a minute. */
const MOMENTS = {
  SQLite: ['while the bot runs', 'before it starts again'],
  Redis: ['before it starts again'],
};

describe.each(STORES)(
  'On %s a lookup that waits is not delayed by a clock that goes back an hour',
  (store) => {
    test.for(MOMENTS[store])('%s', async (when, { open }) => {
      const clock = adjustableClock();
      const world = await open({ variables: await another(store), service: { now } });
      world.service.nextAnswers([processing('Unpacking.'), processing('Reading.')]);
      await world.slack.command({ text: '1012' });
      await shown(world, 'Unpacking.');
      if (when === 'while the bot runs') {
        clock.aheadMs -= HOUR_MS;
      } else {
        await world.stopBot();
        clock.aheadMs -= HOUR_MS;
        await world.restart();
      }
      expect((await shown(world, '1 hit')).history).toHaveLength(2);
    });
  },
);
