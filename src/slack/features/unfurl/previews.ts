import type { Destination, PastedLink } from '../../../core/lookup.ts';
import { composing, type Delivered, type Delivery } from '../../../lookups/lookup-status.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import { again } from '../../front/once.ts';
import { previewMessage, unfurlOf } from './preview.ts';

/** Where a link is previewed once in ten minutes: in its thread. */
export function placeOf(
  { channel }: Pick<Destination, 'channel'>,
  { url, messageTs, threadTs = messageTs }: PastedLink,
): string {
  return `link:${channel}:${threadTs}:${url}`;
}

/** Shows results under the links that were pasted. A wait and a failure show nothing: a link is no question. */
export function previews(parts: FeatureParts): Delivery['deliver'] {
  return async (lookup, status): Promise<Delivered> => {
    const { id, askedBy: user, question, destination, deadline } = lookup;
    const { channel, link } = destination;
    const delivered = { destination, isShown: true };
    if (link === undefined || status.kind === 'waiting') return delivered;
    if (status.kind !== 'ready') {
      await previewAgain(destination, link, parts);
      return delivered;
    }
    const accepted = await parts.devices.acceptedFor(question, status);
    const message = composing(() => previewMessage(question, { ...status, accepted }));
    try {
      await parts.poster.unfurl({ ...targetOf(destination, link), ...unfurlOf(link.url, message) });
    } catch (err) {
      if (!isRefused(err) && parts.now() <= deadline) throw err;
      // The message was deleted, or holds another link now.
      parts.logger.info({ err, lookup: id }, 'Slack did not take a preview');
      return delivered;
    }
    parts.audit({ event: 'previewed', lookup: id, user, channel, snapshot: question.snapshotId });
    return delivered;
  };
}

/** The same link may be pasted again there: nothing is shown under this one. */
async function previewAgain(
  destination: Destination,
  link: PastedLink,
  { leases, logger }: FeatureParts,
): Promise<void> {
  await again({ leases }, placeOf(destination, link)).catch((error: unknown) =>
    logger.info({ err: error }, 'a link stays without a preview for ten minutes'),
  );
}

function targetOf({ channel }: Destination, { messageTs, unfurlId }: PastedLink) {
  return unfurlId === undefined
    ? { channel, ts: messageTs }
    : { unfurl_id: unfurlId, source: 'conversations_history' as const };
}
