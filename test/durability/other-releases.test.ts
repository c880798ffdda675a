import { afterEach, expect } from 'vitest';
import { NAMESPACES, type NamespaceSpec } from '../../src/core/store.ts';
import { JOB_VERSIONS } from '../../src/lookups/queue.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, SUPPORT, test } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World, WorldOptions } from '../support/world.ts';

const variablesOf = stores();
const KINDS = ['accepted', 'follows'] as const;

/** From now on the bot is a release that stores these kinds, or the jobs of follows, in this version. */
function become(version: number, what: 'values' | 'jobs' = 'values'): void {
  const specs: NamespaceSpec[] = KINDS.map((name) => NAMESPACES[name]);
  for (const spec of what === 'values' ? specs : []) Object.assign(spec, { version });
  if (what === 'jobs') Object.assign(JOB_VERSIONS, { follow: version });
}

afterEach(() => {
  become(1);
  become(1, 'jobs');
  for (const name of KINDS) Object.assign(NAMESPACES[name], { upgrades: {} });
});

/** A snapshot with two hits, which Ana follows, and of which Ben has accepted the second one. */
async function followed(open: (options?: WorldOptions) => Promise<World>, store: 'SQLite' | 'Redis') {
  const world = await open({ variables: await variablesOf(store), timing: { dayMs: 1_500 } });
  shelveDevice(world, '2001', 'chs1', 1, 2);
  const message = await ask(world, 'watch 2001');
  const { blocks } = message;
  const value = JSON.stringify(blocks).match(
    /"action_id":"details","value":("(?:[^"\\]|\\.)*D2(?:[^"\\]|\\.)*")/,
  )?.[1];
  await world.slack.click({ message, actionId: 'details', value: JSON.parse(value ?? ''), user: 'ben' });
  await world.slack.click({ view: await modal(world, 'Hit 2'), actionId: 'hit-accept', user: 'ben' });
  const view = await modal(world, 'Until when');
  await world.slack.submit({ view, values: { 'accept-end': '30', 'accept-reason': 'booked' } });
  await modal(world, 'Accepted by');
  return { world, message };
}

const words = (world: World, { ts }: VisibleMessage) =>
  fromBot(world)
    .filter(({ threadTs }) => threadTs === ts)
    .map(({ text }) => text);

const ONE_WORD = [
  expect.stringMatching(/^<@U0ANA> Snapshot 2001 of edge-9.example.com: 1 new \(1 high\) since /),
];

test.for(STORES.flatMap((store) => [[store, 'values'] as const, [store, 'jobs'] as const]))(
  'On %s, what a newer release stored as %s is left to that release: no follow is lost, and no acceptance',
  async ([store, what], { open }) => {
    become(2, what);
    const { world, message } = await followed(open, store);
    become(1, what);
    await world.restart();
    shelveDevice(world, '2001', 'chs1', 1, 2, 3);
    await eventually(() => expect(world.log.join('\n')).toMatch(/(?:state|has) version 2/));
    const said = async (text: string) =>
      (await world.slack.command({ text, user: 'ana', channel: SUPPORT })).body;
    const isRefused = what === 'values';
    if (isRefused)
      for (const text of ['watch 2001', 'unwatch 2001'])
        expect(await said(text)).toContain('can’t reach its own storage');
    expect((await ask(world, '2001 hit', 'ben')).text.includes('accepted')).toBe(!isRefused);
    expect(words(world, message)).toEqual([]);
    become(2, what);
    await world.restart();
    await eventually(() => expect(words(world, message)).toEqual(ONE_WORD));
    expect((await ask(world, '2001', 'ben')).text).toContain('3 hits (1 accepted)');
  },
);

test.for(STORES)('On %s, what an older release stored is read', async (store, { open }) => {
  const { world, message } = await followed(open, store);
  become(2);
  for (const name of KINDS) Object.assign(NAMESPACES[name], { upgrades: { 1: (value: unknown) => value } });
  await world.restart();
  shelveDevice(world, '2001', 'chs1', 1, 2, 3);
  await eventually(() => expect(words(world, message)).toEqual(ONE_WORD));
  expect((await ask(world, '2001', 'ben')).text).toContain('3 hits (1 accepted)');
});
