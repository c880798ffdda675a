import { SocketModeReceiver, type webApi } from '@slack/bolt';
import { logError, NotADelivery } from './deliveries.ts';
import { checkFrames } from './frames.ts';
import { boltApp, type Listening, type SlackAppOptions } from './listening.ts';
import { SocketSupervisor } from './socket-supervisor.ts';
import { withToken } from './start-errors.ts';

/** The number of connections: Slack closes each from time to time, and the other one takes over. It allows ten. */
const SOCKETS = 2;

/** Opens WebSocket connections to Slack (Socket Mode): nothing listens on a port. */
export function overSocket(
  options: SlackAppOptions,
  appToken: string,
  clientOptions: webApi.WebClientOptions,
): Listening {
  const { port, logger, dispatcher } = options;
  const newReceiver = () =>
    new SocketModeReceiver({
      appToken,
      dispatcher,
      installerOptions: { clientOptions },
      logger,
      processEventErrorHandler: async ({ error }) => {
        logError(error, logger);
        // Slack would send the same again.
        return error instanceof NotADelivery;
      },
      // The client's own reconnection gives up at an HTTP error, with an unhandled rejection: the supervisor reconnects
      // instead.
      autoReconnectEnabled: false,
    });
  const first = newReceiver();
  const others = Array.from({ length: SOCKETS - 1 }, newReceiver);
  for (const receiver of [first, ...others]) checkFrames(receiver, logger);
  const app = boltApp(first, clientOptions, options);
  for (const other of others) other.init(app);
  const supervisors = [first, ...others].map((receiver) => new SocketSupervisor(receiver, logger));
  return {
    app,
    start: async () => {
      await withToken('SLACK_BOT_TOKEN', () => app.init());
      await withToken('SLACK_APP_TOKEN', async () => {
        for (const supervisor of supervisors) await supervisor.start();
      });
    },
    stop: async () => {
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    },
    isListening: () => supervisors.some(({ isConnected }) => isConnected),
    port: () => port,
  };
}
