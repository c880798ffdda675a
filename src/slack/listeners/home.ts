import type { App, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { isAllowedChannel } from '../access.ts';
import { homeView, type LinkedRecent } from '../messages/home-view.ts';
import type { Recent } from '../recents.ts';
import type { ListenerContext } from './context.ts';

/** The Home tab is drawn anew each time that somebody opens it. Opening it asks nothing of the service. */
export function listenToHome(app: App, context: ListenerContext): void {
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return;
    const { loginHealth, loginUrl } = context;
    const [recents, login] = await Promise.all([
      recentsOf(event.user, client, context),
      orUndefined(loginHealth),
    ]);
    const view = homeView({ recents, login, loginUrl, command: '/snapshot' });
    await client.views.publish({ user_id: event.user, view });
  });
}

/** Without those of conversations where the bot may not be used any more. */
async function recentsOf(
  user: string,
  client: webApi.WebClient,
  { recents, access }: ListenerContext,
): Promise<LinkedRecent[]> {
  const list = (await orUndefined(() => recents.of(user))) ?? [];
  const allowed = list.filter(({ channel }) => isAllowedChannel(channel, access.rules));
  return Promise.all(allowed.map((recent) => linked(recent, client)));
}

async function linked(recent: Recent, client: webApi.WebClient): Promise<LinkedRecent> {
  const { channel, ts } = recent;
  if (ts === undefined) return recent;
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return { ...recent, permalink: found?.permalink };
}

/** What can't be read is left out, and said so. */
async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
