import type { Destination, Lookup, PastedLink } from '../../../core/lookup.ts';
import type { Delivered, Delivery, LookupStatus } from '../../../lookups/lookup-status.ts';
import { composing } from '../../../lookups/lookup-status.ts';
import type { Urgency } from '../../delivery/rate-limited-queue.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import { again } from '../../front/once.ts';
import { endedSentence, previewMessage, processingSentence, statusMessage, unfurlOf } from './preview.ts';

/** Where a link is previewed once in ten minutes: in its thread. */
export function placeOf(
  { channel }: Pick<Destination, 'channel'>,
  { url, messageTs, threadTs = messageTs }: PastedLink,
): string {
  return `link:${channel}:${threadTs}:${url}`;
}

/**
 * What a status changes under a link; undefined for nothing. A failure shows nothing, because nobody asked. What already stands
 * there can't be removed: Slack documents that a second call changes what the first one attached, and nothing that takes it
 * away. So it no longer says that its snapshot is being processed.
 */
function changeFor({ question }: Lookup, status: LookupStatus, { url, isUnfurled }: PastedLink) {
  switch (status.kind) {
    case 'ready':
      return unfurlOf(url, previewMessage(question, status));
    case 'waiting':
      return status.isProcessing && status.trouble === undefined
        ? unfurlOf(url, statusMessage(question, processingSentence(status.reason)))
        : undefined;
    default:
      return isUnfurled && unfurlOf(url, statusMessage(question, endedSentence(question)));
  }
}

/** Shows lookups under the links that were pasted. */
export function previews(parts: FeatureParts): Delivery['deliver'] {
  return async (lookup, known, attempt): Promise<Delivered> => {
    const status =
      known.kind === 'ready'
        ? { ...known, accepted: await parts.devices.acceptedFor(lookup.question, known) }
        : known;
    const { id, askedBy: user, question, destination } = lookup;
    const { link } = destination;
    const change = link && composing(() => changeFor(lookup, status, link));
    if (link !== undefined && status.kind !== 'ready' && status.kind !== 'waiting')
      await previewAgain(destination, link, parts);
    if (link === undefined || change === undefined) return { destination, isShown: true };
    const urgency = status.kind === 'waiting' ? 'progress' : 'final';
    const unfurled = { ...destination, link: { ...link, isUnfurled: true } } as const;
    // A process that stood still must not put progress over the result.
    const confirm = async () => (urgency === 'progress' ? attempt.confirm() : undefined);
    try {
      await parts.poster.unfurl({ ...targetOf(destination, link), ...change }, urgency, confirm);
    } catch (error) {
      return notTaken(error, { ...lookup, destination: unfurled }, urgency, parts);
    }
    const { channel } = destination;
    if (status.kind === 'ready')
      parts.audit({ event: 'previewed', lookup: id, user, channel, snapshot: question.snapshotId });
    return { destination: unfurled, isShown: true };
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

/** Whether that was all, or the next step shows it. Throws the error if the same step is to be taken again. */
function notTaken(
  error: unknown,
  { id: lookup, destination, deadline }: Lookup,
  urgency: Urgency,
  { logger, now }: FeatureParts,
): Delivered {
  // Slack may have shown it all the same, so that it may have to go away.
  if (!isRefused(error) && urgency === 'progress') return { destination, isShown: false };
  if (!isRefused(error) && now() <= deadline) throw error;
  logger.info({ err: error, lookup }, 'Slack did not take a preview');
  // The message was deleted, or holds another link now.
  return { destination, isShown: true, isOver: true };
}

function targetOf({ channel }: Destination, { messageTs, unfurlId }: PastedLink) {
  return unfurlId === undefined
    ? { channel, ts: messageTs }
    : { unfurl_id: unfurlId, source: 'conversations_history' as const };
}
