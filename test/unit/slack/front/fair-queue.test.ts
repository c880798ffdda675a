import { expect, test } from 'vitest';
import { Precedence } from '../../../../src/core/event-loop.ts';
import { fairQueue } from '../../../../src/slack/front/turns.ts';

type Sent = { readonly user: string; readonly channel: string };
type Work = (sent: Sent, free: () => void) => Promise<void>;

/** What takes deliveries, and does this for each of them. */
function receiver(work: Work, precedence = new Precedence()) {
  const inTurn = fairQueue(precedence);
  return (sent: Sent) => inTurn([sent.user, sent.channel], (free) => work(sent, free));
}

const command = (user: string, channel = 'C1'): Sent => ({ user, channel });

/** The order in which deliveries that come at once are worked on. */
async function orderOf(events: readonly Sent[]): Promise<string[]> {
  const order: string[] = [];
  const take = receiver(async ({ user }) => {
    order.push(user);
    await new Promise(setImmediate);
  });
  await Promise.all(events.map(take));
  return order;
}

test('Whoever comes last is not behind the hundreds of another person', async () => {
  const flood = Array.from({ length: 300 }, () => command('UANA', 'C1'));
  const order = await orderOf([...flood, command('UBEN', 'C2'), command('UCLEO', 'C3')]);
  expect(order).toHaveLength(302);
  expect(order.indexOf('UBEN')).toBeLessThan(40);
  expect(order.indexOf('UCLEO')).toBeLessThan(40);
});

test('A quiet channel is not behind a busy one, whoever is in both', async () => {
  const crowd = Array.from({ length: 300 }, (_, index) => command(`U${index}`, 'C1'));
  const order = await orderOf([...crowd, command('UBEN', 'C2')]);
  expect(order.indexOf('UBEN')).toBeLessThan(40);
});

test('Work that goes on after the acknowledgement holds up nobody', async () => {
  const endless = new Promise<void>(() => {});
  const acknowledged: string[] = [];
  const take = receiver(async ({ user }, free) => {
    free();
    acknowledged.push(user);
    if (user !== 'ULAST') await endless;
  });
  for (let index = 0; index < 100; index += 1) void take(command(`U${index}`));
  await take(command('ULAST'));
  expect(acknowledged).toHaveLength(101);
});

test('What the work throws reaches whoever delivered, and the turn is over', async () => {
  const take = receiver(async ({ user }) => {
    if (user === 'UBAD') throw new Error('no');
  });
  const bad = Array.from({ length: 100 }, () => take(command('UBAD')));
  await expect(Promise.all(bad)).rejects.toThrow('no');
  await Promise.allSettled(bad);
  await expect(take(command('UGOOD'))).resolves.toBeUndefined();
});

test('While deliveries wait, other work goes slower; a few turns after them it does not', async () => {
  const precedence = new Precedence();
  const { promise: working, resolve: end } = Promise.withResolvers<void>();
  const take = receiver(() => working, precedence);
  const taken = Promise.all([take(command('UANA')), take(command('UBEN'))]);
  /** How many turns of the event loop pass before other work may begin. */
  const turns = async () => {
    let passed = 0;
    let isOver = false;
    const begun = precedence.turn().then(() => {
      isOver = true;
    });
    while (!isOver) {
      passed += 1;
      await new Promise(setImmediate);
    }
    await begun;
    return passed;
  };
  const during = await turns();
  end();
  await taken;
  // The next delivery may be on its way.
  expect(await turns()).toBe(during);
  const after = await turns();
  expect(during).toBeGreaterThan(after);
});

test('Who has been answered is behind nobody: only what still waits counts', async () => {
  const { promise: working, resolve: end } = Promise.withResolvers<void>();
  let isOpen = true;
  const order: string[] = [];
  const take = receiver(async ({ user }) => {
    if (!isOpen) order.push(user);
    else await Promise.resolve();
    if (user === 'UFULL') await working;
  });
  for (let times = 0; times < 20; times += 1) await take(command('UANA', 'C1'));
  await new Promise(setImmediate);
  isOpen = false;
  const full = Array.from({ length: 32 }, (_, index) => take(command('UFULL', `C1${index}`)));
  const others = [take(command('UANA', 'C2')), take(command('UBEN', 'C3'))];
  end();
  await Promise.all([...full, ...others]);
  expect(order.indexOf('UANA')).toBeLessThan(order.indexOf('UBEN'));
});
