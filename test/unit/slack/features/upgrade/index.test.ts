import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../../src/core/diagnostics.ts';
import { upgradesOf } from '../../../../../src/core/upgrading.ts';
import { UnreadableValue } from '../../../../../src/slack/blocks/action-values.ts';
import { upgrade, upgradeModal } from '../../../../../src/slack/features/upgrade/index.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { listening, NOW } from '../../../../support/listening.ts';
import { objectsIn, textsOf } from '../../../../support/message-parts.ts';
import { openedFrom } from '../../../../support/shown-results.ts';

const VERSIONS = ['17.5.0', '17.1.4'];

/** What the window shows after a click on this button, of a result with so many hits. */
async function shown(value: string | undefined, hits = 60, versions = VERSIONS): Promise<string> {
  const fixes = Array.from({ length: hits }, (_, at) =>
    aDiagnostic({ name: `D${at}`, title: `Fixed ${at}.`, fixedIn: [versions[at % versions.length] ?? ''] }),
  );
  const read = async () => ({ kind: 'ready', result: aResult(fixes), at: NOW });
  const here = listening(upgrade, { changes: { lookups: { read } } });
  const view = { id: 'V1', private_metadata: openedFrom() };
  await here.click('upgrade-0', { ...(value !== undefined && { value }), view });
  return JSON.stringify(here.calls[0]?.args.view);
}
const at = (version: number, page: number) => JSON.stringify({ upgrade: version, page });

test('“What an upgrade fixes” goes to the version and the page that were chosen', async () => {
  expect(await shown(at(0, 0))).toContain('Fixed 0. · fixed in 17.5.0');
  expect(await shown(at(1, 0))).toContain('Fixed 1. · fixed in 17.1.4');
  expect(await shown(at(0, 1))).toContain('Fixed 58. · fixed in 17.5.0');
});

test('Whatever page or version is asked for, the nearest is shown; few hits have no pages', async () => {
  expect(await shown(at(0, 99))).toBe(await shown(at(0, 2)));
  expect(await shown(at(0, 99))).not.toBe(await shown(at(0, 1)));
  expect(await shown(at(9, 0))).toBe(await shown(at(1, 0)));
  expect(await shown(at(0, 0), 2)).not.toContain('upgrade-page-');
  expect(await shown(at(0, 0))).toContain('upgrade-page-1');
});

test('“What an upgrade fixes” says how many releases it leaves out', async () => {
  const versions = Array.from({ length: 12 }, (_, at) => `17.1.${at + 4}`);
  const window = await shown(at(0, 0), 12, versions);
  expect(window).toContain('17.1.15 fixes 12 of 12 hits');
  expect(window).toContain('2 more releases of these branches that fix hits are not listed.');
  expect(await shown(at(0, 0), 11, versions.slice(1))).toContain(
    '1 more release of these branches that fixes hits is not',
  );
  expect(await shown(at(0, 0))).not.toContain('not listed');
});

test.each([
  undefined,
  '',
  '{}',
  '{"upgrade":-1,"page":0}',
  '{"upgrade":0,"page":-1}',
  '{"page":0,"release":-1}',
])('What another version of the bot wrote is refused: %s', (value) =>
  expect(shown(value)).rejects.toThrow(UnreadableValue),
);

const aHit = (changes: Partial<Diagnostic>) => aDiagnostic({ name: 'D1', importance: 'LOW', ...changes });

test('Of several releases in use, a version and a page of one lead to the same one', () => {
  const fixes = Array.from({ length: 60 }, (_, index) => aHit({ fixedIn: [VERSIONS[index % 2] ?? ''] }));
  const { blocks } = upgradeModal(upgradesOf(aResult(fixes)), { page: 0, release: 1 }, ['17.1.3', '17.1.2']);
  const values = objectsIn(blocks).filter(({ action_id: id }) => /^upgrade-(?:\d|page)/.test(String(id)));
  expect(values.map(({ value }) => JSON.parse(String(value)).release)).toEqual([1, 1, 1]);
});

test('A hit without a title is named, and a long one leaves room for the releases that fix it', () => {
  const fixedIn = ['17.1.4', ...Array.from({ length: 20 }, (_, index) => `17.5.${index}`)];
  const hits = [aHit({ title: '', fixedIn: ['17.1.4'] }), aHit({ title: 'x'.repeat(200), fixedIn })];
  const view = upgradeModal(upgradesOf(aResult(hits)), { upgrade: 0, page: 0 });
  const [named = '', long = ''] = textsOf(view.blocks, 'text').filter((text) => text.startsWith('○'));
  expect(named).toBe('○ Low · D1 · fixed in 17.1.4');
  const [line, fixed] = long.split(' · fixed in ');
  expect([line?.length, fixed?.length]).toEqual([140, 60]);
});

test('One version alone needs no choice', async () => {
  expect(await shown(at(0, 0), 2, ['17.1.4'])).not.toContain('upgrade-0');
});
