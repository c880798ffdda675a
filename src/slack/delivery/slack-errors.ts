import { webApi } from '@slack/bolt';

/** A response URL could not be reached, or Slack failed; a retry may help. */
export class ResponseUrlFailed extends Error {
  constructor(options?: ErrorOptions) {
    super('a response URL of Slack failed', options);
  }
}

/** What an error of Slack means for a message. */
type Meaning =
  /** Slack can't post or edit the message here, but perhaps elsewhere. Unknown error codes mean this, too. */
  | 'not-here'
  /** Slack refuses the bot everywhere until its operator acts. */
  | 'not-the-bot'
  /** Slack refuses the blocks or the length; it may accept a short text. */
  | 'bad-content'
  /** Slack failed or could not be reached. It may have carried out the call, and a retry may help. */
  | 'failed';

const CODES: readonly (readonly [Meaning, RegExp])[] = [
  [
    'not-the-bot',
    /^(?:account_inactive|ekm_access_denied|invalid_auth|missing_scope|no_permission|not_allowed_token_type|not_authed|token_expired|token_revoked)$/,
  ],
  [
    'bad-content',
    /^(?:invalid_blocks|invalid_blocks_format|invalid_attachments|msg_blocks_too_long|msg_too_long)$/,
  ],
  [
    'failed',
    /^(?:ratelimited|rate_limited|message_limit_exceeded|accesslimited|external_channel_migrating|team_added_to_org|org_login_required|internal_error|fatal_error|service_unavailable|request_timeout)$/,
  ],
];

/** The meaning of an error of Slack's client (https://docs.slack.dev/reference/methods/chat.postMessage#errors). */
export function meaningOf(error: unknown): Meaning {
  const code = codeOf(error);
  if (code === undefined) return 'failed';
  return CODES.find(([, codes]) => codes.test(code))?.[0] ?? 'not-here';
}

/** Whether Slack did not answer in time, so that it may still carry out the call. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof webApi.WebAPIRequestError && error.original.name === 'TimeoutError';
}

/** Whether Slack refused the call, so that a retry would fail, too. */
export function isRefused(error: unknown): boolean {
  return meaningOf(error) !== 'failed';
}

/** Whether Slack refused only this message or this place. */
export function isRefusedHere(error: unknown): boolean {
  return isRefused(error) && meaningOf(error) !== 'not-the-bot';
}

/** Slack's error code; undefined if Slack did not answer. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}

/** Whether an error comes from Slack's client or a response URL: Slack refused a request, or could not be reached. */
export function isOfSlack(error: unknown): boolean {
  return error instanceof ResponseUrlFailed || error instanceof webApi.SlackError;
}
