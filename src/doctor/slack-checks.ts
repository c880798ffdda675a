import { webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { CannotStart } from '../core/cannot-start.ts';
import { SCOPES } from '../slack/connection/scopes.ts';
import { slackFetch } from '../slack/connection/slack-fetch.ts';
import type { SlackSettings } from '../slack/connection/slack-settings.ts';
import { withToken } from '../slack/connection/start-errors.ts';
import { type Finding, failure, ok, type Problem, warning } from './finding.ts';

type SlackCheckOptions = {
  readonly slack: SlackSettings;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  /** Whether ALLOWED_USERGROUPS is set, which makes an optional scope a needed one. */
  readonly usesGroups: boolean;
};

const REINSTALL = 'add it under OAuth & Permissions (manifest.yml has it) and reinstall the app';

/** Checks the bot's token and its scopes, and Socket Mode where it is used. Changes nothing in Slack. */
export async function checkSlack(options: SlackCheckOptions): Promise<Finding[]> {
  const { transport } = options.slack;
  const bot = await botFindings(options);
  if (transport.kind === 'http') {
    const what = 'over HTTP; Slack itself verifies the address and the signing secret';
    return [...bot, ok('SLACK_SIGNING_SECRET', what)];
  }
  return [...bot, await socketFinding(options, transport.appToken)];
}

async function botFindings(options: SlackCheckOptions): Promise<Finding[]> {
  const area = 'SLACK_BOT_TOKEN';
  try {
    const client = clientFor(options, options.slack.botToken);
    const answer = await withToken(area, () => client.auth.test());
    const granted = answer.response_metadata?.scopes ?? [];
    const what = `Slack knows the bot as @${answer.user ?? '?'} in ${answer.team ?? '?'}`;
    return [ok(area, what), ...scopeFindings(granted, options.usesGroups)];
  } catch (error) {
    return [asFinding('bot-token-refused', area, error)];
  }
}

/** A missing scope disables a feature; without an optional one the bot still works. */
function scopeFindings(granted: readonly string[], usesGroups: boolean): Finding[] {
  const area = 'Slack scopes';
  const missing = SCOPES.filter(({ scope }) => !granted.includes(scope));
  if (missing.length === 0) return [ok(area, `all ${SCOPES.length} of manifest.yml are granted`)];
  return missing.map(({ scope, without, isOptional }) => {
    const what = `${scope} is not granted: ${without}`;
    const isNeeded = !isOptional || (usesGroups && scope === 'usergroups:read');
    return isNeeded
      ? failure('scope-missing', area, what, REINSTALL)
      : warning('scope-optional', area, what, REINSTALL);
  });
}

async function socketFinding(options: SlackCheckOptions, appToken: string): Promise<Finding> {
  const area = 'SLACK_APP_TOKEN';
  try {
    const client = clientFor(options, appToken);
    await withToken(area, () => client.apps.connections.open({}));
    return ok(area, 'Slack offers a Socket Mode connection');
  } catch (error) {
    return asFinding('app-token-refused', area, error);
  }
}

function asFinding(problem: Problem, area: string, error: unknown): Finding {
  if (error instanceof CannotStart) return failure(problem, area, error.what, error.repair);
  throw error;
}

function clientFor({ slack, dispatcher, timeoutMs }: SlackCheckOptions, token: string): webApi.WebClient {
  return new webApi.WebClient(token, {
    slackApiUrl: slack.apiUrl,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logLevel: webApi.LogLevel.ERROR,
    logger: SILENT,
    fetch: slackFetch(dispatcher),
  });
}

/** A logger that writes nothing: the doctor prints findings instead. */
const SILENT: webApi.Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => webApi.LogLevel.ERROR,
  setName: () => {},
};
