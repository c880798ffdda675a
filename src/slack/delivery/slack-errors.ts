import { webApi } from '@slack/bolt';

/** What a failed call to Slack means for the message that it carried. */
export type Meaning =
  /** Slack does not take it there; another way may be open. Whatever is not known means this. */
  | 'not-here'
  /** This very message can't be edited any more; a new one can say it. */
  | 'uneditable'
  /** Slack does not take the blocks; the text alone may do. */
  | 'bad-blocks'
  /** Slack does not take that much text; less may do. */
  | 'too-long'
  /** Slack did not do it, and says that it may do it later. */
  | 'later'
  /** Nobody knows whether Slack did it. */
  | 'unsure';

const MEANINGS: Readonly<Record<string, Meaning>> = {
  message_not_found: 'uneditable',
  cant_update_message: 'uneditable',
  edit_window_closed: 'uneditable',
  msg_too_old: 'uneditable',
  invalid_blocks: 'bad-blocks',
  invalid_blocks_format: 'bad-blocks',
  invalid_attachments: 'bad-blocks',
  msg_blocks_too_long: 'bad-blocks',
  msg_too_long: 'too-long',
  ratelimited: 'later',
  rate_limited: 'later',
  message_limit_exceeded: 'later',
  accesslimited: 'later',
  external_channel_migrating: 'later',
  team_added_to_org: 'later',
  org_login_required: 'later',
  internal_error: 'unsure',
  fatal_error: 'unsure',
  service_unavailable: 'unsure',
  request_timeout: 'unsure',
};
const NEVER_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH/;

/** Reads an error of Slack's client (https://docs.slack.dev/reference/methods/chat.postMessage#errors). */
export function meaningOf(error: unknown): Meaning {
  const code = codeOf(error);
  if (code !== undefined) return MEANINGS[code] ?? 'not-here';
  if (error instanceof webApi.WebAPIRateLimitedError) return 'later';
  if (error instanceof webApi.WebAPIRequestError && NEVER_CONNECTED.test(causesOf(error.original)))
    return 'later';
  return 'unsure';
}

/** Whether Slack said no: trying the same again can't help. */
export function isRefused(error: unknown): boolean {
  return !['later', 'unsure'].includes(meaningOf(error));
}

/** The error code that Slack answered with, if it did answer. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}

function causesOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  return [error.message, 'code' in error ? String(error.code) : '', causesOf(error.cause, depth + 1)].join(
    ' ',
  );
}
