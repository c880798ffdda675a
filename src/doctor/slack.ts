import { webApi } from '@slack/bolt';
import { pino } from 'pino';
import { fetch, type RequestInit } from 'undici';
import type { Config } from '../config/config.ts';
import { boltLogger } from '../ops/logging.ts';
import { HTTP_TIMEOUTS, proxyAgent } from '../service/transport.ts';
import { withToken } from '../slack/front/slack-client.ts';
import { type Finding, failure, findingsOf, ok, warning } from './finding.ts';

/** The scopes that the bot needs, each with what fails without it. */
const NEEDED = {
  commands: '/snapshot and the shortcuts do not exist',
  'chat:write': 'the bot cannot answer',
  'app_mentions:read': 'mentions are not answered',
  'im:history': 'direct messages are not answered',
};
/** The optional scopes, each with what does not work without it. */
const OPTIONAL = {
  'channels:history': 'in channels an answer may appear twice when Slack loses a confirmation',
  'groups:history': 'in private channels an answer may appear twice when Slack loses a confirmation',
  'im:write': 'in direct messages an answer may appear twice when Slack loses a confirmation',
  'files:write': 'results cannot be exported',
  'users:read': 'guests are answered like members, and links get no previews',
  'links:read': 'pasted links get no previews',
  'links:write': 'pasted links get no previews',
  'channels:read': 'commands in channels that are shared with another company are answered there',
  'groups:read': 'commands in private channels that are shared with another company are answered there',
  'usergroups:read': 'ALLOWED_USERGROUPS lets nobody in',
};
/** All scopes in manifest.yml; a test compares both lists. */
export const SCOPES = { bot: NEEDED, bot_optional: OPTIONAL };
const AREA = 'Slack scopes';
const REINSTALL = 'add it under OAuth & Permissions (manifest.yml has it) and reinstall the app';

/** Checks the bot's token and its scopes, and Socket Mode if it is used. Changes nothing in Slack. */
export async function checkSlack({ slack, access, proxies }: Config): Promise<Finding[]> {
  const { apiUrl: slackApiUrl, botToken, transport } = slack;
  const dispatcher = proxyAgent(proxies);
  const options = {
    slackApiUrl,
    timeout: HTTP_TIMEOUTS.connectMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: boltLogger(pino({ level: 'silent' })),
    fetch: ((url, init) => fetch(url, { ...init, dispatcher } as RequestInit)) satisfies webApi.FetchFunction,
  };
  const ofBot = await findingsOf('SLACK_BOT_TOKEN', async () => {
    const call = () => new webApi.WebClient(botToken, options).auth.test();
    const { user, team, response_metadata } = await withToken('SLACK_BOT_TOKEN', call);
    const granted = response_metadata?.scopes ?? [];
    const missing = Object.entries({ ...NEEDED, ...OPTIONAL }).filter(([scope]) => !granted.includes(scope));
    const scopes: Finding[] = missing.map(([scope, without]) => {
      const isNeeded = scope in NEEDED || (scope === 'usergroups:read' && access.userGroups.length > 0);
      return (isNeeded ? failure : warning)(AREA, `${scope} is not granted: ${without}`, REINSTALL);
    });
    if (scopes.length === 0) scopes.push(ok(AREA, 'all of manifest.yml are granted'));
    return [ok('SLACK_BOT_TOKEN', `Slack knows the bot as @${user} in ${team}`), ...scopes];
  });
  const ofSocket = await findingsOf('SLACK_APP_TOKEN', async () => {
    if (transport.kind === 'http') return [];
    const call = () => new webApi.WebClient(transport.appToken, options).apps.connections.open({});
    await withToken('SLACK_APP_TOKEN', call);
    return [ok('SLACK_APP_TOKEN', 'Slack offers a Socket Mode connection')];
  });
  await dispatcher.destroy();
  return [...ofBot, ...ofSocket];
}
