import type { World } from './world.ts';

/** Delivers a signed event that no person caused; returns the status of the answer. */
export function deliverEvent({ slack }: World, event: object): Promise<number> {
  const now = Date.now();
  const ids = { team_id: 'T0DEMO', api_app_id: 'A0DEMO', event_id: `Ev${now}` };
  return slack.sendRaw(
    JSON.stringify({ type: 'event_callback', ...ids, event_time: Math.floor(now / 1_000), event }),
  );
}

/** Sends an interaction with a valid signature; returns the status of the answer. */
export function deliverInteraction({ slack }: World, payload: object): Promise<number> {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return slack.sendRaw(body, 'application/x-www-form-urlencoded');
}
