import { createHmac } from 'node:crypto';

/** How a delivery is signed. */
export type Signature = 'good' | 'bad' | 'stale' | 'none';

const TEN_MINUTES_S = 600;

/** The signature headers of a body. `bad`, `stale` and `none` don't prove that the delivery comes from Slack. */
export function signed(body: string, secret: string, signature: Signature = 'good'): Record<string, string> {
  if (signature === 'none') return {};
  // Bolt checks the age of a signature by the real clock, not by the workspace's clock.
  const seconds = Math.floor(Date.now() / 1000) - (signature === 'stale' ? TEN_MINUTES_S : 0);
  const key = signature === 'bad' ? `not-${secret}` : secret;
  const hash = createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${hash}` };
}
