import { webApi } from '@slack/bolt';

/** What a failed call to Slack means for the message that it carried. */
export type Meaning =
  /** The conversation is closed to the bot; another way may be open. */
  | 'closed'
  /** This very message can't be edited any more; a new one can say it. */
  | 'uneditable'
  /** Slack does not take the blocks; the text alone may do. */
  | 'bad-blocks'
  /** Slack will never take it. */
  | 'refused'
  /** Slack did not do it, and may do it later. */
  | 'later'
  /** Nobody knows whether Slack did it. */
  | 'unsure';

const CLOSED = [
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'is_inactive',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_thread_locked',
  'thread_not_found',
];
const UNEDITABLE = ['message_not_found', 'cant_update_message', 'edit_window_closed', 'msg_too_old'];
const BAD_BLOCKS = ['invalid_blocks', 'msg_blocks_too_long', 'invalid_blocks_format', 'invalid_attachments'];
const LATER = ['ratelimited', 'rate_limited', 'team_added_to_org', 'accesslimited'];
const UNSURE = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];
const NEVER_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH/;

/** Reads an error of Slack's client (https://docs.slack.dev/reference/methods/chat.postMessage#errors). */
export function meaningOf(error: unknown): Meaning {
  if (error instanceof webApi.WebAPIPlatformError) return meaningOfCode(error.data.error);
  if (error instanceof webApi.WebAPIRateLimitedError) return 'later';
  if (error instanceof webApi.WebAPIRequestError && NEVER_CONNECTED.test(codesOf(error.original)))
    return 'later';
  return 'unsure';
}

function meaningOfCode(code: string): Meaning {
  if (CLOSED.includes(code)) return 'closed';
  if (UNEDITABLE.includes(code)) return 'uneditable';
  if (BAD_BLOCKS.includes(code)) return 'bad-blocks';
  if (LATER.includes(code)) return 'later';
  return UNSURE.includes(code) ? 'unsure' : 'refused';
}

function codesOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  return [error.message, 'code' in error ? String(error.code) : '', codesOf(error.cause, depth + 1)].join(
    ' ',
  );
}
