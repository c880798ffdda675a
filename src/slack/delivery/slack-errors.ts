import { webApi } from '@slack/bolt';

/** Slack did not do what was asked at a response URL, or could not be reached; a retry may succeed. */
export class ResponseUrlFailed extends Error {
  constructor(options?: ErrorOptions) {
    super('a response URL of Slack failed', options);
  }
}

/** What an error of Slack means for the message. */
type Meaning =
  /** The message cannot be posted or edited there; another way may be open. Unknown codes count as this. */
  | 'not-here'
  /** Slack refuses the bot itself, everywhere, until its operator acts. */
  | 'not-the-bot'
  /** Slack refuses the blocks or the length; a short text may pass. */
  | 'bad-content'
  /** Slack failed or was not reached: it may have made the call all the same, and a retry may succeed. */
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

/** Reads an error of Slack's client (https://docs.slack.dev/reference/methods/chat.postMessage#errors). */
export function meaningOf(error: unknown): Meaning {
  const code = codeOf(error);
  if (code === undefined) return 'failed';
  return CODES.find(([, codes]) => codes.test(code))?.[0] ?? 'not-here';
}

/** Whether Slack did not answer in time: it may still do what it was asked to. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof webApi.WebAPIRequestError && error.original.name === 'TimeoutError';
}

/** Whether Slack refused, so that the same call would fail again. */
export function isRefused(error: unknown): boolean {
  return meaningOf(error) !== 'failed';
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
  return error instanceof ResponseUrlFailed || error instanceof webApi.SlackError;
}
