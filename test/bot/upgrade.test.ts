import { expect } from 'vitest';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

function shelve({ service }: World, ...fixedIn: string[][]): void {
  const partsOf = (text: string) => {
    const [major = '', minor = '', maintenance = '', point = ''] = text.split('.');
    return { major, minor, maintenance, point };
  };
  const diagnostics = fixedIn.map((versions, index) => ({
    ...{ name: `D${index}`, match: true, importance: index === 0 ? 'CRITICAL' : 'LOW' },
    ...{ header: `The hit ${index}`, fixedInVersions: versions.map(partsOf) },
  }));
  const version = { version: '17.1.3', product: 'Product', edition: 'Final' };
  service.shelve('2001', {
    title: 'A few',
    purpose: 'Written by a test.',
    document: { version, diagnostics },
  });
}

test('“What an upgrade fixes” compares releases, and shows what each leaves', async ({ world }) => {
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
