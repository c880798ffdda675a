import { slackClock, slackTime } from '../../block-kit/slack-time.ts';

/** When a result was read, in mrkdwn. Of a message that was made of it, the message's own date tells the day. */
export function readWords(readAt: number, madeAt: number): string {
  return `read ${readAt === madeAt ? slackClock(readAt) : slackTime(readAt)}`;
}
