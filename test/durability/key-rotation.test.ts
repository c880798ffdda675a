import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { settled } from '../support/bot-messages.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { modal } from '../support/clicking.ts';
import { ask, SUPPORT, test as worldTest } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';
import { READY, SLOW } from '../support/shelved.ts';

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
/**
 * The steps of docs/operate.md: replicas first can decrypt with the new key, then encrypt with it, then drop the old key.
 */
const KEY_LISTS = [`${OLD},${NEW}`, `${NEW},${OLD}`, `${NEW}`];

/** Replaces the replicas one by one by replicas with another STATE_KEY. A lookup is accepted after each of them. */
async function roll(
  world: ProcessWorld,
  replicas: BotProcess[],
  environment: Record<string, string>,
  accept: () => Promise<void>,
): Promise<BotProcess[]> {
  const next: BotProcess[] = [];
  for (const [index, replica] of replicas.entries()) {
    const started = await world.start(environment);
    next.push(started);
    world.deliverTo(started, ...replicas.slice(index + 1));
    await replica.end('SIGTERM');
    await accept();
  }
  return next;
}

test.runIf(has('redis-server'))(
  'A key is changed under two replicas: no lookup and no cancel is lost, and nobody sees an error',
  async ({ world }) => {
    const { slack, service } = world;
    const { url } = await world.redis();
    const withKey = (STATE_KEY: string) => ({ REDIS_URL: url, STATE_KEY });
    let replicas = [await world.start(withKey(`${OLD}`)), await world.start(withKey(`${OLD}`))];
    let asked = 0;
    const accept = async () => {
      const id = String(7_000 + asked);
      asked += 1;
      service.shelve(id, SLOW);
      expect((await slack.command({ text: id })).body).toBe('');
      await slack.waitFor(() => slack.messages(SUPPORT)[asked - 1], `the wait for ${id}`);
    };
    await accept();
    for (const keys of KEY_LISTS) {
      // The session is still used, because the list still has the key that encrypted it at the login.
      expect(service.records.logins).toHaveLength(1);
      replicas = await roll(world, replicas, withKey(keys), accept);
      // A step encrypts its lookup again, with the first key. So each open lookup needs a step before the old key goes.
      const before = service.records.requests.length;
      const open = Array.from({ length: asked }, (_, index) => String(7_000 + index));
      const stepped = () => new Set(service.records.requests.slice(before).map(({ id }) => id));
      await eventually(() => expect(stepped()).toEqual(new Set(open)));
    }
    const unwanted = slack.messages(SUPPORT)[0];
    if (unwanted === undefined) throw new Error('no message');
    await slack.click({ message: unwanted, actionId: 'cancel' });
    const first = () => slack.messages(SUPPORT).find(({ ts }) => ts === unwanted.ts)?.text ?? '';
    await slack.waitFor(() => (first().includes('was cancelled') ? true : undefined), 'the end of the first');
    for (let index = 1; index < asked; index += 1) service.shelve(String(7_000 + index), READY);
    const results = () => slack.messages(SUPPORT).filter(({ text }) => text.includes('1 hit'));
    await slack.waitFor(() => results()[asked - 2], 'the other results', 30_000);
    for (const { address } of replicas) await atRest(address);
    expect(results()).toHaveLength(asked - 1);
    expect(slack.messages(SUPPORT)).toHaveLength(asked);
  },
  90_000,
);

test.runIf(has('redis-server'))(
  'Readiness and the log report a missing key until it is back',
  async ({ world }) => {
    const { slack, service } = world;
    const { url } = await world.redis();
    const withKey = (STATE_KEY: string) => ({ REDIS_URL: url, STATE_KEY });
    const before = await world.start(withKey(`${OLD}`));
    service.shelve('7001', SLOW);
    await slack.command({ text: '7001' });
    await slack.waitFor(() => slack.messages(SUPPORT)[0], 'the wait');
    await before.end('SIGTERM');
    const between = await world.start(withKey(`${NEW}`));
    const reasons = async () => (await fetch(`${between.address}/readyz`)).text();
    await eventually(async () => expect(await reasons()).toContain('"part":"state key"'));
    const said = between.log.filter((line) => line.includes('open lookup or follow could not be opened'));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/"setting":"STATE_KEY","repair":"add the key/);
    await between.end('SIGTERM');
    const { address } = await world.start(withKey(`${NEW},${OLD}`));
    service.shelve('7001', READY);
    await slack.waitFor(
      () => slack.messages(SUPPORT).find(({ text }) => text.includes('1 hit')),
      'it',
      30_000,
    );
    expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ ready: true, reasons: [] });
  },
  90_000,
);

const DAY_MS = 24 * 3_600_000;
const WAIT = /^3\. After (\d+) days/m.exec(readFileSync('docs/operate.md', 'utf8'))?.[1];

worldTest('An old key is no longer needed after the time that the documents name', async ({ open }) => {
  const world = await open({ variables: { STATE_KEY: `${OLD}` } });
  const { slack } = world;
  const onDay = (day: number, STATE_KEY: string) => {
    world.clock.ahead = day * DAY_MS;
    return world.restart({ STATE_KEY });
  };
  shelveDevice(world, '2001', 'chs1', 1, 2);
  const message = await ask(world, '2001');
  await slack.click({ message, actionId: 'details-0' });
  await settled(world);
  const details = await modal(world, 'hit 1 of', 'ana');
  await slack.click({ view: details, actionId: 'accept' });
  const acceptance = await modal(world, 'Until when', 'ana');
  const values = { 'accept-end': '90', 'accept-reason': 'A window is booked.' };
  expect((await slack.submit({ view: acceptance, values })).acknowledged).toBe(true);
  await modal(world, 'Accepted by', 'ana');
  await onDay(0, `${OLD},${NEW}`);
  await onDay(0, `${NEW},${OLD}`);
  await onDay(Number(WAIT), `${NEW},${OLD}`);
  await atRest(world.address());
  await onDay(Number(WAIT), `${NEW}`);
  const readiness = await fetch(`${world.address()}/readyz`);
  expect(await readiness.json()).toEqual({ ready: true, reasons: [] });
  expect(world.log.join('')).not.toContain('could not be opened');
});
