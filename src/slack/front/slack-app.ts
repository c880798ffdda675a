import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { Precedence } from '../../core/event-loop.ts';
import { type Received, readDelivery } from './delivery.ts';
import { type HttpOptions, overHttp, overSocket } from './receivers.ts';
import { type ClientOptions, SlackClient, slackHosts, withToken } from './slack-client.ts';

/** How deliveries reach the bot: Socket Mode with an app-level token, HTTP with a signing secret. */
type Transport =
  | { readonly kind: 'socket'; readonly appToken: string }
  | { readonly kind: 'http'; readonly signingSecret: string };

/** Over HTTP, its port has other routes too; in Socket Mode nothing listens there. */
type Options = HttpOptions &
  Omit<ClientOptions, 'apiUrl'> & {
    readonly slack: { readonly botToken: string; readonly apiUrl: string; readonly transport: Transport };
    /** Lets work on accepted lookups wait for deliveries that have to be acknowledged. */
    readonly precedence: Precedence;
    /** Called with each acknowledged delivery: its kind, and after how many milliseconds. */
    readonly onAcknowledged: (kind: string, ms: number) => void;
  };

/** The connection to Slack: Bolt, and the client that the bot uses beside it. */
export type SlackApp = ReturnType<typeof createSlackApp>;

/** Makes the app for HTTP or Socket Mode; starts nothing. */
export function createSlackApp(options: Options) {
  const { logger, port } = options;
  const { botToken, apiUrl, transport } = options.slack;
  const clientOptions = { ...options, apiUrl };
  const client = new SlackClient(botToken, clientOptions);
  const identity = identityThrough(client);
  const { receiver, start, ...listening } =
    transport.kind === 'socket'
      ? overSocket(transport.appToken, clientOptions)
      : overHttp(transport.signingSecret, options);
  const authorize = async () => {
    const { user: botUserId, team: teamId } = await identity();
    return { botToken, botUserId, teamId };
  };
  const app = new LateApp({ receiver, authorize, logger, convoStore: false }, options);
  return {
    app,
    /** The port that it really listens on, also where the configuration said 0. */
    port: () => port,
    ...listening,
    /** Checks the bot's token, then listens. Throws when Slack refuses the token or the port is taken. */
    start: async (): Promise<void> => {
      // Asked now, because the first delivery can't wait for it.
      await withToken('SLACK_BOT_TOKEN', identity);
      await start(app);
    },
    client,
    /** Throws for addresses that are not Slack's, to which no token or message may be sent. */
    checkHost: slackHosts(apiUrl),
    /** What is wrong with the bot's token, by Slack's last answer to a call; undefined if nothing is. */
    tokenProblem: () => client.refusal && `Slack refuses SLACK_BOT_TOKEN (${client.refusal})`,
    /** The bot's own identity. Throws if Slack does not tell it. */
    identity,
  };
}

/** The latest acknowledgement: after three seconds Slack sends an event again, and calls a click or a form failed. */
const LATEST_MS = 2_000;

/**
 * Bolt's app, which acknowledges each delivery once: by its listeners, at their end, or after `LATEST_MS`; a command
 * without that timer, since its answer is in its acknowledgement. Bolt itself acknowledges events before any listener
 * runs, so that a crash would lose a mention.
 */
class LateApp extends App {
  readonly #options: Options;

  constructor(bolt: AppOptions, options: Options) {
    super(bolt);
    this.#options = options;
  }

  /** Throws `NotADelivery`. */
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { precedence, onAcknowledged } = this.#options;
    const began = performance.now();
    const delivery = readDelivery(event.body);
    const { type } = delivery;
    const isEvent = type === 'event_callback';
    const isOver = precedence.urgent();
    let isAcknowledged = false;
    const ack = async (answer?: object): Promise<boolean> => {
      if (isAcknowledged) return false;
      isAcknowledged = true;
      await event.ack(answer);
      isOver();
      onAcknowledged(isEvent ? 'event' : type, performance.now() - began);
      return true;
    };
    const received: Received = { ...delivery, ack: isEvent ? async () => false : ack };
    const ofBolt = async (answer?: object) => void (await received.ack(answer));
    const timer = type !== 'command' && setTimeout(() => void ack().catch(() => {}), LATEST_MS);
    try {
      const customProperties = { ...event.customProperties, received };
      await super.processEvent({ ...event, ack: ofBolt, customProperties });
      // A control or shortcut that no listener knows would otherwise end in Slack's timeout.
      await ack();
    } finally {
      if (timer) clearTimeout(timer);
      isOver();
    }
  }
}

/** The bot's identity in Slack, with the workspace that it is installed in and the Enterprise Grid organisation of that. */
export type Identity = {
  readonly user: string;
  readonly team: string;
  readonly enterprise?: string | undefined;
};

/** Asks Slack once; a failure is not cached. Throws what Slack's client throws. */
function identityThrough(client: SlackClient): () => Promise<Identity> {
  let known: Promise<Identity> | undefined;
  const ask = async (): Promise<Identity> => {
    const { user_id: user = '', team_id: team = '', enterprise_id: enterprise } = await client.auth.test();
    return { user, team, enterprise };
  };
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
