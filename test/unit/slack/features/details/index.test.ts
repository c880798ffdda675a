import { describe, expect, test } from 'vitest';
import { Forbidden } from '../../../../../src/core/faults.ts';
import { hitValue, readHit } from '../../../../../src/slack/blocks/action-values.ts';
import { details } from '../../../../../src/slack/features/details/index.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { aStore } from '../../../../support/embedded.ts';
import { IN_THREAD, listening, NOW } from '../../../../support/listening.ts';
import { objectsIn, textsOf } from '../../../../support/message-parts.ts';
import { IN_PROCESS, QUESTION, STORE_AWAY, THERE } from '../../../../support/shown-results.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

type Here = ReturnType<typeof listening>;

const shown = (here: Here) => here.calls.map(({ args }) => JSON.stringify(args.view));

describe('The details of a hit', () => {
  const value = (name = 'D1') => hitValue({ view: { question: QUESTION }, hit: 1, name, part: 0 });
  const opens = { slack: () => ({ view: { id: 'V2' } }) };

  test('open at once where the result is kept, and say where they belong', async () => {
    const here = listening(details.listen, { ...THERE, ...opens });
    await here.click('details', { value: value(), container: IN_THREAD });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.open']);
    const origin = JSON.stringify({ channel: 'C1', threadTs: '1.1', messageTs: '2.2' });
    expect(here.calls[0]?.args.view).toMatchObject({ private_metadata: origin });
    expect(shown(here)[0]).toContain('hit-share');
  });

  test('are put above the modal that they are opened from, and belong to its conversation', async () => {
    const here = listening(details.listen, { ...THERE, ...opens });
    const origin = JSON.stringify({ channel: 'C7' });
    await here.click('details', { value: value(), view: { id: 'V1', private_metadata: origin } });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.push']);
    expect(here.calls[0]?.args.view).toMatchObject({ private_metadata: origin });
    expect(shown(here).join()).not.toContain('hit-share');
  });

  test('of a long text show the part that a button of theirs leads to', async () => {
    const hit = aDiagnostic({ name: 'D1', output: ['x'.repeat(60_000)] });
    const read = async () => ({ kind: 'ready', result: aResult([hit]), readAt: NOW });
    const here = listening(details.listen, { changes: { lookups: { read, cached: read } } });
    const carried = hitValue({ view: { question: QUESTION }, hit: 0, name: 'D1', part: 2 });
    const view = { id: 'V1', private_metadata: JSON.stringify({ channel: 'C1' }) };
    await here.click('part-next', { value: carried, view });
    expect(shown(here).join()).toContain('Part 3 of 4');
    // Whoever looks at what would be shared comes back to that part.
    await here.click('hit-share', { value: carried, view });
    const [back] = objectsIn([here.calls.at(-1)?.args.view as object]).filter(
      ({ action_id }) => action_id === 'hit-back',
    );
    expect(readHit(String(back?.value)).part).toBe(2);
  });

  test.each([
    ['the snapshot is processed again', IN_PROCESS, '26808463'],
    ['the store is away', STORE_AWAY, 'storage'],
  ])('open first and then say that %s', async (_what, options, words) => {
    const here = listening(details.listen, { ...options, ...opens });
    await here.click('details', { value: value() });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.open', 'views.update']);
    expect(shown(here)[0]).toContain('Reading the result…');
    expect(shown(here)[1]).toContain(words);
    expect(shown(here)[1]).not.toContain('Reading the result…');
  });

  test('are shared once from one modal, each hit by itself, and again from another modal', async () => {
    const here = listening(details.listen, { ...THERE, ...opens });
    const share = (id: string, hit: string) =>
      here.click('hit-post', {
        value: hitValue({ view: { question: QUESTION }, hit: Number(hit.slice(1)), name: hit, part: 0 }),
        view: { id, private_metadata: JSON.stringify({ channel: 'C1', messageTs: '2.2' }) },
      });
    for (const [id, hit] of [
      ['V1', 'D1'],
      ['V1', 'D1'],
      ['V1', 'D3'],
      ['V2', 'D1'],
    ] as const)
      await share(id, hit);
    expect(here.of('posted').map(([to]) => to)).toEqual(Array(3).fill({ channel: 'C1', threadTs: '2.2' }));
    expect(here.of('audit')[0]).toEqual([
      { event: 'shared', user: 'U1', channel: 'C1', snapshot: '26808463' },
    ]);
    expect(shown(here).join()).not.toContain('can’t post there');
  });

  test('are shared again a minute later, and not before', async () => {
    const clock = { now: NOW };
    const leases = aStore(() => clock.now).leases;
    const here = listening(details.listen, { changes: { ...THERE.changes, leases }, ...opens });
    const view = { id: 'V1', private_metadata: JSON.stringify({ channel: 'C1', messageTs: '2.2' }) };
    for (const after of [0, 30_000, 59_999, 60_000]) {
      clock.now = NOW + after;
      await here.click('hit-post', { value: value(), view });
    }
    expect(here.of('posted')).toHaveLength(2);
  });
});

describe('The details of a hit of several snapshots', () => {
  const evidence = (of: string) => of.padEnd(500, of);
  const hit = (title: string, importance: string, of: string) =>
    aDiagnostic({ name: 'D1', title, importance, output: [evidence(of)] });
  const FIRST = [hit('Other', 'HIGH', 'a'), hit('One', 'LOW', 'b'), hit('One', 'HIGH', 'c')];
  const others = [{ ...QUESTION, snapshotId: snapshotId('26808470') }];
  const value = hitValue({ view: { question: QUESTION, others }, hit: 1, name: 'D1', part: 0 });

  /** What they read like where the first snapshot reads so from the second time on, and the second one so. */
  async function texts(again: () => object, second: () => object): Promise<string[]> {
    let reads = 0;
    const read = async ({ snapshotId: id }: { readonly snapshotId: string }) => {
      if (id !== QUESTION.snapshotId) return second();
      reads += 1;
      return reads === 1 ? ready(FIRST) : again();
    };
    const changes = { lookups: { read } };
    const here = listening(details.listen, { changes, slack: () => ({ view: { id: 'V2' } }) });
    await here.click('details', { value, container: IN_THREAD });
    return textsOf([here.calls.at(-1)?.args.view as object], 'text');
  }
  const ready = (diagnostics: typeof FIRST) => {
    const result = aResult(diagnostics);
    const device = { ...result.device, hostname: 'lb-a' };
    return { kind: 'ready', result: { ...result, device }, readAt: NOW };
  };
  const second = () => ready([hit('One', 'HIGH', 'd')]);

  test('have the whole evidence of this very hit, and name no device as theirs', async () => {
    const said = await texts(() => ready(FIRST), second);
    expect(said.filter((text) => /^([a-d])\1+$/.test(text))).toEqual([evidence('c')]);
    expect(said.slice(0, 2)).toEqual(['Hit 2 of 3', 'One']);
  });

  test.each([
    ['no longer lists it', () => ready([])],
    ['is processed again', () => ({ kind: 'processing' })],
  ])('have what is known of it where its snapshot %s', async (_what, again) => {
    expect((await texts(again, second)).join()).toContain('ccc');
  });

  test('ask for none of the snapshots that have no result', async () => {
    const refused = () => {
      throw new Forbidden();
    };
    expect(await texts(() => ready(FIRST), refused)).toContain(evidence('c'));
  });
});
