import { createHmac } from 'node:crypto';
import type { World } from './workplace.ts';

/** Delivers an event that no act of a person makes, signed as Slack does; gives the status of the answer. */
export async function deliverEvent({ slack, address }: World, event: object): Promise<number> {
  const body = JSON.stringify({
    type: 'event_callback',
    token: 'verification-token',
    team_id: 'T0DEMO',
    api_app_id: 'A0DEMO',
    event_id: `Ev${Date.now()}`,
    event_time: Math.floor(Date.now() / 1_000),
    event,
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', slack.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  };
  return (await fetch(`${address()}/slack/events`, { method: 'POST', headers, body })).status;
}
