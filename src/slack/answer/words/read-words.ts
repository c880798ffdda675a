import { slackClock, slackTime } from '../../block-kit/slack-time.ts';

/** When a result was read, in mrkdwn; without the day where the message was made then, because Slack shows its date. */
export function readWords(readAt: number, madeAt: number): string {
  return `read ${readAt === madeAt ? slackClock(readAt) : slackTime(readAt)}`;
}
