import { expect, onTestFinished, test, vi } from 'vitest';
import { remembered as rememberedBy, slackFacts } from '../../../../src/slack/front/slack-facts.ts';
import { scriptedSlack } from '../../../support/scripted-slack.ts';

/** Answers of Slack that a test gives, by the key that was asked about. */
function slack(ask: (key: string) => Promise<string>) {
  let now = 1_000;
  const asked: string[] = [];
  const errors: unknown[] = [];
  const counted = (key: string) => {
    asked.push(key);
    return ask(key);
  };
  const told = { now: () => now, onError: (error: unknown) => errors.push(error) };
  const remembered = rememberedBy(counted, { ttlMs: 60_000, lateMs: 3_600_000 }, told);
  return {
    remembered,
    asked,
    errors,
    later: (ms: number) => {
      now += ms;
    },
  };
}

test('An answer is used until its time is over, and not a moment longer', async () => {
  const { remembered, asked, later } = slack(async (key) => `about ${key}`);
  expect(await remembered.get('U1')).toBe('about U1');
  later(59_999);
  await remembered.get('U1');
  expect(asked).toEqual(['U1']);
  later(1);
  await remembered.get('U1');
  expect(asked).toEqual(['U1', 'U1']);
});

test('A failure gives no answer, is reported, and is not remembered', async () => {
  let fails = true;
  const { remembered, errors } = slack(async () => {
    if (fails) throw new Error('no');
    return 'yes';
  });
  expect(await remembered.get('U1')).toBeUndefined();
  expect(errors).toHaveLength(1);
  fails = false;
  expect(await remembered.get('U1')).toBe('yes');
});

test('An old answer does not replace one that Slack fails to give', async () => {
  let fails = false;
  const { remembered, later } = slack(async () => {
    if (fails) throw new Error('no');
    return 'yes';
  });
  await remembered.get('U1');
  later(60_000);
  fails = true;
  expect(await remembered.get('U1')).toBeUndefined();
});

test('An answer that takes longer than two seconds is given to later callers only', async () => {
  vi.useFakeTimers();
  const { promise, resolve } = Promise.withResolvers<string>();
  const { remembered, asked } = slack(() => promise);
  const early = remembered.get('U1');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await early).toBeUndefined();
  // A command asks several things, and has two seconds for all of them.
  const another = remembered.get('U1');
  await vi.advanceTimersByTimeAsync(1);
  expect(await another).toBeUndefined();
  resolve('yes');
  await vi.advanceTimersByTimeAsync(0);
  expect(await remembered.get('U1')).toBe('yes');
  expect(asked).toEqual(['U1']);
  vi.useRealTimers();
});

test('Where Slack takes longer, its answer of the hour before counts, and the later one replaces it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { promise, resolve } = Promise.withResolvers<string>();
  const answers = [Promise.resolve('old'), promise];
  const { remembered, later } = slack(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
  await remembered.get('U1');
  const gets = async () => {
    const got = remembered.get('U1', 10_000);
    await vi.advanceTimersByTimeAsync(2_000);
    return got;
  };
  later(60_000 + 3_600_000 - 1);
  expect(await gets()).toBe('old');
  later(1);
  const patient = gets();
  // Ten seconds from the question.
  await vi.advanceTimersByTimeAsync(5_999);
  resolve('new');
  expect(await patient).toBe('new');
});

test('Many calls at once cost one question; a value that was set costs none, and a forgotten one costs another', async () => {
  const { remembered, asked } = slack(async () => 'yes');
  await Promise.all([remembered.get('U1'), remembered.get('U1'), remembered.get('U2')]);
  expect(asked).toEqual(['U1', 'U2']);
  remembered.set('U3', 'told');
  expect(await remembered.get('U3')).toBe('told');
  remembered.forget('U1');
  await remembered.get('U1');
  expect(asked).toEqual(['U1', 'U2', 'U1']);
});

test('No more than ten thousand answers are remembered: those that were given longest ago are dropped', async () => {
  const { remembered, asked } = slack(async () => 'yes');
  for (let index = 0; index < 10_000; index += 1) remembered.set(`U${index}`, 'yes');
  await remembered.get('U0');
  expect(asked).toEqual([]);
  remembered.set('U0', 'given again');
  remembered.set('U10000', 'yes');
  await remembered.get('U10000');
  expect(await remembered.get('U0')).toBe('given again');
  expect(asked).toEqual([]);
  await remembered.get('U1');
  expect(asked).toEqual(['U1']);
});

test.each([
  ['forgotten', 'new', (remembered: ReturnType<typeof slack>['remembered']) => remembered.forget('U1')],
  [
    'given by an event',
    'told',
    (remembered: ReturnType<typeof slack>['remembered']) => remembered.set('U1', 'told'),
  ],
])(
  'An answer that was %s while Slack was asked is not replaced by the older one',
  async (_how, expected, change) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answers = [promise, Promise.resolve('new')];
    const { remembered, errors } = slack(
      () => answers.shift() ?? Promise.reject(new Error('asked too often')),
    );
    const early = remembered.get('U1');
    change(remembered);
    expect(await remembered.get('U1')).toBe(expected);
    resolve('old');
    expect(await early).toBe('old');
    expect(await remembered.get('U1')).toBe(expected);
    expect(errors).toEqual([]);
  },
);

test('A failure of a question that is out of date ends no later one', async () => {
  const failing = Promise.withResolvers<string>();
  const later = Promise.withResolvers<string>();
  const answers = [failing.promise, later.promise];
  const { remembered, asked } = slack(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
  const early = remembered.get('U1');
  remembered.forget('U1');
  const second = remembered.get('U1');
  failing.reject(new Error('no'));
  expect(await early).toBeUndefined();
  const third = remembered.get('U1');
  later.resolve('yes');
  expect([await second, await third]).toEqual(['yes', 'yes']);
  expect(asked).toEqual(['U1', 'U1']);
});

test('The members of a conversation are read to the last page', async () => {
  const pages = [
    { members: ['U1'], response_metadata: { next_cursor: 'two' } },
    { members: ['U2'], response_metadata: { next_cursor: '' } },
  ];
  const { client, calls } = scriptedSlack(() => pages.shift() ?? 'internal_error');
  const facts = slackFacts({ client, now: () => 0, onError: () => {} });
  expect(await facts.members('C1')).toEqual(new Set(['U1', 'U2']));
  expect(calls.map(({ args }) => args.cursor)).toEqual([undefined, 'two']);
});
