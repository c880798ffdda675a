import type { ButtonAction, webApi } from '@slack/bolt';
import { isFault } from '../../../core/faults.ts';
import { isSnapshotId } from '../../../core/snapshot-id.ts';
import { isAllowedChannel } from '../../front/access.ts';
import type { FeatureParts, ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { type RecentLookup, RecentLookups } from './recent-lookups.ts';
import { homeView, type LinkedLookup, STOP_WATCHING_ACTION } from './view.ts';

/** Publishes the Home tab each time somebody opens it. It does not ask the service. */
export function home(parts: FeatureParts): Feature {
  const recentLookups = new RecentLookups(parts);
  return {
    hook: recentLookups,
    listen: (on, context) => {
      const publish = async (user: string, client: webApi.WebClient) => {
        const { loginHealth, operator, watching } = context;
        const [list, login, watches = []] = await Promise.all([
          orUndefined(() => recentLookups.of(user)),
          orUndefined(loginHealth),
          orUndefined(() => watching.of(user)),
        ]);
        const linked = list && (await allowedAndLinked(list, client, context));
        const view = homeView({ recentLookups: linked, login, watches, operator, command: '/snapshot' });
        await client.views.publish({ user_id: user, view });
      };
      on.event('app_home_opened', async ({ event, client }) => {
        if (event.tab === 'home') await publish(event.user, client);
      });
      on.click<ButtonAction>(STOP_WATCHING_ACTION, { home: 'read' }, async (click) => {
        const { action, body, client } = click;
        const { value = '' } = action;
        if (isSnapshotId(value)) await context.watching.stop(body.user.id, value);
        await publish(body.user.id, client);
      });
    },
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
