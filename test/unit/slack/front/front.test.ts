import type { App, ReceiverEvent } from '@slack/bolt';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Precedence } from '../../../../src/core/event-loop.ts';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { NotADelivery } from '../../../../src/slack/front/delivery.ts';
import { openFront, type Received } from '../../../../src/slack/front/front.ts';
import { Windows } from '../../../../src/slack/front/windows.ts';
import { outdated } from '../../../../src/slack/report/notices.ts';
import { aStore } from '../../../support/embedded.ts';

type Args = Record<string, unknown> & { readonly context: { readonly received: Received } };
type Serve = (ack: Received['ack']) => Promise<void>;

const servedAs = <T>(_user: string, work: () => T): T => work();

/** The front, with a Bolt that has one listener: what becomes of deliveries. */
function fronting(changes: object = {}, serve: Serve = (ack) => ack()) {
  const costs: number[] = [];
  const noted: unknown[][] = [];
  const measured: unknown[][] = [];
  const log: string[] = [];
  const context = {
    fairShare: { take: (_user: string, cost: number) => costs.push(cost) > 0, serve: servedAs },
    access: { refusalOf: async () => undefined },
    leases: aStore().leases,
    precedence: new Precedence(),
    onDelivery: (...args: unknown[]) => noted.push(args),
    onBug: () => {},
    onAcknowledged: (...args: unknown[]) => measured.push(args),
    windows: new Windows('a secret'),
    audit: (entry: unknown) => noted.push([entry]),
    operator: { contact: 'your bot admin', loginUrl: '' },
    logger: pino({}, { write: (line) => void log.push(line) }),
    ...changes,
  } as unknown as ListenerContext;
  let served = 0;
  const used: ((args: Args) => Promise<void>)[] = [];
  const app = {
    use: (middleware: (args: Args) => Promise<void>) => used.push(middleware),
    error() {},
    action() {},
    processEvent: async ({ body, ack, customProperties }: ReceiverEvent) => {
      const received: Received = customProperties?.received;
      // Bolt acknowledges an event before any listener runs.
      if (body.type === 'event_callback') await ack();
      const next = async () => {
        served += 1;
        await serve(received.ack);
      };
      await used[0]?.({ next, client: {}, context: { received } });
    },
  };
  const on = openFront(app as unknown as App, context);
  on.click(/^(?:more|ask-again|page-next)$/, { message: 'post' }, async () => {});
  on.asking('compare-last', { message: 'ask' }, async () => {});
  on.ignore('link_shared');
  const acks: unknown[] = [];
  const deliver = async (body: object): Promise<boolean> => {
    const before = served;
    const ack = async (answer?: unknown) => void acks.push(answer);
    await app.processEvent({ body: structuredClone(body), ack } as ReceiverEvent);
    return served > before;
  };
  return { costs, deliver, noted, acks, log, measured };
}

const PERSON = { user: { id: 'U1', team_id: 'T1' }, trigger_id: 't' };
const COMMAND = {
  ...{ command: '/snapshot', text: '', user_id: 'U1', team_id: 'T1', channel_id: 'C1', trigger_id: 't' },
};
const FORM = {
  ...{ type: 'view_submission', ...PERSON },
  view: { id: 'V1', type: 'modal', callback_id: 'search', state: { values: {} }, blocks: [] },
};
const click = (action_id: string, trigger_id = action_id) => ({
  ...{ type: 'block_actions', ...PERSON, trigger_id, channel: { id: 'C1' } },
  message: { ts: '1.1', blocks: [{ type: 'actions', block_id: 'b', elements: [{ action_id }] }] },
  container: { type: 'message', message_ts: '1.1' },
  actions: [{ type: 'button', action_id, block_id: 'b' }],
});
const event = (type: string, more: object = {}) => ({
  ...{ type: 'event_callback', team_id: 'T1' },
  event: { type, user: 'U1', channel: 'C1', user_team: 'T1', ...more },
});

test('What no listener acknowledges is answered as something of another version', async () => {
  const { deliver, acks, noted } = fronting({}, async () => {});
  await deliver(COMMAND);
  expect(acks).toMatchObject([{ text: outdated.text }]);
  expect(noted).toContainEqual(['command', 'failed']);
});

test.each([
  ['person', (count: number) => ({ user_id: 'U1', channel_id: `C${count}` })],
  ['channel', (count: number) => ({ user_id: `U${count}`, channel_id: 'C1' })],
])('Nobody is held up by the many deliveries of one %s', async (_, from) => {
  const order: string[] = [];
  const refusalOf = async ({ user }: { readonly user: string }) => {
    order.push(user);
    await new Promise(setImmediate);
  };
  const { deliver } = fronting({ access: { refusalOf } });
  const flood = Array.from({ length: 80 }, (_, count) => deliver({ ...COMMAND, ...from(count + 10) }));
  await Promise.all([...flood, deliver({ ...COMMAND, user_id: 'U9', channel_id: 'C9' })]);
  expect(order.indexOf('U9')).toBeLessThan(40);
});

test.each([
  ['a command', 1, COMMAND],
  ['a mention', 1, event('app_mention')],
  ['a direct message', 1, event('message')],
  ['a form', 1, FORM],
  ['the menu of a result, which can read anew', 1, click('more')],
  ['asking again', 1, click('ask-again')],
  ['a button that asks', 1, click('compare-last')],
  ['the Home tab', 0.25, event('app_home_opened')],
  ['turning a page', 0.25, click('page-next')],
])('%s takes %d of a person’s share', async (_what, cost, body) => {
  const { costs, deliver } = fronting();
  await deliver(body);
  expect(costs).toEqual([cost]);
});

test('A click or a shortcut that is delivered again is dropped; while the store is away no click is, so that its listener can report that', async () => {
  const known = fronting();
  expect([await known.deliver(click('more')), await known.deliver(click('more'))]).toEqual([true, false]);
  expect(known.acks).toHaveLength(2);
  expect(await known.deliver(click('more', 'another'))).toBe(true);
  const shortcut = { type: 'shortcut', ...PERSON, callback_id: 'look-up-snapshot' };
  expect([await known.deliver(shortcut), await known.deliver(shortcut)]).toEqual([true, false]);
  const ofMessage = {
    ...{ ...shortcut, type: 'message_action', trigger_id: 'yet another', channel: { id: 'C1' } },
    ...{ message: {}, message_ts: '1.1', response_url: '' },
  };
  expect([await known.deliver(ofMessage), await known.deliver(ofMessage)]).toEqual([true, false]);
  const away = fronting({ leases: { acquire: () => Promise.reject(new Error('away')) } });
  expect(await away.deliver(click('more'))).toBe(true);
});

describe('An event', () => {
  const MENTION = event('app_mention');

  test('is acknowledged when its listeners are done, whatever Bolt acknowledges before', async () => {
    const { promise: listening, resolve: done } = Promise.withResolvers<void>();
    const { deliver, acks } = fronting({}, () => listening);
    const processed = deliver(MENTION);
    await new Promise(setImmediate);
    expect(acks).toEqual([]);
    done();
    await processed;
    expect(acks).toEqual([undefined]);
  });

  test('is acknowledged after two seconds at the latest, and its listeners go on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: listening, resolve: end } = Promise.withResolvers<void>();
    const { deliver, acks } = fronting({}, () => listening);
    let isDone = false;
    const processed = deliver(MENTION).then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(acks).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([acks.length, isDone]).toEqual([1, false]);
    end();
    await processed;
    expect(acks).toHaveLength(1);
  });

  test('that cannot be processed is not acknowledged: Slack sends it again', async () => {
    const { deliver, acks } = fronting({
      access: { refusalOf: () => Promise.reject(new Error('no')) },
    });
    await expect(deliver(MENTION)).rejects.toThrow('no');
    expect(acks).toEqual([]);
  });

  test.each(['subteam_members_changed', 'app_uninstalled', 'tokens_revoked', 'user_change'])(
    'for the app itself, %s, judges no person',
    async (type) => {
      const { deliver, costs } = fronting();
      expect(await deliver(event(type, { user: { id: 'U1' }, tokens: {}, subteam_id: 'S1' }))).toBe(true);
      expect(costs).toEqual([]);
    },
  );

  test('that Slack holds back is a warning, and nothing else', async () => {
    const { deliver, log, acks } = fronting();
    expect(await deliver({ type: 'app_rate_limited' })).toBe(false);
    expect([acks.length, log]).toEqual([1, [expect.stringContaining('holds events back')]]);
  });
});

test.each([
  ['event', event('app_mention')],
  ['command', COMMAND],
  ['block_actions', click('more')],
  ['view_submission', FORM],
  ['shortcut', { type: 'shortcut', ...PERSON, callback_id: 'look-up-snapshot' }],
])('The acknowledgement of a delivery is measured as %s, and passed on, once', async (kind, body) => {
  const { deliver, acks, measured } = fronting({}, async (ack) => {
    await ack({ text: 'one' });
    await ack();
  });
  await deliver(body);
  expect(acks).toHaveLength(1);
  expect(measured).toEqual([[kind, expect.any(Number)]]);
});

test('What Slack cannot have sent reaches nobody, and is not acknowledged', async () => {
  const { deliver, acks } = fronting();
  await expect(deliver({ type: 'view_closed', ...PERSON })).rejects.toThrow(NotADelivery);
  expect(acks).toEqual([]);
});

test.each([
  ['a click', click('more'), [undefined]],
  ['a form', FORM, [{ response_action: 'update', view: expect.anything() }]],
  // Its acknowledgement is its answer.
  ['a command', COMMAND, []],
])(
  'While Slack is asked whether somebody may, %s is acknowledged within a second',
  async (_what, body, expected) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<undefined>();
    const { deliver, acks, noted } = fronting({ access: { refusalOf: () => asked.promise } });
    const served = deliver(body);
    await vi.advanceTimersByTimeAsync(999);
    expect(acks).toEqual(expected);
    asked.resolve(undefined);
    await served;
    expect(noted).toHaveLength(1);
  },
);

describe('What becomes of a delivery is counted once:', () => {
  test('it was served', async () => {
    const { deliver, noted } = fronting();
    await deliver(COMMAND);
    await deliver(click('page-next'));
    expect(noted).toEqual([
      ['command', 'served'],
      ['message-click', 'served'],
    ]);
  });

  test('it failed, which is told', async () => {
    const { deliver, noted, log, acks } = fronting({}, () => Promise.reject(new TypeError('a bug')));
    await deliver(COMMAND);
    expect([noted, acks.length]).toEqual([[['command', 'failed']], 1]);
    expect(log.join()).toContain('a listener failed because of a bug');
  });

  test('it was refused, with the reason in the audit and in the log; a notice that fails is logged', async () => {
    const { deliver, noted, log } = fronting({
      access: { refusalOf: async () => 'guest' },
      fairShare: { take: () => true, shouldTell: () => true, serve: servedAs },
      responses: { tell: () => Promise.reject(new Error('no')) },
    });
    expect(await deliver(click('more'))).toBe(false);
    expect(noted).toEqual([
      ['message-click', 'refused'],
      [{ event: 'refused', user: 'U1', channel: 'C1', outcome: 'guest' }],
    ]);
    expect(log.join()).toContain('"refusal":"guest"');
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ level: 40, entryPoint: 'message-click' });
  });

  test('nobody is asked about a person who sends too many, which costs nothing but the count', async () => {
    const asked: unknown[] = [];
    const { deliver, noted } = fronting({
      access: { refusalOf: async (actor: unknown) => void asked.push(actor) },
      fairShare: { take: () => false, shouldTell: () => false, serve: servedAs },
    });
    await deliver(COMMAND);
    expect([asked, noted[0]]).toEqual([[], ['command', 'refused']]);
  });

  test('what bots write, Slack’s notices and kinds that no listener hears are not, and the latter are logged', async () => {
    const { deliver, noted, log, costs } = fronting();
    expect(await deliver(event('message', { bot_id: 'B1' }))).toBe(false);
    expect(await deliver(event('message', { subtype: 'channel_topic' }))).toBe(false);
    const links = [{ url: 'https://service.example.com/snapshots/1012' }];
    // Ignored, because the bot is configured so.
    expect(await deliver(event('link_shared', { message_ts: '1.1', links }))).toBe(false);
    expect([noted, log, costs]).toEqual([[], [], []]);
    expect(await deliver(event(`link_shared${'x'.repeat(500)}`))).toBe(false);
    expect(noted).toEqual([]);
    expect(log).toEqual([expect.stringMatching(/"event":"link_sharedx{49}".*no listener hears/)]);
  });
});

test('A kind of delivery that nobody hears, and a listener to a kind that the bot does not handle, stop the start', () => {
  const app = { use() {}, error() {}, event() {}, processEvent() {} } as unknown as App;
  const on = openFront(app, {} as ListenerContext);
  on.event('app_mention', async () => {});
  on.command(async () => {});
  expect(() => on.complete()).toThrow(/view_submission,shortcut,message_action,message,app_home_opened/);
  expect(() => on.event('pin_added' as 'message', async () => {})).toThrow(
    'no delivery of the kind pin_added',
  );
});
