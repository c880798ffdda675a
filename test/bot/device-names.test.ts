import { expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { fromBot, reads } from '../support/bot-messages.ts';
import { modal, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { shelveAnalysis } from '../support/following.ts';
import { lookedUp } from '../support/own-devices.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** The bot's messages that the whole channel sees. */
const posted = (world: World) => fromBot(world).filter(({ ephemeral }) => !ephemeral);

/** Types a command, and returns the private answer. */
async function typed(world: World, text: string, user = 'ana'): Promise<string> {
  const { acknowledged, body } = await world.slack.command({ text, user });
  expect(acknowledged).toBe(true);
  return body ?? '';
}

test.for([
  ['edge-7', '37 hits in 247 checks'],
  ['EDGE-7.example.com', '37 hits in 247 checks'],
  ['<http://edge-7.example.com|edge-7.example.com>', '37 hits in 247 checks'],
  ['CHS600777S', '37 hits in 247 checks'],
  ['edge', '37 hits in 247 checks'],
  ['is CVE-2026-10000 on edge-7?', 'Yes: CVE-2026-10000'],
  ['edge-7 critical', '2 critical of 37 hits'],
])(
  '“%s” looks up the last snapshot of the device, and says which and when',
  async ([text = '', said = ''], { world }) => {
    await lookedUp(world, '1001');
    expect(await typed(world, text)).toMatch(/“.+” is edge-7\.example\.com; .+ is 1001 \(2\d{3}-/);
    await eventually(() => expect(posted(world).at(1)?.text).toContain(said));
  },
);

test('“compare last” takes a name, and “me” opens the window', async ({ world }) => {
  await lookedUp(world, '1010', '1011');
  await typed(world, 'compare last edge-10');
  await reads(world, 'Snapshots 1010 → 1011');
  await typed(world, 'edge-10 me');
  await modal(world, '1011 · edge-10', 'ana');
});

test('A whole name is that device; for the beginning of several names, buttons ask which is meant', async ({
  world,
}) => {
  shelveAnalysis(world, '3001', { D1: 'HIGH' }, { host: 'core-1.example.com', serial: 'chs3001' });
  shelveAnalysis(world, '3010', { D1: 'LOW' }, { host: 'core-10.example.com', serial: 'chs3010' });
  await lookedUp(world, '3001', '3010');
  await typed(world, 'core-1');
  await eventually(() => expect(posted(world).at(2)?.text).toContain('Snapshot 3001'));
  await atRest(world.address());
  expect(await typed(world, 'core high')).toContain('“core” fits 2 of your devices');
  const message = await told(world, SUPPORT, 'fits 2 of your devices', 'ana');
  expect(offers(message)).toEqual(['did-you-mean-0', 'did-you-mean-1']);
  await world.slack.click({ message, actionId: 'did-you-mean-1', value: '3010 high' });
  await reads(world, 'No high hits');
});

test('Nobody finds what others looked up, whether by its name or by its beginning', async ({ open }) => {
  const world = await open({ variables: { ALLOW_GUESTS: 'yes' } });
  await lookedUp(world, '1001');
  for (const user of ['ben', 'mia'])
    for (const text of ['edge-7', 'edge', 'chs600777s', 'compare last edge-7'])
      expect(await typed(world, text, user)).toContain('names no snapshot');
  expect(posted(world)).toHaveLength(1);
});

test('The owner of a device can look it up by its name', async ({ world }) => {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'own', user: 'ben' });
  await eventually(() => expect(JSON.stringify(fromBot(world))).toContain('Owner'));
  expect(await typed(world, 'edge-7', 'ben')).toContain('is 1001');
});
