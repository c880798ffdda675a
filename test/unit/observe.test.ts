import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SnapshotNotFound, StorageFailed } from '../../src/core/faults.ts';
import { observe, observeLookups, observeSlack } from '../../src/observe.ts';
import { VERSION } from '../../src/ops/replicas.ts';
import { aLookup } from '../support/a-lookup.ts';
import { configOf } from '../support/other-settings.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 30);
const never = () => new Promise<never>(() => {});
const fail = () => Promise.reject(new Error('away'));

type Observed = ReturnType<Parameters<typeof observe>[1]>;

/** A bot in which all is well, but for what a test changes. */
function observing(changes: object = {}, settings: Readonly<Record<string, string>> = {}) {
  const observed = {
    store: { check: async () => {} },
    queue: { countOpen: async () => 3, oldestAcceptedAt: async () => NOW - 5_000 },
    reminders: { countOpen: async () => 8 },
    watches: { countOpen: async () => 7 },
    session: { health: async () => ({ state: 'working', until: NOW + 1_000 }) },
    slack: { isListening: () => true, tokenProblem: () => undefined },
    transport: { waiting: 0 },
    replicas: { versions: async () => ['1.0.0', '1.1.0'] },
    auditProblem: () => undefined,
    unopened: () => 0,
    ...changes,
  } as unknown as Observed;
  const clock = { now: NOW };
  const observation = observe(
    configOf(settings),
    () => observed,
    () => clock.now,
  );
  return { clock, observed, observation };
}

async function readinessIn({ observation: { slackPortRoutes } }: ReturnType<typeof observing>) {
  const { promise, resolve } = Promise.withResolvers<string>();
  let status = 0;
  const response = { writeHead: (code: number) => (status = code), end: resolve };
  slackPortRoutes.find(({ path }) => path === '/readyz')?.handler(undefined as never, response as never);
  return { status: [await promise, status][1], ...JSON.parse(await promise) };
}

afterEach(() => void vi.useRealTimers());

describe('Whether commands can be served', () => {
  test.each([
    [{}, 200, []],
    [{ auditProblem: () => 'full' }, 200, [{ part: 'audit', problem: 'full' }]],
    [{ unopened: () => 3 }, 200, [{ part: 'state key', problem: expect.stringContaining('opens: 3;') }]],
    [{ store: { check: fail } }, 503, [{ part: 'store', problem: 'away' }]],
    [
      { store: { check: () => Promise.reject(new StorageFailed({ cause: new Error('disk is full') })) } },
      503,
      [{ part: 'store', problem: 'the state of the bot could not be read or written (disk is full)' }],
    ],
    [
      { slack: { isListening: () => false, tokenProblem: () => undefined } },
      503,
      [{ part: 'slack', problem: 'Slack does not reach the bot' }],
    ],
    [
      { session: { health: async () => ({ state: 'refused', until: NOW }) } },
      200,
      [
        {
          part: 'login',
          problem: expect.stringMatching(/refuses .* tried after 2026-11-20T09:30:00\.000Z$/),
        },
      ],
    ],
    [
      { session: { health: async () => ({ state: 'mismatched', fault: new Error('no cookie fits') }) } },
      200,
      [{ part: 'login', problem: 'no cookie fits' }],
    ],
    [{ session: { health: fail } }, 200, [{ part: 'login', problem: 'away' }]],
  ])('is told with every reason: %#', async (changes, status, reasons) => {
    expect(await readinessIn(observing(changes))).toEqual({ status, ready: status === 200, reasons });
  });

  test('does not depend on the service, whose silence is told all the same', async () => {
    const all = observing();
    all.observation.events.noteAnswer('diagnostics service', 'none');
    expect(await readinessIn(all)).toMatchObject({ status: 200, reasons: [{ part: 'diagnostics service' }] });
  });
});

describe('The metrics', () => {
  const text = ({ observation }: ReturnType<typeof observing>) => observation.metrics.text();

  test('read each number from its own queue', async () => {
    const lines = (await text(observing())).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'snapshot_bot_open_lookups 3',
        'snapshot_bot_oldest_lookup_age_seconds 5',
        'snapshot_bot_open_reminders 8',
        'snapshot_bot_open_watches 7',
        'snapshot_bot_ready 1',
        `snapshot_bot_info{version="${VERSION}"} 1`,
      ]),
    );
  });

  test('are answered after a second by a bot whose store does not answer, without what only the store knows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const queue = { countOpen: never, oldestAcceptedAt: never };
    const stuck = observing({
      store: { check: never },
      queue,
      reminders: { countOpen: never },
      watches: { countOpen: never },
    });
    let answer: string | undefined;
    void text(stuck).then((given) => {
      answer = given;
    });
    await vi.advanceTimersByTimeAsync(900);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    await vi.waitFor(() => expect(answer).toContain('snapshot_bot_trouble{part="store"} 1'));
    expect(answer).toContain('snapshot_bot_ready 0');
    expect(answer).not.toMatch(/^snapshot_bot_open_/m);
  });
});

describe('What operators are told', () => {
  const lookup = { ...aLookup('a-long-name'), acceptedAt: NOW - 2_000 };

  function telling() {
    const { observation } = observing();
    const ended: unknown[] = [];
    const audited: object[] = [];
    const tracing = {
      step: <T>(_lookup: unknown, work: () => T) => work(),
      ended: (...args: unknown[]) => void ended.push(args),
      stop: async () => {},
    };
    const lookups = observeLookups({
      ...{ observation, tracing, audit: (entry) => void audited.push(entry), now: () => NOW },
      logger: pino({ level: 'silent' }),
    });
    return { observation, ended, audited, lookups, slack: observeSlack(observation) };
  }

  test('of a lookup is how long it took, in seconds, whether it waited, and what it ended in', async () => {
    const { observation, lookups, ended, audited } = telling();
    const job = {
      ...lookup,
      waitingSince: NOW - 1_000,
      others: [{ ...lookup.question, snapshotId: snapshotId('2') }],
    };
    lookups.onEnd({ kind: 'failed', fault: new SnapshotNotFound(), question: lookup.question }, job);
    expect(await observation.metrics.text()).toContain('answer_seconds_sum{waited="true"} 2\n');
    expect(ended).toEqual([[job, 'snapshot-not-found', NOW]]);
    expect(audited).toMatchObject([{ event: 'answered', outcome: 'snapshot-not-found', others: ['2'] }]);
    expect(observation.events.faults()).toMatchObject([
      { code: 'snapshot-not-found', reference: 'a-long-n' },
    ]);
  });

  test('of a bug is its reference, and that there was one', async () => {
    const { observation, lookups, slack } = telling();
    lookups.onBug(new TypeError('a bug'), 'one', lookup);
    slack.onBug('two');
    expect(await observation.metrics.text()).toContain('snapshot_bot_bugs_total 1\n');
    expect(observation.events.faults().map(({ code, reference }) => `${code} ${reference}`)).toEqual([
      'bug two',
      'bug one',
    ]);
  });

  test('of Slack is how soon it was answered, in seconds, and what it takes nowhere', async () => {
    const { observation, slack } = telling();
    slack.onAcknowledged('command', 1_500);
    slack.onUndeliverable();
    const text = await observation.metrics.text();
    expect(text).toContain('acknowledgement_seconds_sum{kind="command"} 1.5\n');
    expect(text).toContain('snapshot_bot_undeliverable_total 1\n');
  });
});

describe('Where health and metrics are served', () => {
  test.each([
    ['over HTTP on Slack’s port, for GET and HEAD', {}, 6, undefined],
    ['with OPS_PORT there alone', { OPS_PORT: '9090' }, 0, 9_090],
    ['in Socket Mode on the port that Slack does not use', { SLACK_APP_TOKEN: 'xapp-1' }, 0, 3_000],
  ])('%s', (_where, settings, routes, port) => {
    const { observation } = observing({}, settings);
    expect([observation.slackPortRoutes.length, observation.server?.port()]).toEqual([routes, port]);
  });
});

test('The status report says everything that is known, and leaves out what can not be read', async () => {
  const { observation, clock } = observing();
  const { events } = observation;
  clock.now += 60_000;
  events.noteLogin('succeeded');
  events.noteLogin('refused');
  events.noteFault('bug', 'r1');
  const now = NOW + 60_000;
  const seen = { version: VERSION, startedAt: NOW, lastLoginAt: now, lastRefusalAt: now };
  expect(await observation.status()).toEqual({
    ...{ ...seen, reasons: [], faults: [{ at: now, code: 'bug', reference: 'r1' }] },
    ...{
      replicas: ['1.0.0', '1.1.0'],
      open: 3,
      oldestAt: NOW - 5_000,
      watched: 7,
      sessionUntil: NOW + 1_000,
    },
  });
  const queue = { countOpen: fail, oldestAcceptedAt: fail };
  const away = observing({ queue, watches: queue, session: { health: fail }, replicas: { versions: fail } });
  expect(await away.observation.status()).toEqual({
    ...{ version: VERSION, startedAt: NOW, faults: [] },
    reasons: [
      { part: 'store', problem: 'away' },
      { part: 'login', problem: 'away' },
    ],
  });
});
