import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { MemoryLeases } from '../../../../src/core/memory-leases.ts';
import type { ListenerContext } from '../../../../src/slack/listeners/context.ts';
import { guard } from '../../../../src/slack/listeners/guard.ts';

type Middleware = (args: object) => Promise<void>;

/** What the guard makes of deliveries: what each one costs its sender, and which are let through. */
function guarding(changes: Partial<ListenerContext> = {}) {
  const costs: number[] = [];
  const context = {
    fairShare: { take: (_user: string, cost: number) => costs.push(cost) > 0 },
    access: { refusalOf: async () => undefined },
    leases: new MemoryLeases(Date.now),
    onDelivery: () => {},
    logger: pino({ level: 'silent' }),
    ...changes,
  } as unknown as ListenerContext;
  const used: Middleware[] = [];
  guard({ use: (middleware: Middleware) => used.push(middleware) } as unknown as App, context);
  const deliver = async (body: object): Promise<boolean> => {
    let isServed = false;
    const next = async () => {
      isServed = true;
    };
    await used[0]?.({ body, next, ack: async () => {}, client: {}, context: {} });
    return isServed;
  };
  return { costs, deliver };
}

const PERSON = { user: { id: 'U1', team_id: 'T1' } };
const CHANNEL = { channel: { id: 'C1' }, container: { message_ts: '1.1' } };

function click(action_id: string, trigger_id = action_id): object {
  return { type: 'block_actions', ...PERSON, ...CHANNEL, actions: [{ action_id }], trigger_id };
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
