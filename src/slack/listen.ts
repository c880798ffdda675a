import type { App } from '@slack/bolt';
import { listenToAskAgain } from './listeners/ask-again.ts';
import { listenToCancel } from './listeners/cancel.ts';
import { listenToCommands } from './listeners/command.ts';
import { listenToCompare } from './listeners/compare.ts';
import type { ListenerContext } from './listeners/context.ts';
import { listenToControls } from './listeners/controls.ts';
import { listenToDetails } from './listeners/details.ts';
import { listenToDirectMessages } from './listeners/direct-message.ts';
import { guard } from './listeners/guard.ts';
import { listenToHome } from './listeners/home.ts';
import { listenToLookUps } from './listeners/look-up.ts';
import { listenToMentions } from './listeners/mention.ts';
import { listenToMenu } from './listeners/menu.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import { listenToShow } from './listeners/show.ts';
import { listenToTellMe } from './listeners/tell-me.ts';

/** Everything that the bot hears of Slack, behind the guard. */
export function listen(app: App, context: ListenerContext): void {
  guard(app, context);
  listenToCommands(app, context);
  listenToControls(app, context);
  listenToMenu(app, context);
  listenToCompare(app, context);
  listenToMentions(app, context);
  listenToDirectMessages(app, context);
  listenToShortcuts(app, context);
  listenToLookUps(app, context);
  listenToHome(app, context);
  listenToDetails(app, context);
  listenToAskAgain(app, context);
  listenToCancel(app, context);
  listenToTellMe(app, context);
  listenToShow(app, context);
  app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
}
