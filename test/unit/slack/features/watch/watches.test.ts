import { describe, expect, test } from 'vitest';
import { compareHits } from '../../../../../src/core/comparing.ts';
import type { Destination } from '../../../../../src/core/lookup.ts';
import { watch } from '../../../../../src/slack/features/watch/index.ts';
import { baseBefore } from '../../../../../src/slack/features/watch/news.ts';
import { aResult } from '../../../../support/a-diagnostic.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { away, RESPONSE_URL } from '../../../../support/listening.ts';
import { DAY_MS, ID, START, watched } from '../../../../support/watch-world.ts';

const THERE: Destination = { channel: 'C1', user: 'U1', messageTs: '2.2', threadTs: '1.1' };
const response = { url: RESPONSE_URL, expiresAt: START, replaces: true, isInUse: true };

describe('A result that was asked for with “watch”', () => {
  test.each([
    ['in its thread', THERE, { channel: 'C1', messageTs: '2.2', threadTs: '1.1' }],
    ['directly, where one person alone sees it', { ...THERE, response }, { channel: 'U1' }],
  ])('is watched for critical and high hits, which are told %s', async (_where, destination, spot) => {
    const world = await watched();
    const { hook, watching } = watch({ ...world.parts });
    const lookup = { ...aLookup('one'), question: { snapshotId: ID, set: 'all' as const }, watch: true };
    const status = { kind: 'ready' as const, result: aResult([]), readAt: START };
    await hook?.({
      lookup: lookup as typeof lookup & { watch: true },
      status,
      shown: { destination, isShown: true },
    });
    const { places = [] } = (await world.watches().get(ID)) ?? {};
    const [place] = places.filter(({ watchers }) => watchers.some(({ user }) => user === 'U1'));
    expect(place).toEqual({ ...spot, base: expect.anything(), watchers: [expect.anything()] });
    expect(await watching.of('U1')).toMatchObject([{ snapshotId: ID, worth: 'grave' }]);
  });
});

describe('A watch', () => {
  test('stops also where its reading can’t be removed, which then asks nothing', async () => {
    const { parts, watches, until, requests, jobs } = await watched();
    Object.assign(parts.watchQueue, { remove: away });
    expect(await watches().stop('U0ANA', ID)).toContain('You no longer watch');
    await until(START + 2 * DAY_MS);
    expect([requests, jobs.size]).toEqual([[], 0]);
  });

  test('that begins anew while the earlier one ends stays in the list of its person', async () => {
    const { watches, watch: begin, clock } = await watched();
    clock.now += 1;
    let begun: Promise<void> | undefined;
    await watches().end(ID, 'over', () => {
      begun ??= begin('U0ANA', ID, 'grave');
      return true;
    });
    await begun;
    expect(await watches().of('U0ANA')).toMatchObject([{ worth: 'grave' }]);
  });

  test('that is told by two processes is stored by the first of them', async () => {
    const { watches } = await watched();
    const [place] = (await watches().get(ID))?.places ?? [];
    if (place === undefined) throw new Error('nobody watches');
    const { base } = place;
    const [first, second, third] = [1, 2, 3].map(() => watches().progressAt(ID, place));
    expect(await first?.({ base, unconfirmed: { at: 5, base } })).toBe(true);
    expect(await second?.({ base, unconfirmed: undefined })).toBe(false);
    expect(await first?.({ base: { at: 9 }, unconfirmed: undefined })).toBe(true);
    expect(await third?.({ base, unconfirmed: undefined })).toBe(false);
    expect((await watches().get(ID))?.places[0]?.base).toEqual({ at: 9 });
  });
});

test('What people knew before a change is every hit as it was then', () => {
  const was = ['cleared', 'rated', 'kept'].map((name) => ({ name, importance: 'LOW' }));
  const is = [...was.slice(2), { name: 'rated', importance: 'HIGH' }, { name: 'new', importance: 'LOW' }];
  expect(baseBefore(5, compareHits(was, is))).toEqual({ at: 5, hits: was });
});
