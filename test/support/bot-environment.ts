import { USER_ID, USER_SECRET, VENDOR } from '../emulators/diagnostics-service/account.ts';
import type { DiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import type { Slack } from '../emulators/slack/slack.ts';

/** Looser than the defaults, because in most tests one person types many commands, also in a shared channel. */
export const FOR_TESTS = { ALLOW_SHARED_CHANNELS: 'yes', COMMANDS_PER_MINUTE: '1000000' };

/** The environment variables for a bot that uses the emulators. */
export function environmentFor(
  slack: Slack,
  service: DiagnosticsService,
  mode: 'http' | 'socket',
): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...(mode === 'http'
      ? { SLACK_SIGNING_SECRET: slack.signingSecret }
      : { SLACK_APP_TOKEN: slack.appToken }),
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    DIAGNOSTICS_BASE_URL: service.baseUrl,
    DIAGNOSTICS_AUTH_URL: service.authUrl,
    DIAGNOSTICS_LOGIN_URL: service.loginUrl,
    DIAGNOSTICS_VENDOR: VENDOR,
    DIAGNOSTICS_USER_ID: USER_ID,
    DIAGNOSTICS_USER_SECRET: USER_SECRET,
    ...FOR_TESTS,
    LOG_LEVEL: 'debug',
  };
}
