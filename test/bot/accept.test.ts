import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DocumentVersion } from '../emulators/diagnostics-service/document.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { reads } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { fileOf } from '../support/exported.ts';
import { daysPass, follow, replies } from '../support/following.ts';
import { home } from '../support/home.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { linesOf, rowsOf } from '../support/several.ts';
import { deliverEvent } from '../support/slack-event.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const DAY_MS = 24 * 3_600_000;
const variablesOf = stores();

type Hits = Readonly<Record<string, string>>;

/** Puts a snapshot of a device on the shelf. `hits` gives the importance of each hit by its name. */
function shelve(
  { service }: World,
  id: string,
  hits: Hits,
  { host = 'edge-7.example.com', serial = 'chs1', version = { version: '17.1.3' } as DocumentVersion } = {},
): void {
  service.shelve(id, {
    title: 'A few',
    purpose: 'Written by a test.',
    document: {
      system: { chassisSerialNumber: serial, hostname: host, platform: 'C117' },
      version: { product: 'Product', edition: 'Final', built: '240216', ...version },
      diagnostics: Object.entries(hits).map(([name, importance]) => ({
        ...{ name, importance, match: true, header: `The hit ${name}`, action: `Mend ${name}.` },
        cveIds: [`CVE-2026-1000${name.slice(1)}`],
      })),
    },
  });
}

const HITS: Hits = { D1: 'CRITICAL', D2: 'HIGH', D3: 'LOW' };

/** Opens the details of a hit of a message. */
async function details(world: World, message: VisibleMessage, name: string, user = 'ben'): Promise<OpenView> {
  for (const view of world.slack.modals(user).toReversed()) await world.slack.closeView(view);
  const buttonIn = (blocks: unknown) =>
    objectsIn(blocks).find(({ value }) => String(value).includes(`"hit":"${name}"`))?.action_id;
  const whole = buttonIn(message.blocks);
  if (whole !== undefined) await world.slack.click({ message, actionId: String(whole), user });
  else {
    await world.slack.click({ message, actionId: 'all-hits', user });
    const list = await modal(world, '"callback_id":"list"', user);
    await world.slack.click({ view: list, actionId: String(buttonIn(list.view.blocks)), user });
  }
  return modal(world, 'What to do', user);
}

type Filled = { readonly end?: string; readonly reason?: string; readonly user?: string };

/** Opens the form in which a hit is accepted. */
async function form(world: World, message: VisibleMessage, name: string, user = 'ben'): Promise<OpenView> {
  const view = await details(world, message, name, user);
  await world.slack.click({ view, actionId: 'accept', user });
  return modal(world, 'Until when', user);
}

/** Accepts a hit, and returns the window that confirms it. */
async function accept(world: World, message: VisibleMessage, name: string, filled: Filled = {}) {
  const { end = '30', reason = 'window booked', user = 'ben' } = filled;
  const view = await form(world, message, name, user);
  const values = { 'accept-end': end, 'accept-reason': reason };
  expect((await world.slack.submit({ view, values })).acknowledged).toBe(true);
  return modal(world, 'Accepted by', user);
}

/** The hits that a message lists, in order, each marked if the message calls it accepted. */
function listIn(message: VisibleMessage): string[] {
  return message.blocks.flatMap((block) => {
    const text = textsOf(block, 'text').join('');
    const [, name] = /The hit (D\d)/.exec(text) ?? [];
    return block.type !== 'rich_text' || name === undefined
      ? []
      : [text.includes('Accepted by') ? `${name} accepted` : name];
  });
}

test.for(STORES)(
  'On %s an accepted hit is listed last for everybody, with who and why, until anybody takes it back',
  async (store, { open }) => {
    const world = await open({ variables: await variablesOf(store) });
    const AUDIT_FILE = join(world.dataDir, 'audit.jsonl');
    await world.restart({ AUDIT_FILE });
    shelve(world, '2001', HITS);
    shelve(world, '2002', HITS, { serial: ' CHS1 ' });
    const first = await ask(world, '2001');
    const empty = { 'accept-end': '30', 'accept-reason': '   ' };
    const { body } = await world.slack.submit({ view: await form(world, first, 'D1'), values: empty });
    expect(body).toContain('accept-reason');
    const window = await accept(world, first, 'D1');
    await world.slack.click({ view: window, actionId: 'details', user: 'ben' });
    await modal(world, 'Take back');
    await world.restart({ AUDIT_FILE });
    const second = await ask(world, '2002', 'ana');
    expect(second.text).toContain('1 high, 1 low, 1 accepted (3 hits');
    expect(listIn(second)).toEqual(['D2', 'D3', 'D1 accepted']);
    const said = textsOf(second.blocks, 'text').join('');
    expect(said).toContain('Accepted by ben : window booked.');
    expect(said).toContain('Mend D2.');
    // The name is plain text: a mention would notify Ben of each report.
    expect(JSON.stringify(second.blocks)).not.toContain('U0BEN');
    const search = await ask(world, '2002 CVE-2026-10001');
    expect(search.text).toContain('Yes: CVE-2026-10001 is a critical hit');
    expect(listIn(search)).toEqual(['D1 accepted']);
    // Anybody may take it back, not only the person who accepted the hit.
    const view = await details(world, second, 'D1', 'ana');
    await world.slack.click({ view, actionId: 'take-back', user: 'ana' });
    await modal(world, 'no longer accepted for this device', 'ana');
    const third = await ask(world, '2001', 'ben');
    expect(third.text).not.toContain('accepted');
    expect(listIn(third)).toEqual(['D1', 'D2', 'D3']);
    const entries = readFileSync(AUDIT_FILE, 'utf8').split('\n');
    const audit = entries.filter((line) => line.includes('hit accepted')).map((line) => JSON.parse(line));
    expect(audit).toMatchObject([
      { user: 'U0BEN', channel: SUPPORT, snapshot: '2001', outcome: 'accepted' },
      { user: 'U0ANA', channel: SUPPORT, snapshot: '2002', outcome: 'taken back' },
    ]);
    expect(entries.join('')).not.toContain('window booked');
  },
);

test('Every number of a report is of open hits or says that it counts accepted ones, too', async ({
  world,
}) => {
  shelve(world, '2001', HITS);
  shelve(world, '2002', HITS, { serial: 'chs2', host: 'edge-8.example.com' });
  const lines = async (text: string) => linesOf(await ask(world, text)).slice(1);
  await accept(world, await ask(world, '2001'), 'D1');
  expect(await lines('2001 low')).toEqual([
    '⚪ 1 low of 3 hits',
    '⚪ The hit D3',
    '→ Mend D3.',
    'And 2 more: 1 high, 1 accepted',
  ]);
  expect((await lines('2001 critical')).slice(0, 3)).toEqual([
    '1 accepted of 3 hits',
    'And 2 more: 1 high, 1 low',
    '🔴 The hit D1',
  ]);
  expect(await lines('2001 medium')).toEqual([
    'No medium hits (3 hits in all)',
    'And 3 more: 1 high, 1 low, 1 accepted',
  ]);
  // On edge-8 the hit still counts.
  const two = await ask(world, '2001 2002');
  expect(rowsOf(two)).toEqual([
    '2001 edge-7 | 0 | 1 | 0 | 1 | 17.1.3',
    '2002 edge-8 | 1 | 1 | 0 | 1 | 17.1.3',
  ]);
  expect(linesOf(two).slice(1, 3)).toEqual(['3 hits on both', '# On both: 3 hits']);
  await accept(world, await ask(world, '2002'), 'D1');
  const both = await ask(world, '2001 2002');
  expect(rowsOf(both)[1]).toBe('2002 edge-8 | 0 | 1 | 0 | 1 | 17.1.3');
  expect(linesOf(both).slice(1, 3)).toEqual(['3 hits on both', '# On both: 3 hits']);
  expect(linesOf(both).at(-1)).toBe('And 1 accepted');
});

test('Of many accepted hits five are listed, and the others are counted', async ({ world }) => {
  shelve(world, '2001', { ...HITS, D4: 'LOW', D5: 'LOW', D6: 'LOW', D7: 'LOW' });
  const message = await ask(world, '2001');
  for (const name of ['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7']) await accept(world, message, name);
  const accepted = await ask(world, '2001');
  expect(listIn(accepted)).toHaveLength(5);
  expect(linesOf(accepted).at(-1)).toBe('And 2 more accepted');
});

test('The reply that ends a wait counts no accepted hits', async ({ open }) => {
  const world = await open({ timing: { notifyAfterMs: 0 } });
  shelve(world, '2001', HITS);
  await accept(world, await ask(world, '2001'), 'D1');
  await beginWait(world, '2002');
  shelve(world, '2002', HITS);
  await shown(world, 'Snapshot 2002 is ready: 1 high.');
});

test('The Home tab never says of a device with accepted hits that it has no hits', async ({ world }) => {
  shelve(world, '2001', { D1: 'CRITICAL' });
  await accept(world, await ask(world, '2001', 'ben'), 'D1');
  await ask(world, '2001', 'ben');
  await atRest(world.address());
  const lines = (await home(world, 'ben')).join('\n');
  expect(lines).toMatch(/\n\*edge-7\.example\.com\*\n1 accepted · 2001 · /);
  expect(lines).toMatch(/\n2001 · edge-7\.example\.com p\d+\n1 accepted · /);
  expect(lines).not.toContain('No hits');
});

const later: DocumentVersion = { version: '17.1.4' };

/** How another snapshot differs from the one in which D2 was accepted, and whether D2 is accepted there, too. */
const OTHERS = [
  ['the same', { end: '30' }, {}, true],
  ['after 29 days', { end: '30' }, { days: 29 }, true],
  ['after 31 days', { end: '30' }, { days: 31 }, false],
  ['after 89 days', { end: '90' }, { days: 89 }, true],
  ['after 91 days', { end: '90' }, { days: 91 }, false],
  ['of a later release', { end: '30' }, { version: later }, true],
  ['of another host of the chassis', { end: '30' }, { host: 'edge-8.example.com' }, false],
  ['of a host without a name', { end: '30' }, { host: 'localhost.localdomain' }, false],
  ['of that host by its short name', { end: '30' }, { host: 'EDGE-7' }, true],
  ['of another chassis', { end: '30' }, { serial: 'chs2' }, false],
  ['rated differently', { end: '30' }, { hits: { ...HITS, D2: 'CRITICAL' } }, false],
  ['rated so in another spelling', { end: '30' }, { hits: { ...HITS, D2: 'High ' } }, true],
] as const;

test.for(OTHERS)(
  'Whether a hit that was accepted before counts as accepted in a snapshot %s',
  async ([, filled, other, counts], { world }) => {
    const { clock } = world;
    const { days = 0, hits = HITS, ...device } = { days: 0, hits: HITS, ...other };
    shelve(world, '2001', HITS);
    await accept(world, await ask(world, '2001'), 'D2', filled);
    shelve(world, '2002', hits, device);
    clock.ahead = days * DAY_MS;
    const message = await ask(world, '2002');
    expect(listIn(message).includes('D2 accepted')).toBe(counts);
    expect(message.text.includes('1 accepted')).toBe(counts);
  },
);

test('An accepted hit is counted apart and listed last in comparisons, reports of several, previews and files', async ({
  world,
}) => {
  shelve(world, '2001', { D3: 'LOW', D4: 'HIGH' });
  shelve(world, '2002', HITS);
  shelve(world, '2003', HITS, { serial: 'chs2', host: 'edge-8.example.com' });
  await accept(world, await ask(world, '2002'), 'D1');
  const said = /by ben until \d{4}-\d\d-\d\d: window booked/;
  const one = await ask(world, '2002');
  expect((await fileOf(world, one, 'snapshot-2002')).trim().split('\r\n').at(-1)).toMatch(said);
  await chooseMore(world, one, 'Text for the case');
  expect(JSON.stringify((await modal(world, 'case-text-')).view)).toMatch(said);
  const comparison = await ask(world, 'compare 2001 2002');
  expect(linesOf(comparison).slice(2, 5)).toEqual(['# New: 2', '🔴 The hit D1', expect.stringMatching(said)]);
  expect(rowsOf(comparison)[1]).toBe('2002 | 0 | 1 | 0 | 1 | 17.1.3');
  expect(await fileOf(world, comparison, 'snapshots-2001-2002')).toMatch(said);
  // The hit is accepted only on the device of 2002, so it still counts. The file says who accepted it.
  await world.slack.command({ text: '2002 2003' });
  const two = await reads(world, 'Snapshots 2002, 2003: 3 hits on both');
  expect(two.text).not.toContain('accepted');
  expect((await fileOf(world, two, 'snapshots-2002-2003')).match(/by ben until/g)).toHaveLength(1);
  await accept(world, await ask(world, '2003'), 'D1');
  const { message } = await world.slack.say({ text: '<https://service.example.com/snapshots/2002>' });
  await eventually(() => {
    const there = world.slack.messages(SUPPORT).find(({ ts }) => ts === message.ts);
    expect(JSON.stringify(there?.unfurls)).toContain('1\u00a0accepted');
    expect(JSON.stringify(there?.unfurls)).not.toContain('window');
  });
});

test('An acceptance holds only while the hit keeps its rating', async ({ world }) => {
  shelve(world, '2001', HITS);
  await accept(world, await ask(world, '2001'), 'D2');
  for (const [rated, isAccepted] of [
    ['CRITICAL', false],
    ['HIGH', true],
  ] as const) {
    shelve(world, '2001', { ...HITS, D2: rated });
    expect((await ask(world, '2001')).text.includes('accepted')).toBe(isAccepted);
  }
});

test('An expired acceptance disappears from windows, too, although the result was read before', async ({
  world,
}) => {
  shelve(world, '2001', HITS);
  await accept(world, await ask(world, '2001'), 'D1');
  world.clock.ahead = 30 * DAY_MS - 300_000;
  const message = await ask(world, '2001');
  expect(listIn(message)).toContain('D1 accepted');
  world.clock.ahead += 600_000;
  const { view } = await details(world, message, 'D1');
  expect(JSON.stringify(view)).toContain('"action_id":"accept"');
  expect(JSON.stringify(view)).not.toContain('Accepted by');
});

test('A hit that is gone since the form was opened is not accepted', async ({ world }) => {
  shelve(world, '2001', HITS);
  const message = await ask(world, '2001');
  const view = await form(world, message, 'D3');
  shelve(world, '2001', { D1: 'CRITICAL', D2: 'HIGH' });
  world.clock.ahead += 3_600_000;
  await chooseMore(world, message, 'Refresh', 'ana');
  await atRest(world.address());
  await world.slack.submit({ view, values: { 'accept-end': '90', 'accept-reason': 'it is low' } });
  await modal(world, 'this hit is no longer in it');
  expect((await ask(world, '2001')).text).not.toContain('accepted');
});

test('An accepted hit is no news for followers until its rating changes', async ({ world }) => {
  shelve(world, '2001', { D1: 'CRITICAL' });
  const message = await ask(world, '2001');
  await follow(world, message, 'any');
  // Snapshot 2000 is of the same device: there D2 is accepted, before 2001 shows it as a new hit.
  shelve(world, '2000', { D1: 'CRITICAL', D2: 'HIGH' });
  await accept(world, await ask(world, '2000'), 'D2', { end: '90' });
  shelve(world, '2001', { D1: 'CRITICAL', D2: 'HIGH' });
  await daysPass(world, 1, 'quiet');
  shelve(world, '2001', { D1: 'CRITICAL', D2: 'LOW' });
  await daysPass(world, 1, 'told');
  expect(replies(world, message).map(({ text }) => text)).toEqual([
    expect.stringContaining('Snapshot 2001 of edge-7.example.com: 1 new (1 low)'),
  ]);
});

test('When an account is deactivated, only that person’s acceptances are deleted', async ({ world }) => {
  shelve(world, '2001', HITS);
  const message = await ask(world, '2001');
  await accept(world, message, 'D1', { user: 'ana' });
  await accept(world, message, 'D2', { user: 'ben', end: '90' });
  await deliverEvent(world, { type: 'user_change', user: { id: 'U0ANA', deleted: true } });
  // Ben's acceptance is still kept for its 90 days.
  world.clock.ahead = 80 * DAY_MS;
  expect(listIn(await ask(world, '2001', 'ben'))).toEqual(['D1', 'D3', 'D2 accepted']);
});

test('No hit of an anonymous device and no passed check can be accepted', async ({ world }) => {
  shelve(world, '2001', HITS, { serial: 'To Be Filled By O.E.M.', host: 'localhost' });
  const view = await details(world, await ask(world, '2001'), 'D1');
  expect(JSON.stringify(view.view)).not.toContain('"accept"');
});
