import { webApi } from '@slack/bolt';
import { type CheckHost, slackHosts } from '../delivery/slack-hosts.ts';
import type { Listening, SlackAppOptions } from './listening.ts';
import { overHttp } from './over-http.ts';
import { overSocket } from './over-socket.ts';
import { slackFetch } from './slack-client.ts';
import { withToken } from './start-errors.ts';

/** The connection to Slack: Bolt, and the clients that the bot uses beside it. */
export type SlackApp = Listening & {
  /** The client for messages: never retries by itself, and throws a 429 at once. */
  readonly messages: webApi.WebClient;
  /** Throws for addresses that are not Slack's, to which no token or message may be sent. */
  readonly checkHost: CheckHost;
  /** What is wrong with the bot's token, by Slack's last answer to a call; undefined if nothing is. */
  readonly tokenProblem: () => string | undefined;
  /** The bot's own identity. Throws if Slack does not tell it. */
  readonly identity: () => Promise<Identity>;
};

/** Without these, Slack's client waits without a limit and retries for half an hour; the queue retries later anyway. */
const CLIENT_TIMEOUT_MS = 10_000;
const CLIENT_RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5_000, factor: 2, randomize: true };

/** Of messages the queue decides when they are sent again. */
const AT_ONCE = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };

/** Makes the app for HTTP or Socket Mode; starts nothing. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { botToken, transport } = options.slack;
  const { clientOptions, tokenProblem } = clientOptionsFor(options);
  const messages = new webApi.WebClient(botToken, { ...clientOptions, ...AT_ONCE });
  const listening =
    transport.kind === 'socket'
      ? overSocket(options, transport.appToken, clientOptions)
      : overHttp(options, transport.signingSecret, clientOptions);
  const checkHost = slackHosts(options.slack.apiUrl);
  const identity = identityThrough(new webApi.WebClient(botToken, clientOptions));
  const start = async () => {
    // The first delivery can't wait for this.
    await withToken('SLACK_BOT_TOKEN', identity);
    await listening.start();
  };
  return { ...listening, start, messages, checkHost, tokenProblem, identity };
}

/** Slack refuses the token itself (https://docs.slack.dev/reference/methods/auth.test#errors). */
const REFUSED = /"error":\s?"(account_inactive|invalid_auth|not_authed|token_expired|token_revoked)"/;
/** Of the calls, those that open a socket have a token of their own. */
const OPENS_SOCKET = 'apps.connections.open';

function clientOptionsFor({ slack, logger, dispatcher, onAnswer }: SlackAppOptions) {
  const checkHost = slackHosts(slack.apiUrl);
  const send = slackFetch(dispatcher);
  let refusal: string | undefined;
  const clientOptions = {
    slackApiUrl: slack.apiUrl,
    timeout: CLIENT_TIMEOUT_MS,
    retryConfig: CLIENT_RETRIES,
    allowAbsoluteUrls: false,
    logger,
    fetch: async (url, init) => {
      // Bolt sends responses to the address that the payload names.
      checkHost(String(url));
      try {
        const answer = await send(url, init);
        const isCall = String(url).startsWith(slack.apiUrl) && !String(url).endsWith(OPENS_SOCKET);
        if (isCall && answer.ok) refusal = REFUSED.exec(await answer.text())?.[1];
        onAnswer(isCall && answer.ok && refusal !== undefined ? 'refused' : answer.status);
        return answer;
      } catch (error) {
        onAnswer('none');
        throw error;
      }
    },
  } satisfies webApi.WebClientOptions;
  const tokenProblem = () => refusal && `Slack refuses SLACK_BOT_TOKEN (${refusal})`;
  return { clientOptions, tokenProblem };
}

/** The bot's identity in Slack. */
export type Identity = {
  readonly user: string;
  /** The workspace that the bot is installed in. */
  readonly teams: readonly string[];
  /** The Enterprise Grid organisation that the workspace belongs to, if it does. */
  readonly enterprise?: string;
};

/** Asks Slack once; a failure is not cached. Throws what Slack's client throws. */
export function identityThrough(client: webApi.WebClient): () => Promise<Identity> {
  let known: Promise<Identity> | undefined;
  return () => {
    known ??= ask(client).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function ask(client: webApi.WebClient): Promise<Identity> {
  const { user_id = '', team_id, enterprise_id } = await client.auth.test();
  return {
    user: user_id,
    teams: team_id ? [team_id] : [],
    ...(enterprise_id ? { enterprise: enterprise_id } : {}),
  };
}
