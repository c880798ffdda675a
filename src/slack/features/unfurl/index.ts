import type { Question } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import type { Delivered, Delivery } from '../../../lookups/step.ts';
import { readView, viewValue } from '../../blocks/action-values.ts';
import * as ui from '../../blocks/blocks.ts';
import { inert, shorten } from '../../blocks/limits.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts, ListenerContext } from '../../front/context.ts';
import type { Received, SnapshotLink } from '../../front/delivery.ts';
import type { Event, Feature } from '../../front/listeners.ts';
import { openAlone } from '../../front/windows.ts';
import { summaryOf } from '../../report/body.ts';
import { reportBody } from '../../report/report.ts';
import { titleOf } from '../../report/words.ts';

const SHOW_REPORT_ACTION = 'preview-show';
const READ_PRIVATELY_ACTION = 'preview-browse';
const LONGEST_TITLE = 100;

type LinkShared = Event<'link_shared'>['event'];

/** Shows the device and the number of hits below a pasted link to a snapshot. */
export function unfurl(parts: FeatureParts): Feature {
  return {
    preview: previews(parts),
    listen: (on, context) => {
      if (parts.unfurl)
        on.event('link_shared', async ({ event, context: bolt }) => {
          const received: Received = bolt.received;
          // Each link counts as a command. The guard counted the first; links beyond the person's limit are dropped.
          const isPaid = (_link: SnapshotLink, index: number) =>
            index === 0 || context.fairShare.take(event.user, 1);
          const links = (received.actor?.links ?? []).filter(isPaid);
          await Promise.all(links.map((link) => acceptLink(event, link, context)));
        });
      // Posts the report as if this person had asked for it.
      on.asking(SHOW_REPORT_ACTION, 'ask', (press) => press.ask(readView(press.value)));
      on.click(READ_PRIVATELY_ACTION, 'read', (press) =>
        openAlone(press, press.origin.channel, readView(press.value)),
      );
    },
  };
}

/** Stores the lookup of a link, before the event is acknowledged. */
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
    // Slack repeats the event with another id when the message is edited.
    delivery: `link:${channel}:${messageTs}:${snapshotId}`,
  } as const;
  await context.lookups.accept(request);
}

/** Shows results below pasted links, but not waits or failures, because nobody asked for a result. */
function previews(parts: FeatureParts): Delivery['deliver'] {
  return async (lookup, status): Promise<Delivered> => {
    const { id, askedBy: user, question, destination, deadline } = lookup;
    const { channel, link } = destination;
    const delivered = { destination, isShown: true };
    if (link === undefined || status.kind !== 'ready') return delivered;
    const { text, blocks } = previewMessage(question, await parts.devices.complete(lookup, status, false));
    const { messageTs: ts, unfurlId: unfurl_id } = link;
    const target = unfurl_id ? { unfurl_id, source: 'conversations_history' as const } : { channel, ts };
    try {
      // Slack finds the link by its exact pasted text. `fallback` is for notifications and screen readers.
      await parts.poster.unfurl({ ...target, unfurls: { [link.url]: { fallback: text, blocks } } });
    } catch (err) {
      if (!isRefused(err) && parts.now() <= deadline) throw err;
      // The message was deleted, or an edit removed the link.
      parts.logger.info({ err, lookup: id }, 'Slack did not take a preview');
      return delivered;
    }
    parts.audit({ event: 'previewed', lookup: id, user, channel, snapshot: question.snapshotId });
    return delivered;
  };
}

/**
 * The preview: device, counts and upgrade, like the first lines of a report. Everybody in the conversation sees it, so
 * it names no hit and no other snapshot of the device, and only counts accepted hits.
 */
function previewMessage(question: Question, { result, readAt, accepted = [] }: Answers): ui.Message {
  const title = shorten(titleOf({ question }, result), LONGEST_TITLE);
  const body = reportBody({ question }, { result, readAt, accepted });
  const value = viewValue({ question });
  return {
    text: inert(`${title}: ${summaryOf(body)}`),
    blocks: [
      ui.richText([ui.words(title, { bold: true })], ...body.lines),
      ui.actions([
        ui.button('Show report', SHOW_REPORT_ACTION, value),
        ui.button('Read privately', READ_PRIVATELY_ACTION, value),
      ]),
    ],
  };
}
