import { expect } from 'vitest';
import type { DocumentDiagnostic, FixedVersion } from '../emulators/diagnostics-service/document.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
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

test('Each release in use is named with its own upgrades, which fix what any document says, rated as on the worst', async ({
  world,
}) => {
  const fixed = { fixedInVersions: [FIX] };
  shelve(world, {
    2001: { host: 'lb-a', edition: 'Point Release 3', hit: {} },
    2002: { host: 'lb-b', edition: 'Point Release 4', hit: fixed },
    2003: { host: 'lb-c', edition: 'Point Release 4', hit: { importance: 'CRITICAL' } },
    2004: { host: 'lb-d', version: '17.5.0', hit: fixed },
  });
  const message = await ask(world, '2001 2002 2003 2004');
  expect(linesOf(message)).toContain('Releases differ');
  await chooseMore(world, message, 'What an upgrade fixes');
  const view = await modal(world, '17.1.4 fixes');
  const releases = ['17.1.3 Point Release 3: lb-a', '● 17.1.3 Point Release 4: lb-…', '17.5.0: lb-d'];
  expect(textsOf(view.view.blocks, 'plain_text')).toEqual(expect.arrayContaining(releases));
  expect(textsOf(view.view.blocks, 'text')).toContain('◆ Critical · One · fixed in 17.1.4');
  for (const release of [0, 2]) {
    await world.slack.click({ view, actionId: `upgrade-release-${release}`, user: 'ben' });
    await modal(world, 'name no later version that fixes them');
  }
});

test('Two hosts of one chassis stand side by side, and links are read like ids', async ({ world }) => {
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

const solutions = (...ids: string[]) =>
  ids.map((id) => ({ url: `https://support.acme.example/s/article/${id}` }));
/** A hit of which two documents say different things, all of which counts. */
const A: Unit['hit'] = {
  action: 'Renew it.',
  fixedInVersions: [FIX],
  solutions: solutions('K1111', 'K2222'),
};
const B: Unit['hit'] = {
  ...{ header: 'Two', importance: 'CRITICAL', cveIds: ['CVE-2026-10000'], action: 'Replace it.' },
  ...{ outputs: ['90 days'], solutions: solutions('K1111', 'K3333') },
  fixedInVersions: [{ major: '16', minor: '1', maintenance: '5' }],
};

test('What only one document says of a hit counts for it, and is said of that device, wherever it is shown', async ({
  world,
}) => {
  shelve(world, { 2001: { host: 'lb-a', hit: A }, 2002: { host: 'lb-b', hit: B } });
  const message = await ask(world, '2001 2002');
  const lines = textsOf(message.blocks, 'text');
  expect(lines.join()).toContain('Fixed in 16.1.5, 17.1.4');
  expect(lines).toContain('Found on lb-b: 90 days');
  expect(textsOf(message.blocks, 'plain_text')).toEqual(expect.arrayContaining(['K1111', 'K3333']));
  await world.slack.click({ message, actionId: 'details', user: 'ben' });
  const details = textsOf((await modal(world, 'Replace it.')).view.blocks, 'text').join('');
  for (const text of [
    '◆ Critical',
    'Title (lb-a): One',
    'Action (lb-a): Renew it.',
    'Action (lb-b): Replace it.',
  ])
    expect(details).toContain(text);
  // It is found by what either of them says.
  for (const filter of ['low', 'critical', 'cve']) {
    const filtered = await ask(world, `2001 2002 ${filter}`);
    expect(textsOf(filtered.blocks, 'text').join()).toContain('◆ Critical (both have it, low on lb-a) · ');
  }
});

test('Serial numbers are named as documents have them', async ({ world }) => {
  const url = 'https://support.acme.example/a|b/K1001';
  shelve(world, { 2001: { host: 'lb', hit: { solutions: [{ url }] } }, 2002: { host: 'lb', hit: {} } });
  shelve(world, { 2003: { host: 'lb', serial: 'ab-ß1', hit: {} } });
  const message = await ask(world, '2001 2003');
  expect(linesOf(message)).toEqual(
    expect.arrayContaining(['chs-lb · 17.1.3 · 1 low', 'ab-ß1 · 17.1.3 · 1 low']),
  );
  // Two that nothing but their ids tells apart.
  expect(linesOf(await ask(world, '2001 2002 2003'))).toContain('2001 · 17.1.3 · 1 low');
});
