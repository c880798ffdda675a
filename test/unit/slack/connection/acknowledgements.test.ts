import type { App, ReceiverEvent } from '@slack/bolt';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { acknowledgeWhenDone } from '../../../../src/slack/connection/event-acknowledgement.ts';
import { timeAcknowledgements } from '../../../../src/slack/connection/timed-acknowledgement.ts';

type Process = App['processEvent'];

/** As much of Bolt as these parts use: what it does with an event. */
function bolt(processEvent: Process): App {
  return { processEvent } as App;
}

function delivered(body: object): { readonly event: ReceiverEvent; readonly acks: unknown[] } {
  const acks: unknown[] = [];
  const ack = async (answer?: unknown) => void acks.push(answer);
  return { event: { body, ack } as ReceiverEvent, acks };
}

const EVENT = { type: 'event_callback' };

afterEach(() => void vi.useRealTimers());

describe('An event', () => {
  test('is acknowledged when its listeners are done, whatever Bolt acknowledges before', async () => {
    const { promise: listening, resolve: done } = Promise.withResolvers<void>();
    const app = acknowledgeWhenDone(
      bolt(async ({ ack }) => {
        await ack();
        await listening;
      }),
    );
    const { event, acks } = delivered(EVENT);
    const processed = app.processEvent(event);
    await new Promise((turned) => setImmediate(turned));
    expect(acks).toEqual([]);
    done();
    await processed;
    expect(acks).toEqual([undefined]);
  });

  test('is acknowledged after two seconds at the latest, and its listeners go on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: listening, resolve: end } = Promise.withResolvers<void>();
    let isDone = false;
    const app = acknowledgeWhenDone(bolt(() => listening));
    const { event, acks } = delivered(EVENT);
    const processed = app.processEvent(event).then(() => {
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

  test('whose listener fails is not acknowledged: Slack sends it again', async () => {
    const app = acknowledgeWhenDone(bolt(() => Promise.reject(new Error('no'))));
    const { event, acks } = delivered(EVENT);
    await expect(app.processEvent(event)).rejects.toThrow('no');
    expect(acks).toEqual([]);
  });

  test('is told from what people do, which acknowledges itself', async () => {
    const app = acknowledgeWhenDone(bolt(async ({ ack }) => ack({ text: 'answer' })));
    const { event, acks } = delivered({ type: 'block_actions' });
    await app.processEvent(event);
    expect(acks).toEqual([{ text: 'answer' }]);
  });
});

describe('An acknowledgement', () => {
  test.each([
    [EVENT, 'event'],
    [{ command: '/snapshot' }, 'command'],
    [{ type: 'block_actions' }, 'block_actions'],
    [{ type: 'block_suggestion' }, 'block_suggestion'],
    [{ type: 'message_action' }, 'message_action'],
    [{ type: 'shortcut' }, 'shortcut'],
    [{ type: 'view_submission' }, 'view_submission'],
    [{ type: 'view_closed' }, 'view_closed'],
    [{ type: 'whatever_is_sent' }, 'other'],
    [null, 'other'],
  ])('of %o is measured as %s, and passed on, once', async (body, kind) => {
    const measured: [string, number][] = [];
    const app = timeAcknowledgements(
      bolt(async ({ ack }) => {
        await ack({ text: 'one' });
        await ack();
      }),
      (what, ms) => void measured.push([what, ms]),
    );
    const { event, acks } = delivered(body as object);
    await app.processEvent(event);
    expect(acks).toEqual([{ text: 'one' }]);
    expect(measured).toEqual([[kind, expect.any(Number)]]);
    expect(measured[0]?.[1]).toBeGreaterThanOrEqual(0);
  });
});
