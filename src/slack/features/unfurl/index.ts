import type { SlackEventMiddlewareArgs } from '@slack/bolt';
import { readView } from '../../blocks/action-values.ts';
import { accept } from '../../front/accept.ts';
import type { FeatureParts, ListenerContext } from '../../front/context.ts';
import type { Received, SnapshotLink } from '../../front/delivery.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { untilDone } from '../../front/once.ts';
import { openAlone } from '../../front/reading.ts';
import { READ_PRIVATELY_ACTION, SHOW_REPORT_ACTION } from './preview.ts';
import { placeOf, previews } from './previews.ts';

type LinkShared = SlackEventMiddlewareArgs<'link_shared'>['event'];

/** For how long a link that stands in a thread again is not previewed again. */
const PREVIEWED_MS = 10 * 60_000;

/** Says under a pasted link which device its snapshot is of, and how bad it is. */
export function unfurl(parts: FeatureParts): Feature {
  return {
    preview: previews(parts),
    listen: (on, context) => {
      if (parts.unfurl !== 'no')
        on.event('link_shared', async ({ event, context: { received } }) => {
          const { delivery }: Received = received;
          const links = withinShare(event, delivery.actor?.links ?? [], context);
          await Promise.all(links.map((link) => acceptLink(event, link, context)));
        });
      on.asking(SHOW_REPORT_ACTION, { preview: 'ask' }, showReport);
      on.click(READ_PRIVATELY_ACTION, { preview: 'read' }, (press) =>
        openAlone(press, press.origin.channel, readView(press.value)),
      );
    },
  };
}

/** Each link counts as a command. The front has counted one; of the others, the first that the share is enough for. */
function withinShare({ user }: LinkShared, links: readonly SnapshotLink[], { fairShare }: ListenerContext) {
  return links.filter((_link, index) => index === 0 || fairShare.take(user, 1));
}

/** Stores the lookup of a link before the event is acknowledged. */
async function acceptLink(
  { channel, user, message_ts: messageTs, thread_ts: threadTs, unfurl_id: unfurlId }: LinkShared,
  { url, snapshotId }: SnapshotLink,
  context: ListenerContext,
): Promise<void> {
  const link = { url, messageTs, ...(threadTs && { threadTs }), ...(unfurlId && { unfurlId }) };
  const request = {
    question: { snapshotId, set: 'all' },
    askedBy: user,
    mayBeCached: true,
    destination: { channel, user, link },
  } as const;
  await untilDone(context, placeOf({ channel }, link), () => context.lookups.accept(request), PREVIEWED_MS);
}

/** The usual report, as if this person had asked here: in the thread of the message. */
async function showReport(press: Interaction, acknowledge: () => Promise<void>): Promise<void> {
  const { user, value, context, triggerId: deliveryId } = press;
  const { channel, threadTs, messageTs = '' } = press.origin;
  const thread = threadTs === undefined ? { threadTs: messageTs } : { threadTs, hasThread: true };
  const destination = { channel, user, ...thread, response: { ...press.response, replaces: false } };
  await accept(readView(value), { deliveryId, destination, acknowledge }, context);
}
