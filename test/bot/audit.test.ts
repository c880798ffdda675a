import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AuditEntry } from '../../src/core/lookup.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, SUPPORT, shown, test } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { exported } from '../support/exported.ts';
import { follow } from '../support/following.ts';
import { SLOW } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

type Line = AuditEntry & { readonly time: string; readonly audit: boolean };

const auditFileOf = ({ dataDir }: World) => join(dataDir, 'audit.jsonl');

/** Restarts the bot with an audit file, and with a log that says nothing of what people do. */
async function audited(world: World): Promise<World> {
  await world.restart({ AUDIT_FILE: auditFileOf(world), LOG_LEVEL: 'fatal', ALLOWED_CHANNELS: SUPPORT });
  return world;
}

/** The audit so far, each line parsed. */
function linesOf(world: World): Line[] {
  const text = readFileSync(auditFileOf(world), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The entries of one event, without their times and ids. */
function entriesOf(world: World, event: AuditEntry['event']): object[] {
  return linesOf(world)
    .filter((line) => line.event === event)
    .map(({ time, audit, lookup, ...entry }) => entry);
}

/** Waits until the event has these entries: people see an answer before its audit entry is written. */
function audits(world: World, event: AuditEntry['event'], entries: readonly object[]): Promise<void> {
  const expected = entries.map((entry) => ({ event, ...entry }));
  return eventually(() => expect(entriesOf(world, event)).toEqual(expected));
}

test('The audit says who asked for, received, exported, shared and cancelled what, who was refused, and where', async ({
  open,
}) => {
  const world = await audited(await open());
  const { slack, service } = world;
  const result = await ask(world, '1001');
  await ask(world, 'compare 1010 1011', 'ben');
  await ask(world, '1014 1015 1016', 'ben');
  await ask(world, '9999');
  await slack.command({ text: '1012', channel: 'C0RANDOM', user: 'ben' });
  await chooseMore(world, result, 'Export as CSV');
  await exported(world, 'snapshot-1001');
  await slack.click({ message: result, actionId: 'details-0', user: 'ben' });
  await slack.click({ view: await modal(world, 'hit 1 of 37'), actionId: 'share', user: 'ben' });
  await modal(world, 'Shared in the thread');
  service.shelve('7001', SLOW);
  await slack.command({ text: '7001' });
  await slack.click({ message: await shown(world, '7001 is still being processed'), actionId: 'cancel' });
  await shown(world, 'was cancelled');

  const ana = { user: 'U0ANA', channel: SUPPORT };
  const ben = { user: 'U0BEN', channel: SUPPORT };
  const configuration = expect.objectContaining({
    channels: [SUPPORT],
    commandsPerMinute: expect.any(Number),
  });
  await audits(world, 'started', [{ configuration }]);
  await audits(world, 'accepted', [
    { ...ana, snapshot: '1001' },
    { ...ben, snapshot: '1011', before: '1010' },
    { ...ben, snapshot: '1014', others: ['1015', '1016'] },
    { ...ana, snapshot: '9999' },
    { ...ana, snapshot: '7001' },
  ]);
  await audits(world, 'answered', [
    { ...ana, snapshot: '1001', outcome: 'ready' },
    { ...ben, snapshot: '1011', before: '1010', outcome: 'ready' },
    { ...ben, snapshot: '1014', others: ['1015', '1016'], outcome: 'ready' },
    { ...ana, snapshot: '9999', outcome: 'snapshot-not-found' },
  ]);
  await audits(world, 'refused', [{ user: 'U0BEN', channel: 'C0RANDOM', outcome: 'channel' }]);
  await audits(world, 'exported', [{ ...ben, snapshot: '1001', outcome: 'in thread' }]);
  await audits(world, 'shared', [{ ...ben, snapshot: '1001' }]);
  await audits(world, 'cancelled', [{ ...ana, snapshot: '7001', outcome: 'cancelled' }]);
});

test('The audit ties an answer to its request by one lookup id, dates each line, and quotes no result', async ({
  open,
}) => {
  const world = await audited(await open());
  const before = Date.now();
  await ask(world, '1001 hit');
  await audits(world, 'answered', [{ user: 'U0ANA', channel: SUPPORT, snapshot: '1001', outcome: 'ready' }]);
  const [started, accepted, answered, ...others] = linesOf(world);
  expect(others).toEqual([]);
  expect(started?.lookup).toBeUndefined();
  expect(accepted?.lookup).toMatch(/./);
  expect(answered?.lookup).toBe(accepted?.lookup);
  for (const { time, audit } of linesOf(world)) {
    expect(audit).toBe(true);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 60_000);
    expect(new Date(time).toISOString()).toBe(time);
  }
  const text = readFileSync(auditFileOf(world), 'utf8');
  for (const word of ['edge-7', 'chs600777s', 'CVE-', 'vulnerability']) expect(text).not.toContain(word);
});

test('The audit says who became the owner of a snapshot, and what became of what people follow', async ({
  open,
}) => {
  const world = await audited(await open());
  const message = await ask(world, '1010');
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  const entry = { user: 'U0BEN', channel: SUPPORT, snapshot: '1010' };
  await audits(world, 'on it', [{ ...entry, outcome: 'said' }]);
  await follow(world, message, 'newer');
  await audits(world, 'follow', [{ ...entry, outcome: 'started' }]);
  await ask(world, '1011');
  await audits(world, 'follow', [
    { ...entry, outcome: 'started' },
    { ...entry, outcome: 'told' },
  ]);
});

test('Without AUDIT_FILE no audit is written, neither into the log nor into a file of the data', async ({
  world,
}) => {
  await ask(world, '1001 hit');
  expect(world.log.join('')).not.toContain('"audit":true');
  const files = readdirSync(world.dataDir).filter(
    (name) => !/^(?:snapshot-bot\.sqlite|state\.key)/.test(name),
  );
  expect(files).toEqual([]);
});
