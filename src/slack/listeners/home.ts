import type { webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { isAllowedChannel } from '../access/access.ts';
import type { RecentLookup } from '../delivery/recent-lookups.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { homeView, type LinkedLookup } from '../views/home-view.ts';

/** Publishes the Home tab each time somebody opens it. It does not ask the service. */
export function listenToHome(on: Listeners, context: ListenerContext): void {
  on.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return;
    const { loginHealth, operator } = context;
    const [recentLookups, login] = await Promise.all([
      recentsOf(event.user, client, context),
      orUndefined(loginHealth),
    ]);
    const view = homeView({ recentLookups, login, operator, command: '/snapshot' });
    await client.views.publish({ user_id: event.user, view });
  });
}

/** Leaves out lookups in conversations where the bot may no longer be used. */
async function recentsOf(
  user: string,
  client: webApi.WebClient,
  { recentLookups, access }: ListenerContext,
): Promise<LinkedLookup[] | undefined> {
  const list = await orUndefined(() => recentLookups.of(user));
  if (list === undefined) return undefined;
  const allowed = list.filter(({ channel }) => isAllowedChannel(channel, access.rules));
  return Promise.all(allowed.map((recent) => linked(recent, client)));
}

async function linked(recent: RecentLookup, client: webApi.WebClient): Promise<LinkedLookup> {
  const { channel, ts } = recent;
  if (ts === undefined) return recent;
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return { ...recent, permalink: found?.permalink };
}

/** Undefined if it cannot be read; the Home tab says so. */
async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
