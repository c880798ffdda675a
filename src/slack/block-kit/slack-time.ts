import { utcText } from '../../core/time.ts';

/** A day and time in mrkdwn, which Slack shows in the reader's own time zone. `at` is epoch milliseconds. */
export function slackTime(at: number): string {
  return inZone(at, '{date_short_pretty} {time}');
}

/** The same without the day, for times within hours. */
export function slackClock(at: number): string {
  return inZone(at, '{time}');
}

function inZone(at: number, format: string): string {
  return `<!date^${Math.floor(at / 1_000)}^${format}|${utcText(at)}>`;
}
