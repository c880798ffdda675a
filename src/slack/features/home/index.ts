import type { webApi } from '@slack/bolt';
import { isFault } from '../../../core/faults.ts';
import { isAllowedChannel } from '../../front/access.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature, FeatureParts } from '../../front/feature.ts';
import { type RecentLookup, RecentLookups } from './recent-lookups.ts';
import { homeView, type LinkedLookup } from './view.ts';

/** Publishes the Home tab each time somebody opens it. It does not ask the service. */
export function home(parts: FeatureParts): Feature {
  const recentLookups = new RecentLookups(parts);
  return {
    hook: recentLookups,
    listen: (on, context) =>
      on.event('app_home_opened', async ({ event, client }) => {
        if (event.tab !== 'home') return;
        const { loginHealth, operator } = context;
        const [list, login] = await Promise.all([
          orUndefined(() => recentLookups.of(event.user)),
          orUndefined(loginHealth),
        ]);
        const linked = list && (await allowedAndLinked(list, client, context));
        const view = homeView({ recentLookups: linked, login, operator, command: '/snapshot' });
        await client.views.publish({ user_id: event.user, view });
      }),
  };
}

/** Leaves out lookups in conversations where the bot may no longer be used. */
function allowedAndLinked(
  list: readonly RecentLookup[],
  client: webApi.WebClient,
  { access }: ListenerContext,
): Promise<LinkedLookup[]> {
  const allowed = list.filter(({ channel }) => isAllowedChannel(channel, access.rules));
  return Promise.all(
    allowed.map(async (recent) => {
      const { channel, ts } = recent;
      if (ts === undefined) return recent;
      const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
      return { ...recent, permalink: found?.permalink };
    }),
  );
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
