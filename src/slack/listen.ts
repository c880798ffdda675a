import type { App } from '@slack/bolt';
import { listenToAskAgain } from './listeners/ask-again.ts';
import { listenToCancel } from './listeners/cancel.ts';
import { listenToCommands } from './listeners/command.ts';
import type { ListenerContext } from './listeners/context.ts';
import { listenToDetails } from './listeners/details.ts';
import { listenToPaging } from './listeners/paging.ts';

/** Everything that the bot hears of Slack. */
export function listen(app: App, context: ListenerContext): void {
  listenToCommands(app, context);
  listenToPaging(app, context);
  listenToDetails(app, context);
  listenToAskAgain(app, context);
  listenToCancel(app, context);
  app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
}
