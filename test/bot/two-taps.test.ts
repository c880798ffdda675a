import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { Delivery } from '../emulators/slack/model.ts';
import { atRest, metricsOf } from '../support/at-rest.ts';
import { fromBot } from '../support/bot-messages.ts';
import { chooseMore, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const LINK = 'https://service.example.com/snapshots/1012';

/** The latest interaction that Slack delivered. */
function latest({ slack }: World): Delivery {
  return slack.records.deliveries.findLast(({ kind }) => kind === 'interaction') ?? expect.fail('no press');
}

/** How many clicks the bot has finished, whether well or not. */
async function served(world: World): Promise<number> {
  const lines = (await metricsOf(world)).matchAll(
    /deliveries_total\{kind="\w+-click",outcome="(?:served|failed)"\} (\d+)/g,
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Brings up a button, and returns a function that presses it. */
type Prepare = (world: World) => Promise<() => Promise<unknown>>;

const LOOK_UPS: Record<string, Prepare> = {
  'Report of 1011': async (world) => {
    const message = await ask(world, 'compare 1010 1011');
    return () => world.slack.click({ message, actionId: 'report', user: 'ben' });
  },
  'Show hits': async (world) => {
    const { message } = await world.slack.say({ text: `<${LINK}>` });
    const shown = await world.slack.waitFor(
      () => world.slack.messages(SUPPORT).find(({ ts, unfurls }) => ts === message.ts && unfurls?.[LINK]),
      'a preview',
    );
    return () => world.slack.click({ message: shown, link: LINK, actionId: 'preview-show', user: 'ben' });
  },
};
const BUTTONS: Record<string, Prepare> = {
  ...LOOK_UPS,
  'Export as CSV': async (world) => {
    const message = await ask(world, '1001');
    return () => chooseMore(world, message, 'Export as CSV');
  },
};

/** The bot's replies in threads, once it has finished everything that the presses started. */
async function answers(world: World) {
  const presses = world.slack.records.deliveries.filter(({ kind }) => kind === 'interaction').length;
  await eventually(async () => expect(await served(world)).toBe(presses));
  await atRest(world.address());
  return fromBot(world).filter(({ threadTs, ephemeral }) => threadTs !== undefined && !ephemeral);
}

test.for(Object.entries(BUTTONS))('Two taps on “%s” count as one press', async ([, prepare], { world }) => {
  const press = await prepare(world);
  await press();
  const delivery = latest(world);
  const again = await world.slack.pressAgain(delivery);
  expect([delivery.acknowledged, again.acknowledged]).toEqual([true, true]);
  expect(await answers(world)).toHaveLength(1);
});

test('Two people who press the same button are both answered', async ({ world }) => {
  const message = await ask(world, '1001');
  for (const user of ['ben', 'ana']) await chooseMore(world, message, 'Export as CSV', user);
  const texts = (await answers(world)).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['U0ANA', 'U0BEN'].map((user) => expect.stringContaining(user)));
});

/**
 * Refuses to store a job that was accepted in an odd millisecond, so the clock of the test chooses which. The trigger
 * can't count attempts itself, because its error also undoes its own writes.
 */
const FAIL_WHEN_ODD = `
  CREATE TRIGGER fail_when_odd BEFORE INSERT ON jobs WHEN NEW.accepted % 2 = 1 BEGIN
    SELECT RAISE(ABORT, 'a fault of the test');
  END`;

test.for(Object.entries(LOOK_UPS))(
  'After a press of “%s” whose lookup could not be stored, the next press is answered',
  async ([, prepare], { open }) => {
    let odd = 0;
    const world = await open({ now: () => Math.trunc(Date.now() / 2) * 2 + odd });
    const press = await prepare(world);
    await world.stopBot();
    const database = new DatabaseSync(join(world.dataDir, 'snapshot-bot.sqlite'));
    database.exec(FAIL_WHEN_ODD);
    database.close();
    await world.restart();
    odd = 1;
    await press();
    await told(world, SUPPORT, 'can’t reach its own storage');
    expect(await answers(world)).toEqual([]);
    odd = 0;
    await world.slack.pressAgain(latest(world));
    expect(await answers(world)).toHaveLength(1);
  },
);
