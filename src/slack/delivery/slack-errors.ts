import { webApi } from '@slack/bolt';

/** Slack did not do what was asked at a response URL, or could not be reached; a retry may succeed. */
export class ResponseUrlFailed extends Error {
  constructor(options?: ErrorOptions) {
    super('a response URL of Slack failed', options);
  }
}

/** What an error of Slack means for the message. */
export type Meaning =
  /** The message cannot be posted there; another way may be open. Unknown errors count as this. */
  | 'not-here'
  /** Slack refuses the bot itself, everywhere, until its operator mends that. */
  | 'not-the-bot'
  /** This message cannot be edited any more; a new one can be posted. */
  | 'uneditable'
  /** Slack refuses the blocks; the text alone may pass. */
  | 'bad-blocks'
  /** The text is too long; a shorter one may pass. */
  | 'too-long'
  /** Slack failed, and a retry may succeed. */
  | 'later'
  /** It is unknown whether Slack did it. */
  | 'unsure';

const MEANINGS: Readonly<Record<string, Meaning>> = {
  account_inactive: 'not-the-bot',
  ekm_access_denied: 'not-the-bot',
  invalid_auth: 'not-the-bot',
  missing_scope: 'not-the-bot',
  no_permission: 'not-the-bot',
  not_allowed_token_type: 'not-the-bot',
  not_authed: 'not-the-bot',
  token_expired: 'not-the-bot',
  token_revoked: 'not-the-bot',
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
const SLACK_ERRORS = [
  webApi.WebAPIPlatformError,
  webApi.WebAPIRateLimitedError,
  webApi.WebAPIRequestError,
  webApi.WebAPIHTTPError,
];
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

/** Whether Slack did not answer in time: it may still do what it was asked to. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof webApi.WebAPIRequestError && error.original.name === 'TimeoutError';
}

/** Whether Slack refused, so that the same call would fail again. */
export function isRefused(error: unknown): boolean {
  return !['later', 'unsure'].includes(meaningOf(error));
}

/** Whether Slack refused this message or this place, and would take another. */
export function isRefusedHere(error: unknown): boolean {
  return isRefused(error) && meaningOf(error) !== 'not-the-bot';
}

/** Slack's error code, if Slack answered. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}

/** Whether it is an error of Slack's client, or of a response URL: Slack refused a request, or could not be reached. */
export function isOfSlack(error: unknown): boolean {
  return SLACK_ERRORS.some((kind) => error instanceof kind) || error instanceof ResponseUrlFailed;
}

function causesOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  return [error.message, 'code' in error ? String(error.code) : '', causesOf(error.cause, depth + 1)].join(
    ' ',
  );
}
