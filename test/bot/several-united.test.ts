import { expect } from 'vitest';
import type { DocumentDiagnostic, FixedVersion } from '../emulators/diagnostics-service/document.ts';
import { choose, chooseMore, modal } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { fileOf } from '../support/exported.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { linesOf } from '../support/several.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const FIX: FixedVersion = { major: '17', minor: '1', maintenance: '4' };

type Unit = {
  readonly host: string;
  readonly serial?: string;
  readonly version?: string;
  readonly edition?: string;
  readonly hit: Partial<DocumentDiagnostic>;
};

/** Puts units of one version on the shelf, each with its own document of the same hit. */
function shelve({ service }: World, units: Readonly<Record<string, Unit>>): void {
  for (const [
    id,
    { host, serial = `chs-${host}`, version = '17.1.3', edition = 'Final', hit },
  ] of Object.entries(units))
    service.shelve(id, {
      ...{ title: host, purpose: 'Written by a test.' },
      document: {
        system: { chassisSerialNumber: serial, hostname: host },
        version: { product: 'Product', version, edition },
        diagnostics: [{ name: 'D0001', match: true, importance: 'LOW', header: 'One', ...hit }],
      },
    });
}

test('A CVE that the document of one unit alone names is found by the filter, and is named', async ({
  world,
}) => {
  shelve(world, {
    2001: { host: 'lb-a', hit: {} },
    2002: { host: 'lb-b', hit: { cveIds: ['CVE-2026-10000'] } },
  });
  const message = await ask(world, '2001 2002 cve');
  const said = textsOf(message.blocks, 'text').join('\n');
  expect(said).toContain('Low (both have it)');
  expect(said).toContain('CVE-2026-10000');
});

/** The message about a pair with these documents of a hit, and its details once they say this. */
async function pairOf(world: World, a: Unit['hit'], b: Unit['hit'], says: string) {
  shelve(world, { 2001: { host: 'lb-a', hit: a }, 2002: { host: 'lb-b', hit: b } });
  const message = await ask(world, '2001 2002');
  await world.slack.click({ message, actionId: 'details', user: 'ben' });
  return { message, details: textsOf((await modal(world, says)).view.blocks, 'text').join('\n') };
}

test('The details of a hit rate it as its message does, whichever unit is the worst', async ({ open }) => {
  const b = { importance: 'CRITICAL', outputs: ['seen on b'] };
  const { details: said } = await pairOf(await open(), { cveIds: ['CVE-2026-10000'] }, b, 'seen on b');
  expect(said).toContain('Critical');
  expect(said).not.toContain('Low');
  expect(said).toContain('CVE-2026-10000');
});

test('An upgrade of several fixes what any of their documents says, rated as on the worst of them', async ({
  world,
}) => {
  shelve(world, {
    2001: { host: 'lb-a', hit: {} },
    2002: { host: 'lb-b', hit: { importance: 'CRITICAL' } },
    2003: { host: 'lb-c', hit: { fixedInVersions: [FIX] } },
  });
  await chooseMore(world, await ask(world, '2001 2002 2003'), 'What an upgrade fixes');
  const { blocks } = (await modal(world, 'What an upgrade fixes')).view;
  expect(textsOf(blocks, 'plain_text')).toContain('● 17.1.3: lb-a, lb-b, lb-c');
  expect(textsOf(blocks, 'text')).toEqual(
    expect.arrayContaining([expect.stringContaining('17.1.4 fixes'), '◆ Critical · One · fixed in 17.1.4']),
  );
});

test('Every fix and every article that any document names is in the message and the table', async ({
  world,
}) => {
  const fixes = (fixedInVersions: FixedVersion[], ids: string[]) => ({
    fixedInVersions,
    solutions: ids.map((id) => ({ id, url: '' })),
  });
  const other: FixedVersion = { major: '16', minor: '1', maintenance: '5' };
  shelve(world, {
    2001: { host: 'lb-a', hit: fixes([FIX], ['K1111', 'K2222']) },
    2002: { host: 'lb-b', hit: fixes([other], ['K1111', 'K3333']) },
  });
  const message = await ask(world, '2001 2002');
  expect(textsOf(message.blocks, 'text').join()).toContain('Fixed in 17.1.4, 16.1.5');
  const table = await fileOf(world, message, 'csv', 'snapshots-2001-2002-hits.csv');
  expect(table).toContain('"17.1.4\n16.1.5"');
  expect(table).toContain('"K1111\nK2222\nK3333"');
});

test('Each release in use is named, a point release and one that no upgrade fixes, too', async ({
  world,
}) => {
  shelve(world, {
    2001: { host: 'lb-a', edition: 'Point Release 3', hit: {} },
    2002: { host: 'lb-b', edition: 'Point Release 4', hit: { fixedInVersions: [FIX] } },
  });
  const message = await ask(world, '2001 2002');
  expect(linesOf(message)).toContain('Releases differ');
  await chooseMore(world, message, 'What an upgrade fixes');
  const view = await modal(world, '17.1.4 fixes');
  expect(textsOf(view.view.blocks, 'plain_text')).toEqual(
    expect.arrayContaining(['17.1.3 Point Release 3: lb-a', '● 17.1.3 Point Release 4: lb-b']),
  );
  await world.slack.click({ view, actionId: 'upgrade-release-0', user: 'ben' });
  await modal(world, 'name no later version that fixes them');
});

test('Of a fix that is older than a release in use it is said that no later version fixes the hit', async ({
  world,
}) => {
  const hit = { fixedInVersions: [FIX] };
  shelve(world, { 2001: { host: 'lb-a', hit }, 2002: { host: 'lb-b', version: '17.5.0', hit } });
  await chooseMore(world, await ask(world, '2001 2002'), 'What an upgrade fixes');
  const view = await modal(world, '17.1.4 fixes');
  await world.slack.click({ view, actionId: 'upgrade-release-1', user: 'ben' });
  const said = textsOf((await modal(world, 'that fixes them')).view.blocks, 'text');
  expect(said).toContain('The hits of this analysis name no later version that fixes them.');
});

test('Two hosts of one chassis stand side by side, and links with a filter are read like ids', async ({
  world,
}) => {
  const shelveHost = (id: string, hostname: string, importance: string) =>
    world.service.shelve(id, {
      ...{ title: hostname, purpose: 'Written by a test.' },
      document: {
        system: { chassisSerialNumber: 'chs1', hostname },
        diagnostics: [{ name: 'D0001', match: true, importance, header: 'One' }],
      },
    });
  shelveHost('10012345', 'lb-a', 'HIGH');
  shelveHost('10012346', 'lb-b', 'CRITICAL');
  const link = 'https://service.example.com/snapshots/10012345';
  const message = await ask(world, `<${link}> 10012346 critical`);
  expect(linesOf(message).slice(0, 3)).toEqual(['Same 1 hit on both', 'lb-a · 1 high', 'lb-b · 1 critical']);
  expect(message.text).toContain('Snapshots 10012345, 10012346');
});

test('What only one document says of a hit is said of that device, in the message, the details and the files', async ({
  world,
}) => {
  const solutions = (id: string) => [{ url: `https://support.acme.example/s/article/${id}` }];
  const a = { action: 'Renew it.', solutions: solutions('K1111') };
  const b = { header: 'Two', action: 'Replace it.', outputs: ['90 days'], solutions: solutions('K2222') };
  const { message, details } = await pairOf(world, a, b, 'Replace it.');
  expect(textsOf(message.blocks, 'text')).toContain('Found on lb-b: 90 days');
  expect(textsOf(message.blocks, 'plain_text')).toEqual(expect.arrayContaining(['K1111', 'K2222']));
  const said = details.replaceAll('\n', '');
  for (const text of ['Title (lb-b): Two', 'Action (lb-a): Renew it.', 'Action (lb-b): Replace it.'])
    expect(said).toContain(text);
  const table = await fileOf(world, message, 'csv', 'snapshots-2001-2002-hits.csv');
  for (const text of ['"lb-a: One\nlb-b: Two"', '"lb-a: Renew it.\nlb-b: Replace it."'])
    expect(table).toContain(text);
  const report = await fileOf(world, message, 'markdown', 'snapshots-2001-2002-hits.md');
  for (const text of ['**Title (lb-b):** Two', '**Action (lb-a):** Renew it.'])
    expect(report).toContain(text);
});

test('A hit that two devices rate differently is found by either importance, and says both', async ({
  world,
}) => {
  shelve(world, {
    2001: { host: 'lb-a', hit: {} },
    2002: { host: 'lb-b', hit: { importance: 'CRITICAL' } },
  });
  for (const filter of ['low', 'critical']) {
    const message = await ask(world, `2001 2002 ${filter}`);
    expect(linesOf(message)).toContain(`Showing 1 ${filter} hit, none hidden`);
    expect(textsOf(message.blocks, 'text')).toContain('◆ Critical (both have it, low on lb-a) · One');
  }
});

test('Serial numbers are named as the documents have them, and no address breaks a table', async ({
  world,
}) => {
  const url = 'https://support.acme.example/a|b/K1001';
  shelve(world, { 2001: { host: 'lb', hit: { solutions: [{ url }] } }, 2002: { host: 'lb', hit: {} } });
  shelve(world, { 2003: { host: 'lb', serial: 'ab-ß1', hit: {} } });
  const message = await ask(world, '2001 2003');
  expect(linesOf(message)).toEqual(
    expect.arrayContaining(['chs-lb · 17.1.3 · 1 low', 'ab-ß1 · 17.1.3 · 1 low']),
  );
  const report = await fileOf(world, message, 'markdown', 'snapshots-2001-2003-hits.md');
  expect(report).toContain('[K1001](<https://support.acme.example/a%7Cb/K1001>) |');
  // Two that nothing but their ids tells apart.
  expect(linesOf(await ask(world, '2001 2002 2003'))).toContain('2001 · 17.1.3 · 1 low');
});

test('What states no match is in no position, label or menu a hit', async ({ world }) => {
  const diagnostics = [1, 2, 3, 4, 5].map((at) => ({
    ...{ name: `D000${at}`, importance: 'LOW', header: `Header ${at}` },
    match: at < 4 ? true : 'perhaps',
  }));
  world.service.shelve('2001', { title: 'a', purpose: 'Written by a test.', document: { diagnostics } });
  const message = await ask(world, '2001');
  expect(message.text).toContain('listed 1–3 of 5');
  const [button] = objectsIn(message.blocks).filter(({ action_id: id }) => id === 'page-next');
  expect(button?.accessibility_label).toBe('2 more: listed 4 to 5');
  await choose(world, message, 'more', 'Text for the case');
  const menu = textsOf((await modal(world, 'case-text-')).view.blocks, 'plain_text');
  expect(menu).toContain('All 3 hits, 2 with match not stated');
});
