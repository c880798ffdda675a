import { createHmac } from 'node:crypto';
import type { World } from './world.ts';

/** Delivers an event that no action of a person causes, signed as Slack does; gives the status of the answer. */
export function deliverEvent(world: World, event: object): Promise<number> {
  const body = JSON.stringify({
    type: 'event_callback',
    token: 'verification-token',
    team_id: 'T0DEMO',
    api_app_id: 'A0DEMO',
    event_id: `Ev${Date.now()}`,
    event_time: Math.floor(Date.now() / 1_000),
    event,
  });
  return post(world, 'application/json', body);
}

/** Delivers a click, or what else people do, as it was delivered before or with changes, signed as Slack does. */
export function deliverInteraction(world: World, payload: object): Promise<number> {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return post(world, 'application/x-www-form-urlencoded', body);
}

async function post({ slack, address }: World, contentType: string, body: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', slack.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': contentType,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  };
  return (await fetch(`${address()}/slack/events`, { method: 'POST', headers, body })).status;
}
