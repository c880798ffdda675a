import { expect, test } from 'vitest';
import { CompositionFailed } from '../../../src/lookups/lookup-status.ts';
import { responseUrl } from '../../../src/slack/delivery/response-url.ts';
import { lookupBench } from '../../support/lookup-bench.ts';

test('A result is shown to whoever may still see it', async () => {
  const bench = lookupBench();
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect(bench.shown.map(({ kind }) => kind)).toEqual(['ready']);
});

test('A result is withheld from whoever lost access during the wait', async () => {
  const bench = lookupBench();
  bench.options.delivery = { ...bench.options.delivery, mayStillSee: async () => false };
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect(bench.shown).toEqual([{ kind: 'withheld' }]);
});

test('While nobody can tell whether that person may see it, nothing is shown, and the step is taken again', async () => {
  const bench = lookupBench();
  const unsure = () => Promise.reject(new Error('Slack does not answer'));
  bench.options.delivery = { ...bench.options.delivery, mayStillSee: unsure };
  await expect(bench.take(bench.job())).rejects.toThrow('interrupted');
  expect(bench.shown).toEqual([]);
});

test('A result whose message cannot be made ends with the reference that the log has', async () => {
  const bench = lookupBench();
  const { deliver } = bench.options.delivery;
  bench.options.delivery = {
    ...bench.options.delivery,
    deliver: async (lookup, status, save) => {
      if (status.kind === 'ready')
        throw new CompositionFailed({ cause: new TypeError('undefined is no list') });
      return deliver(lookup, status, save);
    },
  };
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect(bench.bugs).toHaveLength(1);
  expect(bench.shown).toEqual([{ kind: 'broken', reference: bench.bugs[0]?.reference }]);
  expect(bench.bugs[0]?.reference).toMatch(/^[0-9a-f]{8}$/);
});

test('So does a wait whose message cannot be made', async () => {
  const bench = lookupBench();
  bench.answers.splice(0, 1, { reason: 'Busy.' });
  const { deliver } = bench.options.delivery;
  bench.options.delivery = {
    ...bench.options.delivery,
    deliver: async (lookup, status, save) => {
      if (status.kind === 'waiting') throw new CompositionFailed({ cause: new TypeError('no') });
      return deliver(lookup, status, save);
    },
  };
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect(bench.shown.map(({ kind }) => kind)).toEqual(['broken']);
});

test('Cancel that was pressed before a step ends the lookup without a request', async () => {
  const bench = lookupBench();
  await bench.options.cancellations.add('a-lookup', {}, 60_000);
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect([bench.shown, bench.requests()]).toEqual([[{ kind: 'cancelled' }], 0]);
});

test('Cancel that is pressed while a step looks is heard before anything is shown', async () => {
  const bench = lookupBench();
  bench.answers.splice(0, 1, () => bench.options.cancellations.add('a-lookup', {}, 60_000));
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect(bench.shown).toEqual([{ kind: 'cancelled' }]);
});

test('Cancel that is pressed while a step shows is heard at its end, where its own address says', async () => {
  const bench = lookupBench();
  const response = responseUrl('https://hooks.slack.com/actions/1', true, Date.now());
  bench.answers.splice(0, 1, { reason: 'Busy.' });
  const { deliver } = bench.options.delivery;
  const places: unknown[] = [];
  bench.options.delivery = {
    ...bench.options.delivery,
    deliver: async (lookup, status, save) => {
      places.push(lookup.destination.response);
      await bench.options.cancellations.add('a-lookup', { response }, 60_000);
      return deliver(lookup, status, save);
    },
  };
  expect(await bench.take(bench.job())).toEqual({ done: true });
  expect(bench.shown.map(({ kind }) => kind)).toEqual(['waiting', 'cancelled']);
  expect(places).toEqual([undefined, response]);
});

test('A step in which the process died four times is not tried again: it ends with a reference', async () => {
  const bench = await lookupBench();
  expect(await bench.take(bench.job(), 4)).toEqual({ done: true });
  expect(bench.requests()).toBe(0);
  expect(bench.shown).toEqual([{ kind: 'broken', reference: bench.bugs[0]?.reference }]);
  expect(String(bench.bugs[0]?.error)).toContain('the process died 4 times in the same step');
});

test('After three deaths a step is tried once more', async () => {
  const bench = await lookupBench();
  await bench.take(bench.job(), 3);
  expect(bench.shown.map(({ kind }) => kind)).toEqual(['ready']);
});
