import { createHmac } from 'node:crypto';

/** How a test wants a delivery to be signed. */
export type Signature = 'good' | 'bad' | 'stale' | 'none';

const TEN_MINUTES_S = 600;

/** The headers that prove that a body comes from Slack, or fail to. */
export function signed(body: string, secret: string, signature: Signature = 'good'): Record<string, string> {
  if (signature === 'none') return {};
  // The bot's Bolt compares with the real clock, whatever clock the workspace has.
  const seconds = Math.floor(Date.now() / 1000) - (signature === 'stale' ? TEN_MINUTES_S : 0);
  const key = signature === 'bad' ? `not-${secret}` : secret;
  const hash = createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${hash}` };
}
