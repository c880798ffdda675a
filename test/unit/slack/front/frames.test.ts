import { EventEmitter } from 'node:events';
import type { Logger, SocketModeReceiver } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { checkFrames } from '../../../../src/slack/front/over-socket.ts';

describe('A frame of Socket Mode', () => {
  function receiving() {
    const heard: unknown[] = [];
    const warnings: unknown[] = [];
    const client = new EventEmitter();
    client.on('ws_message', (...frame: unknown[]) => heard.push(frame));
    const logger = { warn: (line: unknown) => warnings.push(line) } as unknown as Logger;
    checkFrames({ client } as unknown as SocketModeReceiver, logger);
    return { client, heard, warnings };
  }
  const envelope = (type: string, payload: unknown = {}) => ({ type, envelope_id: 'e1', payload });

  test.each([
    { type: 'hello' },
    { type: 'disconnect', reason: 'warning' },
    envelope('slash_commands'),
    envelope('interactive'),
    envelope('events_api', { event: { type: 'app_mention' } }),
  ])('that Slack sends reaches its client: %j', (frame) => {
    const { client, heard, warnings } = receiving();
    client.emit('ws_message', JSON.stringify(frame), false);
    expect([heard, warnings]).toEqual([[[JSON.stringify(frame), false]], []]);
  });

  test.each([
    ['no JSON', '{', false],
    ['binary', JSON.stringify({ type: 'hello' }), true],
    ['of no kind', '{}', false],
    ['without an id', '{"type":"interactive","payload":{}}', false],
    ['without a payload', '{"type":"slash_commands","envelope_id":"e1"}', false],
    ['an event of no kind', JSON.stringify(envelope('events_api')), false],
  ])('that Slack cannot have sent is dropped with a warning: %s', (_what, frame, isBinary) => {
    const { client, heard, warnings } = receiving();
    client.emit('ws_message', frame, isBinary);
    expect([heard.length, warnings.length]).toEqual([0, 1]);
  });
});
