import { expect } from 'vitest';
import type { SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import { choicesOf, chooseMore, modal } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** `17.1.3.4` or `11.6.1 HF2`, as a document writes it. */
function parts(version: string) {
  const [release = '', hotfix = ''] = version.split(' HF');
  const [major = '', minor = '', maintenance = '', point = ''] = release.split('.');
  return { major, minor, maintenance, point, fix: hotfix };
}

function shelve(world: World, ...fixedIn: string[][]): void {
  shelveRunning(world, { version: '17.1.3', product: 'Product', edition: 'Final' }, ...fixedIn);
}

function shelveRunning(
  { service }: World,
  version: NonNullable<SnapshotDocument['version']>,
  ...fixedIn: string[][]
): void {
  service.shelve('2001', {
    title: 'A few',
    purpose: 'Written by a test.',
    document: {
      version,
      diagnostics: fixedIn.map((versions, index) => ({
        name: `D${index}`,
        match: true,
        importance: index === 0 ? 'CRITICAL' : 'LOW',
        header: `The hit ${index}`,
        fixedInVersions: versions.map(parts),
      })),
    },
  });
}

test('A result says what the recommended version fixes, on its first page and of everything only', async ({
  world,
}) => {
  shelve(world, ['17.1.3.4', '17.5.0'], ['17.1.4'], []);
  const line = /^17\.1\.3\.4 fixes 1 of 3 hits/;
  expect(textsOf((await ask(world, '2001')).blocks, 'text')).toContainEqual(expect.stringMatching(line));
  for (const part of ['critical', 'miss'])
    expect(JSON.stringify((await ask(world, `2001 ${part}`)).blocks)).not.toContain(' fixes ');
});

test('What can’t be ordered is not recommended, which the window says', async ({ world }) => {
  shelveRunning(world, { version: '17.1.3', edition: 'Engineering Hotfix 2' }, ['17.1.4'], ['11.6.1 HF2']);
  const message = await ask(world, '2001');
  expect(JSON.stringify(message.blocks)).not.toContain('Upgrading');
  await chooseMore(world, message, 'What an upgrade fixes');
  const { view } = await modal(world, 'No upgrade can be recommended');
  expect(textsOf(view, 'text')).toContain(
    'I can’t tell whether these fix releases are later than the running one: 17.1.4, 11.6.1 HF2.',
  );
  expect(textsOf(view, 'text')).toContain('◆ Critical · The hit 0 · fixed in 17.1.4');
});

test('Where no later version is named, no upgrade is mentioned or offered', async ({ world }) => {
  shelve(world, ['16.1.6'], ['17.1.2'], []);
  const message = await ask(world, '2001');
  expect(JSON.stringify(message.blocks)).not.toContain('Upgrading');
  expect([...choicesOf(message, 'more').keys()].join()).not.toContain('upgrade');
});

test('“What an upgrade fixes” compares all releases, then shows what each leaves and fixes', async ({
  world,
}) => {
  shelve(world, ['17.1.3.4', '17.5.0'], ['17.1.4'], []);
  await chooseMore(world, await ask(world, '2001'), 'What an upgrade fixes');
  const first = await modal(world, '17.1.3.4 leaves 2 hits');
  expect(textsOf(first.view, 'text').filter((text) => text !== '\n')).toEqual([
    'What an upgrade fixes',
    '17.1.3.4 fixes 1 of 3 hits, the critical one',
    '17.1.4 fixes 2 of 3 hits, the critical one',
    '17.5.0 fixes 1 of 3 hits, the critical one (next branch)',
    '○ Low · The hit 1 · fixed in 17.1.4',
    '○ Low · The hit 2',
    '✓ Fixed (1)',
    '◆ Critical · The hit 0 · fixed in 17.1.3.4, 17.5.0',
  ]);
  expect(textsOf(first.view, 'mrkdwn').join()).toContain(
    '1 hit names no release that fixes it. This knows only the releases that the hits name',
  );
  expect(JSON.stringify(first.view)).not.toMatch(/\bsafe\b/i);
  await world.slack.click({ view: first, actionId: 'upgrade-1', user: 'ben' });
  const second = await modal(world, '17.1.4 leaves 1 hit');
  await world.slack.click({ view: second, actionId: 'upgrade-2', user: 'ben' });
  await modal(world, '17.5.0 leaves 2 hits');
});
