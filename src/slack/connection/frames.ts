import type { Logger, SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';

const id = z.string().min(1).max(255);
const frame = z.union([
  z.object({ type: z.enum(['hello', 'disconnect']) }),
  z.object({ type: z.enum(['slash_commands', 'interactive']), envelope_id: id, payload: z.object({}) }),
  z.object({
    type: z.literal('events_api'),
    envelope_id: id,
    payload: z.object({ event: z.object({ type: z.string().min(1) }) }),
  }),
]);

/** Drops frames that Slack cannot have sent: Slack's client throws at them, and nobody catches that. */
export function checkFrames({ client }: SocketModeReceiver, logger: Logger): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary?: boolean) => {
    if (isBinary !== true && isFrame(data)) for (const listener of listeners) listener(data, isBinary);
    else logger.warn('ignored a Socket Mode frame that Slack cannot have sent');
  });
}

function isFrame(data: unknown): boolean {
  try {
    return frame.safeParse(JSON.parse(String(data))).success;
  } catch {
    return false;
  }
}
