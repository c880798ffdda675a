import { describe, expect, test } from 'vitest';
import { SnapshotNotFound } from '../../../src/core/faults.ts';
import type { Job, LookupQueue, Processor } from '../../../src/lookups/queue.ts';
import { createLookups } from '../../../src/wiring/lookups.ts';
import { lookupFixture, RESULT } from '../../support/lookup-fixture.ts';
import { basing } from '../../support/observed-base.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const MINUTE_MS = 60_000;
const QUESTION = { snapshotId: snapshotId('1012'), set: 'hit' } as const;

/** Lookups whose steps a test takes. */
function looking(settings: Readonly<Record<string, string>> = {}) {
  const based = basing(settings);
  const fixture = lookupFixture(() => based.clock.now);
  const added: Job[] = [];
  let step: Processor = () => Promise.reject(new Error('not started'));
  const queue = {
    add: async (job: Job) => void added.push(job),
    wake: async () => {},
    start: async (processor: Processor) => {
      step = processor;
    },
  };
  const { delivery, history } = fixture.options;
  const lookups = createLookups(based.base, fixture.polls, queue as unknown as LookupQueue, {
    delivery,
    history: history as never,
  });
  const accept = async () => {
    const destination = { channel: 'C1', user: 'U2' };
    await lookups.accept({ question: QUESTION, askedBy: 'U1', destination });
    await lookups.start();
    const job = added[0];
    if (job === undefined) throw new Error('no job');
    return { job, take: (changes = {}) => step({ ...job, ...changes }, async () => {}, 0) };
  };
  return { ...based, ...fixture, lookups, accept };
}
const who = (job: Job) => ({ lookup: job.id, user: 'U1', channel: 'C1', snapshot: '1012' });

describe('What becomes of a lookup is told to operators', () => {
  test('when it is accepted, and until when it may wait', async () => {
    const { accept, log, audited, clock } = looking({ WAIT_LIMIT_MINUTES: '7' });
    const { job } = await accept();
    expect(job).toMatchObject({ acceptedAt: clock.now, deadline: clock.now + 7 * MINUTE_MS });
    expect(log).toEqual([
      { level: 30, lookup: job.id, snapshot: '1012', set: 'hit', msg: 'lookup accepted' },
    ]);
    expect(audited).toEqual([{ event: 'accepted', ...who(job) }]);
  });

  test('when it ends in a result', async () => {
    const { accept, answers, log, audited, traced, metrics, clock, observation } = looking();
    answers.push(RESULT);
    const { job, take } = await accept();
    clock.now += 2_500;
    expect(await take({ waitingSince: clock.now - 1_000 })).toEqual({ done: true });
    expect(log.at(-1)).toEqual({
      level: 30,
      lookup: job.id,
      outcome: 'ready',
      ms: 2_500,
      msg: 'lookup ended',
    });
    expect(audited.at(-1)).toEqual({ event: 'answered', ...who(job), outcome: 'ready' });
    expect(traced).toEqual([
      ['step', job.id],
      ['ended', job.id, 'ready', clock.now],
    ]);
    expect(await metrics(/lookups_total|answer_seconds_sum/)).toEqual([
      'snapshot_bot_lookups_total{outcome="ready"} 1',
      'snapshot_bot_answer_seconds_sum{waited="true"} 2.5',
    ]);
    expect(observation.events.faults).toEqual([]);
  });

  test('when it ends in a fault, by the beginning of its id', async () => {
    const { accept, answers, audited, metrics, clock, observation } = looking();
    answers[0] = new SnapshotNotFound();
    const { job, take } = await accept();
    await take();
    const [fault] = observation.events.faults;
    expect(fault?.at).toBe(clock.now);
    expect(fault?.reference).toBe(job.id.slice(0, 8));
    expect(audited.at(-1)).toMatchObject({ event: 'answered', outcome: fault?.code });
    expect(await metrics(/lookups_total|answer_seconds_sum/)).toEqual([
      `snapshot_bot_lookups_total{outcome="${fault?.code}"} 1`,
      expect.stringContaining('{waited="false"}'),
    ]);
  });
});

describe('What becomes of a lookup otherwise is told too', () => {
  test('when it is cancelled', async () => {
    const { accept, lookups, audited } = looking();
    const { job, take } = await accept();
    await lookups.cancel(job.id);
    await take({ mayBeShown: true });
    expect(audited.at(-1)).toEqual({ event: 'cancelled', ...who(job), outcome: 'cancelled' });
  });

  test('when a bug ends it, with the reference that the person was given; every line of its steps names it', async () => {
    const { accept, answers, before, base, log, metrics, observation, clock } = looking();
    before.push(async () => base.logger.info('within the step'));
    answers[0] = new TypeError('x is undefined');
    const { job, take } = await accept();
    await take();
    const bug = log.find(({ msg }) => String(msg).includes('because of a bug'));
    expect(bug).toMatchObject({
      level: 50,
      lookup: job.id,
      reference: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(observation.events.faults).toContainEqual({
      at: clock.now,
      code: 'bug',
      reference: bug?.reference,
    });
    expect(await metrics(/bugs_total/)).toEqual(['snapshot_bot_bugs_total 1']);
    expect(log.find(({ msg }) => msg === 'within the step')).toMatchObject({ lookup: job.id });
  });
});
