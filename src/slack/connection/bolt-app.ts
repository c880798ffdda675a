import { webApi } from '@slack/bolt';
import { fetch as undiciFetch } from 'undici';
import { type Identity, identityThrough } from './identity.ts';
import type { Listening, SlackAppOptions } from './listening.ts';
import { overHttp } from './over-http.ts';
import { overSocket } from './over-socket.ts';
import { type CheckHost, slackHosts } from './slack-hosts.ts';

/** Bolt, and what the bot has to know of how it listens. */
export type SlackApp = Listening & {
  /** For messages: repeats nothing by itself, and throws a 429 at once. */
  readonly messages: webApi.WebClient;
  /** Where the bot may send what belongs to Slack alone. */
  readonly checkHost: CheckHost;
  /** Who the bot is. Throws when Slack does not say. */
  readonly identity: () => Promise<Identity>;
};

/** Slack's client waits as long as it is let, and repeats for half an hour by itself; the queue has more patience. */
const CLIENT_TIMEOUT_MS = 10_000;
const CLIENT_RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5_000, factor: 2, randomize: true };

/** Puts Bolt together for HTTP or for Socket Mode; starts nothing. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { botToken, transport } = options.slack;
  const clientOptions = clientOptionsFor(options);
  const once = { ...clientOptions, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
  const messages = new webApi.WebClient(botToken, once);
  const listening =
    transport.kind === 'socket'
      ? overSocket(options, transport.appToken, clientOptions)
      : overHttp(options, transport.signingSecret, clientOptions);
  const checkHost = slackHosts(options.slack.apiUrl);
  return { ...listening, messages, checkHost, identity: identityThrough(messages) };
}

function clientOptionsFor({ slack, logger, dispatcher, onAnswer }: SlackAppOptions): webApi.WebClientOptions {
  const checkHost = slackHosts(slack.apiUrl);
  return {
    slackApiUrl: slack.apiUrl,
    timeout: CLIENT_TIMEOUT_MS,
    retryConfig: CLIENT_RETRIES,
    allowAbsoluteUrls: false,
    logger,
    fetch: async (url, init) => {
      // Bolt sends what listeners respond to the address that the payload names.
      checkHost(String(url));
      try {
        // The client hands over what undici's own fetch takes; only the names of the types differ.
        const answer = await undiciFetch(url, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]);
        onAnswer(answer.status);
        return answer;
      } catch (error) {
        onAnswer('none');
        throw error;
      }
    },
  };
}
