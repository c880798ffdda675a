import { checkBlocks } from '../content.ts';
import { isRecord, type Json, record, records, string } from '../json.ts';
import type { Unfurl } from '../model.ts';
import { pagingFaults } from '../paging.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import type { UnfurlTarget } from '../unfurls.ts';

const BY = 'chat.unfurl';
const ENTITY_TYPE = /^slack#\/entities\/(?:task|file|item|incident|content_item)$/;
const MOST_PRIMARY_ACTIONS = 2;

/** What a call changes: by link, what stands under it from now on. Slack documents nothing that removes it. */
type Changes = ReadonlyMap<string, Unfurl>;

/** chat.unfurl */
export function unfurl(args: Json, context: Context): Json {
  const changes = changesOf(args, context);
  const target = targetOf(args, context);
  for (const url of changes.keys()) {
    if (!target.urls.includes(url))
      throw new Refusal('cannot_unfurl_url', `${BY}: ${url} is not a link of the event`);
  }
  const { message } = target;
  if (message === undefined) {
    const draft = context.unfurls.draftOf(target.user);
    for (const [url, shown] of changes) draft.set(url, shown);
    return {};
  }
  const found = context.workspace.find(message.channel, message.ts);
  if (found === undefined || found.deleted) throw Refusal.ofTheWorld('cannot_unfurl_message');
  const present = context.unfurls.linksIn(found.text).map(({ url }) => url);
  // Somebody has edited the message since the event.
  if ([...changes.keys()].some((url) => !present.includes(url)))
    throw Refusal.ofTheWorld('cannot_unfurl_url');
  context.workspace.unfurl(found, changes);
  return {};
}

function targetOf(args: Json, context: Context): UnfurlTarget {
  const { unfurl_id, source, channel, ts } = args;
  if (unfurl_id !== undefined) {
    const target = context.unfurls.target(string(unfurl_id));
    if (target === undefined || target.source !== source)
      throw new Refusal('invalid_unfurl_id', `${BY}: no ${String(source)} with the id ${String(unfurl_id)}`);
    return target;
  }
  const known = context.workspace.channelById(string(channel));
  if (known === undefined) throw new Refusal('cannot_find_channel', `${BY}: no channel ${String(channel)}`);
  if (known.kind !== 'public' && !known.members.has(TEAM.botUser))
    throw Refusal.ofTheWorld('cannot_find_channel');
  const message = context.workspace.find(known.id, string(ts));
  if (message === undefined) throw new Refusal('message_not_found', `${BY}: no message ${String(ts)}`);
  if (message.deleted) throw Refusal.ofTheWorld('message_not_found');
  const urls = context.unfurls.linksIn(message.text).map(({ url }) => url);
  return { source: 'conversations_history', message, user: message.user, urls };
}

function changesOf({ unfurls, metadata }: Json, context: Context): Changes {
  const entities = records(record(metadata).entities);
  if (entities.length === 0 && (!isRecord(unfurls) || Object.keys(unfurls).length === 0))
    throw new Refusal('missing_unfurls', `${BY}: neither unfurls nor entities`);
  if (entities.length > 0 && !context.unfurls.hasWorkObjects) throw Refusal.ofTheWorld('feature_not_enabled');
  return new Map([
    ...Object.entries(record(unfurls)).map(
      ([url, shown]) => [url, previewOf(record(shown), context)] as const,
    ),
    ...entities.map((entity) => [string(entity.app_unfurl_url), entityOf(entity, BY)] as const),
  ]);
}

/** A preview of blocks. */
function previewOf(shown: Json, context: Context): Unfurl {
  const blocks = checkBlocks(shown.blocks, BY);
  if (blocks.length === 0) throw new Refusal('invalid_blocks', `${BY}: a preview without blocks`);
  const isUser = (id: string) => context.workspace.users.some((user) => user.id === id);
  for (const fault of pagingFaults(string(shown.fallback), blocks, isUser))
    context.journal.breach(`${BY}: ${fault}`);
  return { blocks };
}

/** Checks a Work Object; gives what a message shows of it. */
function entityOf(entity: Json, by: string): Unfurl {
  const payload = record(entity.entity_payload);
  const actions = records(record(payload.actions).primary_actions);
  const fields = records(payload.custom_fields);
  const problems = [
    ENTITY_TYPE.test(string(entity.entity_type)) ? '' : 'entity_type',
    string(record(entity.external_ref).id) === '' ? 'external_ref.id' : '',
    URL.canParse(string(entity.url)) ? '' : 'url',
    string(record(record(payload.attributes).title).text) === '' ? 'entity_payload.attributes.title' : '',
    fields.every(({ key, label, type, value }) => key && label && type && value !== '')
      ? ''
      : 'custom_fields',
    actions.every(({ text, action_id }) => text && action_id) ? '' : 'actions.primary_actions',
    actions.length > MOST_PRIMARY_ACTIONS ? 'more than two primary actions' : '',
  ].filter((problem) => problem !== '');
  if (problems.length > 0) throw new Refusal('invalid_metadata', `${by}: ${problems.join(', ')}`);
  return { blocks: [], entity };
}

/** entity.presentDetails */
export function presentDetails({ trigger_id, metadata, error }: Json, context: Context): Json {
  const by = 'entity.presentDetails';
  if (!context.unfurls.hasWorkObjects) throw Refusal.ofTheWorld('feature_not_enabled');
  const { user, viewId: asked } = context.triggers.exchange(string(trigger_id));
  if (metadata === undefined && error === undefined)
    throw new Refusal('invalid_metadata', `${by}: neither metadata nor an error`);
  if (metadata !== undefined) {
    entityOf(record(metadata), by);
    if (string(record(record(metadata).external_ref).id) !== asked)
      throw new Refusal('entity_metadata_does_not_match_trigger', `${by}: not ${String(asked)}`);
  }
  context.unfurls.panels.set(user, record(metadata ?? error));
  context.journal.tell({ type: 'view', change: 'updated', user });
  return {};
}
