import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { Precedence } from '../../core/time.ts';
import { type Received, readDelivery } from './delivery.ts';
import { type HttpOptions, overHttp, overSocket } from './receivers.ts';
import { type ClientOptions, SlackClient, slackHosts, withToken } from './slack-client.ts';

/** How Slack delivers to the bot: Socket Mode with an app-level token, or HTTP with a signing secret. */
type Transport =
  | { readonly kind: 'socket'; readonly appToken: string }
  | { readonly kind: 'http'; readonly signingSecret: string };

/** Over HTTP, the port also serves other routes; in Socket Mode the bot does not listen on it. */
type Options = HttpOptions &
  Omit<ClientOptions, 'apiUrl'> & {
    readonly slack: { readonly botToken: string; readonly apiUrl: string; readonly transport: Transport };
    /** Gives deliveries, for which Slack waits, precedence over the work on accepted lookups. */
    readonly precedence: Precedence;
    /** Called when a delivery is acknowledged, with its kind and the milliseconds since its arrival. */
    readonly onAcknowledged: (kind: string, ms: number) => void;
  };

/** The bot's connection to Slack: Bolt's app for deliveries, and a client for calls. */
export type SlackApp = ReturnType<typeof createSlackApp>;

/** Makes the connection for HTTP or Socket Mode; starts nothing. */
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
    /** The port that the bot listens on, even if the configured port was 0. */
    port: () => port,
    ...listening,
    /** Checks the bot's token, then listens. Throws if Slack refuses the token or the port can't be used. */
    start: async (): Promise<void> => {
      // Checked and cached before deliveries arrive, because a delivery can't wait for the answer.
      await withToken('SLACK_BOT_TOKEN', identity);
      await start(app);
    },
    client,
    /** Throws unless an address belongs to Slack; tokens and messages must go nowhere else. */
    checkHost: slackHosts(apiUrl),
    /** What is wrong with the bot's token, according to Slack's last answer; undefined if Slack accepts it. */
    tokenProblem: () => client.refusal && `Slack refuses SLACK_BOT_TOKEN (${client.refusal})`,
    /** The bot's own identity. Throws if Slack does not answer. */
    identity,
  };
}

/** When a click or an event is acknowledged at the latest. After three seconds Slack repeats it or reports a failure. */
const LATEST_MS = 2_300;

/**
 * Bolt's app, changed to acknowledge each delivery once: by its listener, after its listener, or after `LATEST_MS`. A
 * command has no such timer, because its acknowledgement contains its answer. Bolt itself acknowledges events before
 * any listener runs, so a crash would lose a mention.
 */
class LateApp extends App {
  readonly #options: Options;

  constructor(bolt: AppOptions, options: Options) {
    super(bolt);
    this.#options = options;
  }

  /** Handles one delivery. Throws `NotADelivery`. */
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
      // A control or shortcut without a listener would otherwise time out in Slack.
      await ack();
    } finally {
      if (timer) clearTimeout(timer);
      isOver();
    }
  }
}

/** The bot's user, its workspace, and the Enterprise Grid organisation of the workspace. */
export type Identity = {
  readonly user: string;
  readonly team: string;
  readonly enterprise?: string | undefined;
};

/** Asks Slack for the identity once; a failed request is repeated at the next call. Throws the errors of Slack's client. */
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
