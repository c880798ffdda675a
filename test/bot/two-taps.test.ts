import { expect } from 'vitest';
import type { Delivery } from '../emulators/slack/model.ts';
import { atRest, metricsOf } from '../support/at-rest.ts';
import { fromBot } from '../support/bot-messages.ts';
import { chooseMore } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const LINK = 'https://service.example.com/snapshots/1012';

/** The latest press of a button. */
function latest({ slack }: World): Delivery {
  return slack.records.deliveries.findLast(({ kind }) => kind === 'interaction') ?? expect.fail('no press');
}

/** How many clicks were served. */
async function served(world: World): Promise<number> {
  const lines = (await metricsOf(world)).matchAll(
    /deliveries_total\{kind="\w+-click",outcome="served"\} (\d+)/g,
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

const BUTTONS: Record<string, (world: World) => Promise<unknown>> = {
  Compare: async (world) => {
    await ask(world, '1010');
    const message = await ask(world, '1011');
    await world.slack.click({ message, actionId: 'compare-last', user: 'ben' });
  },
  'Show hits': async (world) => {
    const { message } = await world.slack.say({ text: `<${LINK}>` });
    const shown = await world.slack.waitFor(
      () => world.slack.messages(SUPPORT).find(({ ts, unfurls }) => ts === message.ts && unfurls?.[LINK]),
      'a preview',
    );
    await world.slack.click({ message: shown, link: LINK, actionId: 'preview-show', user: 'ben' });
  },
  'Export as CSV': async (world) => chooseMore(world, await ask(world, '1001'), 'Export 37 hits as CSV'),
};

test.for(Object.entries(BUTTONS))('Two taps on “%s” are one press', async ([, press], { open }) => {
  const world = await open();
  await press(world);
  const delivery = latest(world);
  const again = await world.slack.pressAgain(delivery);
  expect([delivery.acknowledged, again.acknowledged]).toEqual([true, true]);
  // Whatever a press leads to has been done.
  const presses = world.slack.records.deliveries.filter(({ kind }) => kind === 'interaction').length;
  await eventually(async () => expect(await served(world)).toBe(presses));
  await atRest(world.address());
  expect(fromBot(world).filter(({ threadTs }) => threadTs !== undefined)).toHaveLength(1);
});
