import { type Json, records } from '../json.ts';
import { messageJson, withIds } from '../message-json.ts';
import type { Delivery, OpenView, StoredMessage, User, VisibleMessage } from '../model.ts';
import type { Context } from '../setup.ts';
import { viewJson } from '../views.ts';
import { channelOf, interaction, userNamed } from './base.ts';
import { actionOf, type Found, findElement, stateOf, stateOfAll } from './elements.ts';

/** A press of a button, a menu or another element of a message, a modal or a Home tab. */
export type ClickInput = {
  readonly actionId: string;
  /** Chooses between elements with the same action id, or an option of a menu. */
  readonly value?: string;
  /** An id or a name; Ana unless given. */
  readonly user?: string;
} & (
  | { readonly message: VisibleMessage /** The link under which it stands. */; readonly link?: string }
  | { readonly view: OpenView }
);

/** Uses an element as a person would. */
export function click(context: Context, input: ClickInput): Promise<Delivery> {
  return 'message' in input
    ? clickMessage(context, input, seenMessage(context, userNamed(context, input.user), input.message))
    : clickView(context, input, input.view);
}

type MessageClick = Extract<ClickInput, { readonly message: VisibleMessage }>;

function clickMessage(context: Context, input: MessageClick, message: StoredMessage): Promise<Delivery> {
  const user = userNamed(context, input.user);
  const { channel, ts } = message;
  const threadTs = context.workspace.threadOf(message);
  const common = {
    ...interaction(context, 'block_actions', user),
    trigger_id: context.triggers.issue(user.id),
    channel: channelOf(context, message),
  };
  const origin = { kind: 'action', channel, user: user.id } as const;
  const container = {
    message_ts: ts,
    channel_id: channel,
    is_ephemeral: message.onlyFor !== undefined,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  };
  const { link } = input;
  const shown = link === undefined ? message : message.unfurls.get(link);
  if (shown === undefined) throw new Error(`There is nothing under ${link}`);
  const blocks = withIds(shown.blocks);
  const found = findElement(blocks, input.actionId, input.value);
  const actions = [actionOf(found, input.value, context.workspace.nextTs())];
  if (link !== undefined) {
    const unfurl = { is_app_unfurl: true, app_unfurl_url: link };
    return context.sender.deliver('interaction', {
      ...common,
      container: { type: 'message_attachment', attachment_id: 1, ...container, ...unfurl },
      // For a click on a preview, Slack sends the preview and not the message, which is by another author.
      app_unfurl: { id: 1, blocks, ...unfurl },
      // The response URL can post an answer, but can't replace the preview.
      response_url: context.responseUrls.issue(origin),
      actions,
    });
  }
  return context.sender.deliver('interaction', {
    ...common,
    container: { type: 'message', ...container },
    // Slack omits an ephemeral message from the payload, so the app can't read its content.
    ...(message.onlyFor === undefined
      ? { message: messageJson(message, context.workspace.user(message.user)) }
      : {}),
    state: { values: withChoice(stateOfAll(blocks), found, input.value) },
    response_url: context.responseUrls.issue({ ...origin, message }),
    actions,
  });
}

/** The stored message that a person sees; throws if the person no longer sees it. */
export function seenMessage(context: Context, user: User, shown: VisibleMessage): StoredMessage {
  const channel = context.workspace.channelById(shown.channel);
  const sees = channel && context.workspace.seenBy(user.id, channel).some(({ ts }) => ts === shown.ts);
  const message = context.workspace.find(shown.channel, shown.ts);
  if (!sees || !message)
    throw new Error(`${user.name} does not see the message ${shown.ts} in ${shown.channel}`);
  return message;
}

async function clickView(context: Context, input: ClickInput, shown: OpenView): Promise<Delivery> {
  const user = userNamed(context, input.user ?? shown.user);
  const current = openView(context, shown);
  if (current.user !== user.id) throw new Error(`${user.name} does not see the view ${shown.id}`);
  const blocks = withIds(records(current.view.blocks));
  const found = findElement(blocks, input.actionId, input.value);
  const values = withChoice({ ...stateOfAll(blocks), ...current.values }, found, input.value);
  const open = context.views.note(current, { values });
  return context.sender.deliver('interaction', {
    ...interaction(context, 'block_actions', user),
    container: { type: 'view', view_id: open.id },
    trigger_id: context.triggers.issue(user.id, open.view.type === 'modal' ? open.id : undefined),
    view: viewJson(open),
    actions: [actionOf(found, input.value, context.workspace.nextTs())],
  });
}

/** The present state of a view; throws if it was closed. */
export function openView(context: Context, shown: OpenView): OpenView {
  const current = [...context.views.of(shown.user), context.views.home(shown.user)].find(
    (view) => view?.id === shown.id,
  );
  if (!current) throw new Error(`The view ${shown.id} is not open any more`);
  return current;
}

type State = Record<string, Record<string, Json>>;

function withChoice(state: State, found: Found, value: string | undefined): State {
  const chosen = value === undefined ? undefined : stateOf(found.element, value);
  if (!chosen) return state;
  const block = String(found.block.block_id);
  return { ...state, [block]: { ...state[block], [String(found.element.action_id)]: chosen } };
}
