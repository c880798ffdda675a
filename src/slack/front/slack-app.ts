import { App, type AppOptions, type Logger, type ReceiverEvent, webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { Precedence } from '../../core/event-loop.ts';
import { NotADelivery, type Received, readDelivery } from './delivery.ts';
import { MessageClient } from './message-client.ts';
import { type HttpOptions, overHttp, overSocket } from './receivers.ts';
import { slackFetch, slackHosts, withToken } from './slack-client.ts';

/** The settings of the connection to Slack. */
type SlackSettings = {
  readonly botToken: string;
  /** With a trailing slash. */
  readonly apiUrl: string;
  /** How deliveries reach the bot: Socket Mode with an app-level token, HTTP with a signing secret. */
  readonly transport:
    | { readonly kind: 'socket'; readonly appToken: string }
    | { readonly kind: 'http'; readonly signingSecret: string };
};

type Observed = {
  /** Work on accepted lookups waits for what has to be acknowledged. */
  readonly precedence: Precedence;
  /** Called with each acknowledged delivery: its kind, and after how many milliseconds. */
  readonly onAcknowledged: (kind: string, ms: number) => void;
};

/** Over HTTP, its port has other routes too; in Socket Mode nothing listens there. */
type Options = HttpOptions &
  Observed & {
    readonly slack: SlackSettings;
    /** The agent for every call to Slack, with its proxies and extra authorities. */
    readonly dispatcher: Dispatcher;
    /** Called with the HTTP status of each answer to the bot's calls; `refused` for the token, `none` without a usable one. */
    readonly onAnswer: (status: number | 'refused' | 'none') => void;
  };

/** The connection to Slack: Bolt, and the clients that the bot uses beside it. */
export type SlackApp = ReturnType<typeof createSlackApp>;

/** Without these, Slack's client waits without a limit and retries for half an hour; the queue retries later anyway. */
const CLIENT_TIMEOUT_MS = 10_000;
const CLIENT_RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5_000, factor: 2, randomize: true };

/** Makes the app for HTTP or Socket Mode; starts nothing. */
export function createSlackApp(options: Options) {
  const { logger, port, slack, dispatcher } = options;
  const { botToken: token, apiUrl, transport } = slack;
  const { fetch, tokenProblem } = watchedFetch(options);
  const common = { slackApiUrl: apiUrl, timeout: CLIENT_TIMEOUT_MS, allowAbsoluteUrls: false, logger, fetch };
  const clientOptions = { ...common, retryConfig: CLIENT_RETRIES };
  const refused = (error: unknown) => isNoDelivery(error, logger);
  const { receiver, start, ...listening } =
    transport.kind === 'socket'
      ? overSocket(transport.appToken, clientOptions, dispatcher, refused)
      : overHttp(options, transport.signingSecret, refused);
  const bolt = { token, clientOptions, logger, convoStore: false, deferInitialization: true } as const;
  const app = new LateApp({ receiver, ...bolt }, options);
  const queries = new webApi.WebClient(token, clientOptions);
  const identity = identityThrough(queries);
  const messages: webApi.WebClient = new MessageClient(token, common);
  return {
    app,
    /** The port that it really listens on, also where the configuration said 0. */
    port: () => port,
    ...listening,
    /** Checks the bot's token, then listens. Throws when Slack refuses the token or the port is taken. */
    start: async (): Promise<void> => {
      await withToken('SLACK_BOT_TOKEN', async () => {
        // The first delivery can't wait for this.
        await identity();
        await app.init();
      });
      await start(app);
    },
    /** The client for questions: it waits and retries where Slack asks for that. */
    queries,
    /** The client for messages: never retries by itself, because the queue decides when they are sent again. */
    messages,
    /** Throws for addresses that are not Slack's, to which no token or message may be sent. */
    checkHost: slackHosts(apiUrl),
    /** What is wrong with the bot's token, by Slack's last answer to a call; undefined if nothing is. */
    tokenProblem,
    /** The bot's own identity. Throws if Slack does not tell it. */
    identity,
  };
}

/** The latest acknowledgement of an event, which Slack sends again after three seconds. */
const LATEST_EVENT_MS = 2_000;
/** The same of clicks, forms and shortcuts: people press again where nothing moves. */
const LATEST_MS = 900;

/**
 * Bolt's app, which acknowledges each delivery once: when its listeners have done so or are done, or when it is high time; a
 * command only then, since its answer is in its acknowledgement. Bolt itself acknowledges events before any listener runs,
 * so that a crash would lose a mention.
 */
class LateApp extends App {
  readonly #observed: Observed;

  constructor(options: AppOptions, observed: Observed) {
    super(options);
    this.#observed = observed;
  }

  /** Throws `NotADelivery`. */
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { precedence, onAcknowledged } = this.#observed;
    const began = performance.now();
    const delivery = readDelivery(event.body);
    const { type } = delivery;
    const isEvent = type === 'event_callback';
    const isOver = precedence.urgent();
    let isAcknowledged = false;
    const ack = async (answer?: object): Promise<void> => {
      if (isAcknowledged) return;
      isAcknowledged = true;
      await event.ack(answer);
      isOver();
      onAcknowledged(isEvent ? 'event' : type, performance.now() - began);
    };
    const received: Received = isEvent
      ? { ...delivery, ack: async () => {}, isAcknowledged: () => true }
      : { ...delivery, ack, isAcknowledged: () => isAcknowledged };
    const latest = isEvent ? LATEST_EVENT_MS : LATEST_MS;
    const timer = type !== 'command' && setTimeout(() => void ack().catch(() => {}), latest);
    try {
      const customProperties = { ...event.customProperties, received };
      await super.processEvent({ ...event, ack: received.ack, customProperties });
      // A control or shortcut that no listener knows would otherwise end in Slack's timeout.
      await ack();
    } finally {
      if (timer) clearTimeout(timer);
      isOver();
    }
  }
}

/** Logs one line for a delivery that could not be processed, without its text; gives whether it was none of Slack's. */
function isNoDelivery(error: unknown, logger: Logger): boolean {
  if (error instanceof NotADelivery) {
    logger.warn(error.message);
    return true;
  }
  logger.error(`a delivery could not be processed: ${error instanceof Error ? error.stack : 'unknown'}`);
  return false;
}

/** Slack refuses the token itself (https://docs.slack.dev/reference/methods/auth.test#errors). */
const REFUSED = /"error":\s?"(account_inactive|invalid_auth|not_authed|token_expired|token_revoked)"/;
/** Calls that succeed have longer answers, which are not searched. */
const LONGEST_REFUSAL = 1_000;
/** This call has a token of its own, so its refusals say nothing of the other. */
const OPENS_SOCKET = 'apps.connections.open';

/** Sends calls to Slack alone, counts the answers, and notes whether Slack refuses the bot's token. */
function watchedFetch({ slack: { apiUrl }, dispatcher, onAnswer }: Options) {
  const checkHost = slackHosts(apiUrl);
  const send = slackFetch(dispatcher);
  let refusal: string | undefined;
  const fetch: webApi.FetchFunction = async (url, init) => {
    const address = String(url);
    // Bolt sends responses to the address that the payload names.
    checkHost(address);
    const answer = await send(url, init).catch((error: unknown) => {
      onAnswer('none');
      throw error;
    });
    const isCall = address.startsWith(apiUrl) && !address.endsWith(OPENS_SOCKET) && answer.ok;
    if (isCall) refusal = REFUSED.exec((await answer.text()).slice(0, LONGEST_REFUSAL))?.[1];
    onAnswer(isCall && refusal !== undefined ? 'refused' : answer.status);
    return answer;
  };
  return { fetch, tokenProblem: () => refusal && `Slack refuses SLACK_BOT_TOKEN (${refusal})` };
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
function identityThrough(client: webApi.WebClient): () => Promise<Identity> {
  let known: Promise<Identity> | undefined;
  const ask = async (): Promise<Identity> => {
    const { user_id = '', team_id, enterprise_id } = await client.auth.test();
    const enterprise = enterprise_id ? { enterprise: enterprise_id } : {};
    return { user: user_id, teams: team_id ? [team_id] : [], ...enterprise };
  };
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
