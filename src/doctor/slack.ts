import { webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { Config } from '../config.ts';
import { CannotStart } from '../core/errors.ts';
import { slackFetch } from '../slack/front/slack-client.ts';
import { withToken } from '../slack/front/start-errors.ts';
import { type Finding, found, ok } from './finding.ts';

/** A scope of the manifest, and what fails without it. */
type Scope = { readonly scope: string; readonly without: string; readonly isOptional: boolean };

/** Every scope that manifest.yml asks for; a test compares them. */
export const SCOPES: readonly Scope[] = [
  { scope: 'commands', without: '/snapshot and the shortcuts do not exist', isOptional: false },
  { scope: 'chat:write', without: 'the bot cannot answer', isOptional: false },
  { scope: 'app_mentions:read', without: 'mentions are not answered', isOptional: false },
  { scope: 'im:history', without: 'direct messages are not answered', isOptional: false },
  {
    scope: 'channels:history',
    without: 'an answer may appear twice when Slack loses the confirmation of a post',
    isOptional: true,
  },
  {
    scope: 'groups:history',
    without: 'the same in private channels',
    isOptional: true,
  },
  { scope: 'im:write', without: 'the same in direct messages', isOptional: true },
  { scope: 'files:write', without: 'results cannot be exported', isOptional: true },
  {
    scope: 'users:read',
    without: 'guests are answered like members, and links get no previews',
    isOptional: true,
  },
  { scope: 'links:read', without: 'pasted links get no previews', isOptional: true },
  { scope: 'links:write', without: 'the same', isOptional: true },
  {
    scope: 'channels:read',
    without: 'commands in channels that are shared with another company are answered there',
    isOptional: true,
  },
  { scope: 'groups:read', without: 'the same in private channels', isOptional: true },
  { scope: 'usergroups:read', without: 'ALLOWED_USERGROUPS lets nobody in', isOptional: true },
];

/** Checks the bot's token and its scopes, and Socket Mode where it is used. Changes nothing in Slack. */
export async function checkSlack(
  { slack, access }: Pick<Config, 'slack' | 'access'>,
  dispatcher: Dispatcher,
  timeoutMs: number,
): Promise<Finding[]> {
  const { apiUrl, botToken, transport } = slack;
  const clientFor = (token: string) =>
    new webApi.WebClient(token, {
      slackApiUrl: apiUrl,
      timeout: timeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logLevel: webApi.LogLevel.ERROR,
      logger: SILENT,
      fetch: slackFetch(dispatcher),
    });
  const bot = await ofTokenOr('bot-token-refused', async () => {
    const {
      user = '?',
      team = '?',
      response_metadata,
    } = await withToken('SLACK_BOT_TOKEN', () => clientFor(botToken).auth.test());
    const known = ok('SLACK_BOT_TOKEN', `Slack knows the bot as @${user} in ${team}`);
    return [known, ...judgeScopes(response_metadata?.scopes ?? [], access.userGroups.length > 0)];
  });
  if (transport.kind === 'http') {
    const what = 'over HTTP; Slack itself verifies the address and the signing secret';
    return [...bot, ok('SLACK_SIGNING_SECRET', what)];
  }
  const socket = await ofTokenOr('app-token-refused', async () => {
    await withToken('SLACK_APP_TOKEN', () => clientFor(transport.appToken).apps.connections.open({}));
    return [ok('SLACK_APP_TOKEN', 'Slack offers a Socket Mode connection')];
  });
  return [...bot, ...socket];
}

/** What is found with a token, or why Slack does not take it. */
async function ofTokenOr(
  problem: 'bot-token-refused' | 'app-token-refused',
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    const area = problem === 'bot-token-refused' ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN';
    return [found(problem, area, error.what, error.repair)];
  }
}

/** A missing scope disables a feature; without an optional one the bot still works. */
function judgeScopes(granted: readonly string[], usesGroups: boolean): Finding[] {
  const area = 'Slack scopes';
  const missing = SCOPES.filter(({ scope }) => !granted.includes(scope));
  if (missing.length === 0) return [ok(area, `all ${SCOPES.length} of manifest.yml are granted`)];
  return missing.map(({ scope, without, isOptional }) => {
    const isNeeded = !isOptional || (usesGroups && scope === 'usergroups:read');
    const what = `${scope} is not granted: ${without}`;
    return found(isNeeded ? 'scope-missing' : 'scope-optional', area, what);
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
