import { describe, expect, test, vi } from 'vitest';
import type { Acceptance, Named } from '../../../../../src/core/comparing.ts';
import { Stopping } from '../../../../../src/core/errors.ts';
import { StorageFailed } from '../../../../../src/core/faults.ts';
import { away } from '../../../../support/listening.ts';
import { DAY_MS, ID, START, watched } from '../../../../support/watch-world.ts';

const LOW = { name: 'D1', importance: 'LOW' };
const HIGH = { name: 'D1', importance: 'HIGH' };

/** A watched snapshot and its next reading, whose time has come. */
async function due() {
  const world = await watched();
  const [job] = world.jobs.values();
  if (job === undefined) throw new Error('no reading');
  world.clock.now = job.at;
  return { ...world, job };
}

describe('A daily reading', () => {
  test('that finds no room is no day without an answer: it is tried again within half an hour', async () => {
    const { step, job, state, outcomes } = await due();
    state.service = 'busy';
    const taken = await step(job);
    expect(taken).toMatchObject({ done: false, job: { at: job.at } });
    const after = taken.done ? 0 : taken.at - job.at;
    expect([after > 0, after <= DAY_MS / 48]).toEqual([true, true]);
    expect(outcomes).toEqual(['started']);
  });

  test('that is handed out too early asks nothing yet', async () => {
    const { step, job, requests, clock } = await due();
    clock.now -= 1;
    expect(await step(job)).toEqual({ done: false, job, at: job.at });
    expect(requests).toEqual([]);
  });

  test('of a snapshot that is processed again counts as one without an answer', async () => {
    const { step, job, state, outcomes } = await due();
    state.service = 'processing';
    await step(job);
    expect(outcomes).toEqual(['started', 'unanswered']);
  });

  test.each([new StorageFailed(), new Stopping()])('is taken again after %s', async (fault) => {
    const { step, job, state } = await due();
    state.fault = fault;
    await expect(step(job)).rejects.toBe(fault);
  });

  test('is taken again where the store is away when the end of a watch is told', async () => {
    const { step, job, state, store, analyses } = await due();
    analyses.delete(ID);
    state.whenTold = async () =>
      void vi.spyOn(store.namespace('watches'), 'change').mockImplementationOnce(away);
    await expect(step(job)).rejects.toThrow(StorageFailed);
  });

  test('goes on for nobody where Slack never takes the word that a watch is over, and that is no day', async () => {
    const { until, state, jobs, analyses, outcomes } = await watched();
    analyses.delete(ID);
    Object.assign(state, { slack: 'user_disabled', refusing: 'U' });
    await until(START + 2 * DAY_MS);
    expect([jobs.size, outcomes]).toEqual([0, ['started', 'ended']]);
  });

  const accepted = (hit: Named) => ({ ...hit, until: START + 60 * DAY_MS }) as unknown as Acceptance;
  test.each([
    ['cleared', [HIGH], []],
    ['new', [], [HIGH]],
    ['rated as it was accepted', [LOW], [HIGH]],
  ])('tells nothing of what was accepted: %s', async (_what, was, is) => {
    const { until, watches, state, analyses, news } = await watched();
    state.accepted = [accepted(HIGH)];
    const base = { at: START, hits: was };
    const there = { channel: 'C2', messageTs: '2.2', device: '', worth: 'any' } as const;
    await watches().start({ ...there, snapshotId: ID, user: 'U0BEN', base });
    analyses.set(ID, is);
    await until(START + DAY_MS);
    expect(news().filter(({ channel }) => channel === 'C2')).toEqual([]);
  });

  test('says since when: what was told last, or the begin of the watch', async () => {
    const { until, analyses, news } = await watched();
    await until(START + 3 * DAY_MS);
    analyses.set(ID, [LOW]);
    await until(START + 5 * DAY_MS);
    analyses.set(ID, [HIGH]);
    await until(START + 6 * DAY_MS);
    const since = news().map(({ text }) => / since ([\d-]+)/.exec(text)?.[1]);
    expect(since).toEqual(['2026-01-01', '2026-01-04']);
  });
});

describe('Of several who watch a snapshot', () => {
  test('who may no longer see it is left out, and the others go on', async () => {
    const { until, watch, watches, access, analyses, news } = await watched();
    await watch('U0BEN', ID, 'any');
    Object.assign(access, { mayStillSee: async (user: string) => user !== 'U0ANA' });
    analyses.set(ID, [LOW]);
    await until(START + DAY_MS);
    expect(news().map(({ text }) => text)).toEqual([expect.stringMatching(/^<@U0BEN> Hits/)]);
    const left = await Promise.all(['U0ANA', 'U0BEN'].map((user) => watches().of(user)));
    expect(left.map(({ length }) => length)).toEqual([0, 1]);
  });

  test('those at a message that takes no reply are told so, and those at another one go on', async () => {
    const { until, watch, watches, state, analyses, news } = await watched();
    await watch('U0BEN', ID, 'any', 'C2', '2.2');
    Object.assign(state, { slack: 'is_archived', refusing: 'C1' });
    analyses.set(ID, [LOW]);
    await until(START + DAY_MS);
    expect(news().map(({ channel }) => channel)).toEqual(['C2', 'U0ANA']);
    expect(await watches().of('U0BEN')).toHaveLength(1);
  });

  test('each alone, each is told alone', async () => {
    const { until, watches, analyses, news } = await watched();
    for (const user of ['U0BEN', 'U0CLEO']) {
      const base = { at: START, hits: [] };
      await watches().start({ snapshotId: ID, user, device: '', worth: 'any', channel: user, base });
    }
    analyses.set(ID, [LOW]);
    await until(START + DAY_MS);
    expect(news().map(({ channel, text }) => [channel, text.match(/<@\w+>/g)])).toEqual([
      ['C1', ['<@U0ANA>']],
      ['U0BEN', ['<@U0BEN>']],
      ['U0CLEO', ['<@U0CLEO>']],
    ]);
  });
});
