import { expect, test, vi } from 'vitest';
import { responseUrl } from '../../../src/core/lookup.ts';
import { CompositionFailed } from '../../../src/lookups/lookup-status.ts';
import { lookupFixture } from '../../support/lookup-fixture.ts';

test('Acknowledgements go first: a step waits for them before it asks, and before it delivers', async () => {
  const fixture = lookupFixture();
  const order: string[] = [];
  vi.spyOn(fixture.options.precedence, 'turn').mockImplementation(async () => void order.push('turn'));
  fixture.before.push(async () => order.push('asked'));
  const { deliver } = fixture.options.delivery;
  fixture.options.delivery = {
    ...fixture.options.delivery,
    deliver: async (...given) => {
      order.push('delivered');
      return deliver(...given);
    },
  };
  await fixture.take(fixture.job());
  expect(order).toEqual(['turn', 'asked', 'turn', 'delivered']);
});

test('While nobody can tell whether that person may see it, nothing is shown, and the step is taken again', async () => {
  const fixture = lookupFixture();
  const unsure = () => Promise.reject(new Error('Slack does not answer'));
  fixture.options.delivery = { ...fixture.options.delivery, mayStillSee: unsure };
  await expect(fixture.take(fixture.job())).rejects.toThrow('Slack does not answer');
  expect(fixture.shown).toEqual([]);
});

test('A result whose message cannot be made ends with the reference that the log has', async () => {
  const fixture = lookupFixture();
  const { deliver } = fixture.options.delivery;
  fixture.options.delivery = {
    ...fixture.options.delivery,
    deliver: async (lookup, status, save) => {
      if (status.kind === 'ready')
        throw new CompositionFailed({ cause: new TypeError('undefined is no list') });
      return deliver(lookup, status, save);
    },
  };
  expect(await fixture.take(fixture.job())).toEqual({ done: true });
  expect(fixture.bugs).toHaveLength(1);
  expect(fixture.shown).toEqual([{ kind: 'broken', reference: fixture.bugs[0]?.reference }]);
  expect(fixture.bugs[0]?.reference).toMatch(/^[0-9a-f]{8}$/);
});

test('A wait whose message cannot be made ends with that reference too', async () => {
  const fixture = lookupFixture();
  fixture.answers.splice(0, 1, { reason: 'Busy.' });
  const { deliver } = fixture.options.delivery;
  fixture.options.delivery = {
    ...fixture.options.delivery,
    deliver: async (lookup, status, save) => {
      if (status.kind === 'waiting') throw new CompositionFailed({ cause: new TypeError('no') });
      return deliver(lookup, status, save);
    },
  };
  expect(await fixture.take(fixture.job())).toEqual({ done: true });
  expect(fixture.shown.map(({ kind }) => kind)).toEqual(['broken']);
});

test('Cancel that was pressed before a step ends the lookup without a request', async () => {
  const fixture = lookupFixture();
  await fixture.options.cancellations.set('a-lookup', {}, 60_000);
  expect(await fixture.take(fixture.job({ shown: '::' }))).toEqual({ done: true });
  expect([fixture.shown, fixture.requests()]).toEqual([[{ kind: 'cancelled' }], 0]);
});

test('Cancel that is pressed while a step asks the service is obeyed before anything is shown', async () => {
  const fixture = lookupFixture();
  fixture.answers.splice(0, 1, () => fixture.options.cancellations.set('a-lookup', {}, 60_000));
  expect(await fixture.take(fixture.job({ mayBeShown: true }))).toEqual({ done: true });
  expect(fixture.shown).toEqual([{ kind: 'cancelled' }]);
});

test('Nobody can cancel what was never shown: nothing is read for it', async () => {
  const fixture = lookupFixture();
  fixture.options.cancellations.get = () => Promise.reject(new Error('it was read'));
  expect(await fixture.take(fixture.job())).toEqual({ done: true });
  expect(fixture.shown.map(({ kind }) => kind)).toEqual(['ready']);
});

test('Cancel that is pressed while a step delivers is obeyed at its end, through the response URL of that click', async () => {
  const fixture = lookupFixture();
  const response = responseUrl('https://hooks.slack.com/actions/1', true, Date.now());
  fixture.answers.splice(0, 1, { reason: 'Busy.' });
  const { deliver } = fixture.options.delivery;
  const responses: unknown[] = [];
  fixture.options.delivery = {
    ...fixture.options.delivery,
    deliver: async (lookup, status, save) => {
      responses.push(lookup.destination.response);
      await fixture.options.cancellations.set('a-lookup', { response }, 60_000);
      return deliver(lookup, status, save);
    },
  };
  expect(await fixture.take(fixture.job())).toEqual({ done: true });
  expect(fixture.shown.map(({ kind }) => kind)).toEqual(['waiting', 'cancelled']);
  expect(responses).toEqual([undefined, response]);
});

test('A step in which the process died four times is not tried again: it ends with a reference', async () => {
  const fixture = await lookupFixture();
  expect(await fixture.take(fixture.job(), 4)).toEqual({ done: true });
  expect(fixture.requests()).toBe(0);
  expect(fixture.shown).toEqual([{ kind: 'broken', reference: fixture.bugs[0]?.reference }]);
  expect(String(fixture.bugs[0]?.error)).toContain('the process died 4 times in the same step');
});

test('After three deaths a step is tried once more', async () => {
  const fixture = await lookupFixture();
  await fixture.take(fixture.job(), 3);
  expect(fixture.shown.map(({ kind }) => kind)).toEqual(['ready']);
});
