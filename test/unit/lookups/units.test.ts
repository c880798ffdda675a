import { describe, expect, test } from 'vitest';
import { Forbidden, ServiceFailed } from '../../../src/core/faults.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { clockedFixture, RESULT } from '../../support/lookup-fixture.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_795_000_000_000;
const FAILED = new ServiceFailed('diagnostics service', 503);
const OTHER = { snapshotId: snapshotId('26808470'), set: 'all' as const };

const waiting = () => clockedFixture(START, 10_000);

test('A wait is counted from the first 202 that its lookup has met', async () => {
  const { take, job, answers, shown } = waiting();
  answers.unshift({ reason: 'Busy.' });
  const [acceptedAt, waitingSince] = [START - 9_000, START - 5_000];
  expect(await take(job({ acceptedAt, waitingSince }))).toMatchObject({ job: { waitingSince } });
  expect(shown).toMatchObject([{ kind: 'waiting', since: waitingSince }]);
});

describe('Of the two of a comparison', () => {
  const BEFORE = { before: OTHER };

  test('both are awaited, and the step comes for whichever can be asked first', async () => {
    const { take, job, answers, shown, clock } = waiting();
    answers.splice(0, 1, { reason: 'One.' }, { reason: 'Two.' });
    await take(job());
    clock.now += 4_000;
    const step = await take(job(BEFORE));
    const since = clock.now;
    expect(step).toMatchObject({ at: START + 10_020, job: { waitingSince: since } });
    expect(shown.at(-1)).toEqual({ kind: 'waiting', since, reason: 'Two. One.', isProcessing: true });
  });

  test('that are awaited for the same reason it is said once', async () => {
    const { take, job, answers, shown, next } = waiting();
    answers.splice(0, 1, { reason: 'Busy.' }, { reason: 'Busy.' }, RESULT, { reason: 'Busy.' });
    const step = await take(job(BEFORE));
    expect(shown).toMatchObject([{ kind: 'waiting', reason: 'Busy.' }]);
    // That one of them is ready is no news.
    expect(await next(step)).toMatchObject({ job: { units: [{ kind: 'ready' }, { kind: 'open' }] } });
    expect(shown).toHaveLength(1);
  });

  test('one that is processed is awaited although the other one is ready', async () => {
    const { take, job, answers, shown } = waiting();
    answers.splice(0, 1, RESULT, { reason: 'Busy.' });
    await take(job(BEFORE));
    expect(shown).toEqual([{ kind: 'waiting', since: START, reason: 'Busy.', isProcessing: true }]);
  });

  test.each([
    ['failed', new Forbidden()],
    ['broken', new TypeError('undefined is no list')],
  ])('one that has %s ends it, although the other one is processed', async (kind, error) => {
    const { take, job, answers, shown } = waiting();
    answers.splice(0, 1, { reason: 'Busy.' }, error);
    // What the message says of the other one is no news.
    const said = '{"kind":"open","isProcessing":true,"reason":"Busy."}';
    expect(await take(job({ ...BEFORE, shown: said }))).toEqual({ done: true });
    expect(shown.map((status) => status.kind)).toEqual([kind]);
  });
});

describe('Of several snapshots', () => {
  const OTHERS = { others: [OTHER] };
  const READ = { kind: 'ready' as const };

  test('one that fails is left alone for its whole pause while another one is asked for', async () => {
    const { take, job, answers, requests, next, clock, shown } = waiting();
    answers.splice(0, 1, { reason: 'Busy.' }, FAILED, FAILED, { reason: 'Busy.' });
    const second = await next(await take(job(OTHERS)));
    expect([clock.now, requests(), second]).toMatchObject([START + 10_000, 3, { at: START + 10_020 }]);
    const third = await next(second);
    expect([requests(), third]).toMatchObject([4, { at: clock.now + 10_020 }]);
    const units = [{ reason: 'Busy.' }, { troubles: 2, laterMs: 9_960 }];
    expect(third).toMatchObject({ done: false, job: { units } });
    // When which of them is asked for is no news.
    expect(shown).toHaveLength(1);
  });

  test('those whose results are gone from the cache are asked for again at once', async () => {
    const { take, job, requests, next, shown, answers } = waiting();
    answers.splice(0, 1, aResult([aDiagnostic({ output: ['found '.repeat(200)] })]));
    const step = await take(job({ ...OTHERS, units: [READ, READ] }));
    expect([step, shown, requests()]).toMatchObject([{ done: false, at: START }, [], 0]);
    expect([await next(step), requests()]).toEqual([{ done: true }, 2]);
    // Eight documents at once have no room in memory: only what a message shows of a text is kept.
    const output = [`${'found '.repeat(67).slice(0, 400).trim()}…`];
    const unit = { ...READ, result: { diagnostics: [{ output }] } };
    expect(shown).toMatchObject([{ kind: 'ready', units: [unit, unit] }]);
  });

  test('those whose results are gone when the wait is at its limit are asked for no more', async () => {
    const { take, job, requests, shown } = waiting();
    expect(await take(job({ ...OTHERS, units: [READ, READ], deadline: START }))).toEqual({ done: true });
    expect([shown, requests()]).toMatchObject([[{ kind: 'unanswered' }], 0]);
  });
});
