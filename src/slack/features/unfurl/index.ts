import type { SlackEventMiddlewareArgs, webApi } from '@slack/bolt';
import { isSnapshotId, type SnapshotId } from '../../../core/diagnostics.ts';
import type { Question } from '../../../core/lookup.ts';
import { faultNotice } from '../../answer/notices.ts';
import { readView } from '../../blocks/action-values.ts';
import { readLink } from '../../commands/ids.ts';
import { isOfSlack } from '../../delivery/slack-errors.ts';
import { accept } from '../../front/accept.ts';
import type { FeatureParts, ListenerContext } from '../../front/context.ts';
import type { EntryPoint, SnapshotLink } from '../../front/delivery.ts';
import type { Feature } from '../../front/feature.ts';
import type { Received } from '../../front/front.ts';
import { withAnswers } from '../../front/reading.ts';
import { openAlone } from '../../front/show-result.ts';
import { once, onFirstPress } from '../../front/turns.ts';
import type { Use } from '../../front/use.ts';
import { BROWSE_ACTION, detailsEntity, SHOW_HITS_ACTION, unfurlOf } from './preview.ts';
import { placeOf, previews } from './previews.ts';

type LinkShared = SlackEventMiddlewareArgs<'link_shared'>['event'];
type DetailsRequested = SlackEventMiddlewareArgs<'entity_details_requested'>['event'];

/** For how long a link that stands in a thread again is not previewed again. */
const PREVIEWED_MS = 10 * 60_000;

/** Says under a pasted link which device its snapshot is of, and how bad it is. */
export function unfurl(parts: FeatureParts): Feature {
  const { unfurl: manner } = parts;
  return {
    preview: previews(parts),
    listen: (on, context) => {
      if (manner === 'no') on.ignore('link_shared');
      else
        on.event('link_shared', async ({ event, context: { received } }) => {
          const { links, isDraft } = pastedIn(received);
          if (isDraft) await previewInComposer(event, links, parts, context);
          else
            await Promise.all(
              withinShare(event, links, context).map((link) => acceptLink(event, link, context)),
            );
        });
      if (manner === 'work-object')
        on.event('entity_details_requested', ({ event, client }) => presentDetails(event, client, context));
      else on.ignore('entity_details_requested');
      on.asking(SHOW_HITS_ACTION, { preview: 'ask' }, showHits);
      on.click(BROWSE_ACTION, { preview: 'read' }, (use) =>
        openAlone(use, use.origin.channel, readView(use.value)),
      );
    },
  };
}

/** Each link counts as a command. The front has counted one; of the others, the first that the share is enough for. */
function withinShare({ user }: LinkShared, links: readonly SnapshotLink[], { fairShare }: ListenerContext) {
  return links.filter((_link, index) => index === 0 || fairShare.take(user, 1));
}

/** What the front has read of the event, which lets no other one through. */
function pastedIn({ delivery }: Received): Extract<EntryPoint, { kind: 'link' }> {
  const entryPoint = delivery.actor?.entryPoint;
  return entryPoint?.kind === 'link' ? entryPoint : { kind: 'link', links: [], isDraft: false };
}

function questionOf(snapshotId: SnapshotId): Question {
  return { snapshotId, set: 'all' };
}

/** Stores the lookup of a link, before Slack is told that the event has arrived. */
async function acceptLink(
  { channel, user, message_ts: messageTs, thread_ts: threadTs, unfurl_id: unfurlId }: LinkShared,
  { url, snapshotId }: SnapshotLink,
  context: ListenerContext,
): Promise<void> {
  const link = { url, messageTs, ...(threadTs && { threadTs }), ...(unfurlId && { unfurlId }) };
  const destination = { channel, user, link };
  const request = {
    question: questionOf(snapshotId),
    askedBy: user,
    mayBeCached: true as const,
    destination,
  };
  await once(context, placeOf({ channel }, link), () => context.lookups.accept(request), PREVIEWED_MS);
}

/** While somebody writes, nothing is asked of the service: a preview shows what was read for others. */
async function previewInComposer(
  { user, unfurl_id }: LinkShared,
  links: readonly SnapshotLink[],
  { poster, unfurl: manner, audit }: FeatureParts,
  { lookups, logger, acceptances }: ListenerContext,
): Promise<void> {
  const found = await Promise.all(
    links.map(async ({ url, snapshotId }) => {
      const question = questionOf(snapshotId);
      const read = await lookups.cached(question);
      return read === undefined
        ? []
        : [{ url, question, known: await acceptances.complete({ question }, read) }];
    }),
  );
  const results = found.flat();
  if (results.length === 0 || unfurl_id === undefined) return;
  try {
    await poster.unfurl({ unfurl_id, source: 'composer', ...unfurlOf(results, manner) }, 'final');
    for (const { question } of results) audit({ event: 'previewed', user, snapshot: question.snapshotId });
  } catch (error) {
    if (!isOfSlack(error)) throw error;
    // The message may be posted by now, or given up.
    logger.info({ err: error }, 'Slack did not take a preview of a message that is being written');
  }
}

/** Shows the first hits in the side panel of a Work Object, to the one who opened it. */
async function presentDetails(
  { user, channel, trigger_id, external_ref, entity_url, app_unfurl_url: url = entity_url }: DetailsRequested,
  client: webApi.WebClient,
  context: ListenerContext,
): Promise<void> {
  const [snapshotId] = [external_ref?.id, ...readLink(url, context.serviceHosts).ids].filter(isId);
  if (snapshotId === undefined) return;
  const view = { question: questionOf(snapshotId) };
  context.audit({ event: 'browsed', user, channel, snapshot: snapshotId });
  const shown = await withAnswers<Omit<webApi.EntityPresentDetailsArguments, 'trigger_id'>>(
    view,
    context,
    (answers) => ({ metadata: detailsEntity(url, view.question, answers) }),
    (why) => ({ error: { status: 'custom', custom_title: `Snapshot ${snapshotId}`, custom_message: why } }),
    'cached',
    faultNotice,
  );
  await client.entity.presentDetails({ trigger_id, ...shown });
}

function isId(text: string | undefined): text is SnapshotId {
  return text !== undefined && isSnapshotId(text);
}

/** The usual result, as if this person had asked here: in the thread of the message. */
async function showHits(use: Use, acknowledge: () => Promise<void>): Promise<void> {
  const { user, value, context, triggerId: deliveryId } = use;
  const { channel, threadTs, messageTs = '' } = use.origin;
  const thread = threadTs === undefined ? { threadTs: messageTs } : { threadTs, hasThread: true };
  const destination = { channel, user, ...thread, response: { ...use.response, replaces: false } };
  const press = [user, channel, messageTs, value];
  await onFirstPress(context, press, () =>
    accept(readView(value), { deliveryId, destination, acknowledge }, context),
  );
}
