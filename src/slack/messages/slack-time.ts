/** A point in time in mrkdwn, which Slack shows in the reader's own time zone. `at` is epoch milliseconds. */
export function slackTime(at: number): string {
  const fallback = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(at / 1_000)}^{date_short_pretty} {time}|${fallback}>`;
}
