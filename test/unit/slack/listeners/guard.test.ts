import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { May } from '../../../../src/slack/access/access.ts';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { guard } from '../../../../src/slack/front/guard.ts';
import { signatureBy, Windows } from '../../../../src/slack/front/windows.ts';
import { MemoryLeases } from '../../../support/memory-leases.ts';

type Middleware = (args: object) => Promise<void>;

/** What the guard makes of deliveries: what each one costs its sender, and which are let through. */
function guarding(
  changes: object = {},
  serve: () => Promise<void> = async () => {},
  may: May | undefined = 'post',
) {
  const costs: number[] = [];
  const noted: unknown[][] = [];
  const log: string[] = [];
  const context = {
    fairShare: { take: (_user: string, cost: number) => costs.push(cost) > 0 },
    access: { refusalOf: async () => undefined },
    leases: new MemoryLeases(Date.now),
    onDelivery: (...args: unknown[]) => noted.push(args),
    onBug: () => {},
    windows: new Windows(signatureBy('a secret')),
    audit: (entry: unknown) => noted.push([entry]),
    operator: { contact: 'your bot admin', loginUrl: '' },
    logger: pino({}, { write: (line) => void log.push(line) }),
    ...changes,
  } as unknown as ListenerContext;
  const acks: unknown[] = [];
  const used: Middleware[] = [];
  guard(
    { use: (middleware: Middleware) => used.push(middleware) } as unknown as App,
    { mayOf: () => may },
    context,
  );
  const deliver = async (body: object, isAcknowledged = () => true): Promise<boolean> => {
    let isServed = false;
    const next = async () => {
      isServed = true;
      await serve();
    };
    const acknowledge = async (answer?: unknown) => void acks.push(answer);
    await used[0]?.({ body, next, ack: acknowledge, client: {}, context: { isAcknowledged } });
    return isServed;
  };
  return { costs, deliver, noted, acks, log };
}

const PERSON = { user: { id: 'U1', team_id: 'T1' } };
const CHANNEL = { channel: { id: 'C1' }, container: { message_ts: '1.1' } };

function click(action_id: string, trigger_id = action_id): object {
  return {
    type: 'block_actions',
    ...PERSON,
    ...CHANNEL,
    actions: [{ action_id, block_id: 'b' }],
    trigger_id,
  };
}

function event(type: string): object {
  return { team_id: 'T1', event: { type, user: 'U1', channel: 'C1', user_team: 'T1' } };
}

const COSTS: [what: string, cost: number, body: object][] = [
  ['a command', 1, { command: '/snapshot', user_id: 'U1', team_id: 'T1', channel_id: 'C1' }],
  ['a mention', 1, event('app_mention')],
  ['a direct message', 1, event('message')],
  ['a form', 1, { type: 'view_submission', ...PERSON, view: { id: 'V1', type: 'modal' } }],
  ['the menu of a result, which can read anew', 1, click('more')],
  ['asking again', 1, click('ask-again')],
  ['the Home tab', 0.25, event('app_home_opened')],
  ['turning a page', 0.25, click('page-next')],
];

test.each(COSTS)('%s takes %d of a person’s share', async (_what, cost, body) => {
  const { costs, deliver } = guarding();
  expect(await deliver(body)).toBe(true);
  expect(costs).toEqual([cost]);
});

test('A click that is delivered again is dropped; while the store is away no click is, so that its listener can report that', async () => {
  const known = guarding();
  expect([await known.deliver(click('more')), await known.deliver(click('more'))]).toEqual([true, false]);
  expect(await known.deliver(click('more', 'another'))).toBe(true);
  const acquire = () => Promise.reject(new Error('away'));
  const away = guarding({ leases: { acquire } as unknown as ListenerContext['leases'] });
  expect(await away.deliver(click('more'))).toBe(true);
});

afterEach(() => void vi.useRealTimers());

const FORM = { type: 'view_submission', ...PERSON, view: { id: 'V1', type: 'modal' } };
const COMMAND = { command: '/snapshot', user_id: 'U1', team_id: 'T1', channel_id: 'C1' };

test.each([
  ['a click', click('more'), [undefined]],
  ['a form', FORM, [{ response_action: 'update', view: expect.anything() }]],
  // Its acknowledgement is its answer.
  ['a command', COMMAND, []],
])(
  'While Slack is asked whether somebody may, %s is acknowledged within a second',
  async (_what, body, expected) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const asked = Promise.withResolvers<undefined>();
    const { deliver, acks } = guarding({ access: { refusalOf: () => asked.promise } });
    const served = deliver(body, () => acks.length > 0);
    await vi.advanceTimersByTimeAsync(999);
    expect(acks).toEqual(expected);
    asked.resolve(undefined);
    expect(await served).toBe(true);
  },
);

describe('What becomes of a delivery is counted once:', () => {
  const command = { command: '/snapshot', user_id: 'U1', team_id: 'T1', channel_id: 'C1' };

  test('it was served', async () => {
    const { deliver, noted } = guarding();
    await deliver(command);
    await deliver(click('page-next'));
    expect(noted).toEqual([
      ['command', 'served'],
      ['message-click', 'served'],
    ]);
  });

  test('it failed, which is told', async () => {
    const { deliver, noted, log } = guarding({ responses: { tell: async () => {} } }, () =>
      Promise.reject(new TypeError('a bug')),
    );
    await deliver(command);
    expect(noted).toEqual([['command', 'failed']]);
    expect(log.join()).toContain('a listener failed because of a bug');
  });

  test('it was refused, with the reason in the audit and in the log; a notice that fails is logged', async () => {
    const told: unknown[] = [];
    const { deliver, noted, log } = guarding({
      access: { refusalOf: async () => 'guest' },
      fairShare: { take: () => true, shouldTell: () => true },
      responses: {
        tell: async (...args: unknown[]) => {
          told.push(args);
          throw new Error('no');
        },
      },
    });
    expect(await deliver(command)).toBe(false);
    expect(noted).toEqual([
      ['command', 'refused'],
      [{ event: 'refused', user: 'U1', channel: 'C1', outcome: 'guest' }],
    ]);
    expect(log.join()).toContain('"refusal":"guest"');
    expect(told).toHaveLength(1);
    expect(log.at(-1)).toContain('the notice of a refusal could not be sent');
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ level: 40, entryPoint: 'command' });
  });

  test('nobody is asked about a person who sends too many, which costs nothing but the count', async () => {
    const asked: unknown[] = [];
    const { deliver, noted } = guarding({
      access: { refusalOf: async (actor: unknown) => void asked.push(actor) },
      fairShare: { take: () => false, shouldTell: () => false },
    });
    await deliver(command);
    expect([asked, noted[0]]).toEqual([[], ['command', 'refused']]);
  });

  test('what bots write, Slack’s notices and kinds that no listener hears are not, and the latter are logged', async () => {
    const { deliver, noted, log } = guarding();
    const message = { type: 'message', user: 'U1', channel: 'C1' };
    expect(await deliver({ event: { ...message, bot_id: 'B1' } })).toBe(false);
    expect(await deliver({ event: { ...message, subtype: 'channel_topic' } })).toBe(false);
    expect([noted, log]).toEqual([[], []]);
    expect(await deliver({ event: { type: `link_shared${'x'.repeat(500)}`, user: 'U1' } })).toBe(false);
    expect(noted).toEqual([]);
    expect(log).toEqual([expect.stringMatching(/"event":"link_sharedx{49}".*no listener hears/)]);
  });
});

test.each(['subteam_members_changed', 'app_uninstalled', 'tokens_revoked', 'user_change'])(
  'The event %s is for the app itself: no person is judged',
  async (type) => {
    const { deliver, costs } = guarding();
    expect(await deliver({ event: { type } })).toBe(true);
    expect(costs).toEqual([]);
  },
);
