import { webApi } from '@slack/bolt';
import { CannotStart, errorCode } from '../../core/errors.ts';

/** The variable that holds the token. */
type TokenName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Slack rejects a token: `code` is Slack's error code (https://docs.slack.dev/reference/methods/auth.test#errors). */
export class TokenRejected extends CannotStart {
  readonly code: string;
  constructor(token: TokenName, code: string, options?: ErrorOptions) {
    super(
      token,
      `Slack rejects this token (${code})`,
      'copy it again from https://api.slack.com/apps, your app; uninstalling the app revokes its tokens',
      options,
    );
    this.code = code;
  }
}

/** Slack gave no usable answer: no connection, or an HTTP error. `reason` is a short code of the network or a status. */
export class SlackUnreachable extends CannotStart {
  constructor(reason: string, options?: ErrorOptions) {
    super(
      'SLACK_API_URL',
      `Slack could not be reached (${reason})`,
      'check the network, the name server and the proxy settings (HTTPS_PROXY, NO_PROXY), then start again',
      options,
    );
  }
}

/** What Slack answers about itself, not about the token. */
const SLACK_FAILED =
  /^(?:internal_error|fatal_error|service_unavailable|request_timeout|rate_?limited|accesslimited|team_added_to_org|org_login_required)$/;

/** Does work that needs a token; turns the client's errors into `TokenRejected` or `SlackUnreachable`. */
export async function withToken<T>(token: TokenName, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw startErrorOf(token, error);
  }
}

function startErrorOf(token: TokenName, error: unknown): unknown {
  const cause = { cause: error };
  if (error instanceof webApi.WebAPIPlatformError) {
    const code = error.data.error;
    return SLACK_FAILED.test(code)
      ? new SlackUnreachable(code, cause)
      : new TokenRejected(token, code, cause);
  }
  if (error instanceof webApi.WebAPIHTTPError) return new SlackUnreachable(`HTTP ${error.statusCode}`, cause);
  if (error instanceof webApi.WebAPIRateLimitedError) return new SlackUnreachable('HTTP 429', cause);
  if (error instanceof webApi.WebAPIRequestError)
    return new SlackUnreachable(errorCode(error.original), cause);
  return error;
}
