import { z } from 'zod';
import { userId } from '../blocks/action-values.ts';
import { destinationOfView } from '../blocks/modal.ts';
import type { Actor, Delivery, EntryPoint } from './delivery.ts';
import { read } from './delivery.ts';
import { readEvent } from './read-event.ts';

const text = z.string().optional();
const command = z.object({
  command: z.string(),
  user_id: userId,
  channel_id: z.string(),
  team_id: text,
  trigger_id: z.string(),
  response_url: z.string().default(''),
});
const filledIn = z.object({ selected_conversation: text, selected_user: userId.optional() });
/** What all deliveries hold in which somebody uses something of the bot. */
const interaction = z.object({
  type: z.enum(['block_actions', 'view_submission', 'shortcut', 'message_action']),
  user: z.object({ id: userId, team_id: text }),
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }).optional(),
  container: z
    .object({ channel_id: text, message_ts: text, thread_ts: text, is_app_unfurl: z.boolean().optional() })
    .optional(),
  message: z.object({ ts: text, thread_ts: text }).optional(),
  actions: z.array(z.object({ action_id: z.string() })).default([]),
  view: z
    .object({
      id: z.string(),
      type: z.string(),
      callback_id: text,
      private_metadata: z.string().default(''),
      state: z.object({ values: z.record(z.string(), z.record(z.string(), filledIn)) }).optional(),
    })
    .optional(),
  callback_id: text,
  response_url: z.string().default(''),
  response_urls: z.array(z.object({ channel_id: z.string() })).default([]),
});
type Interaction = z.infer<typeof interaction>;

/**
 * Reads who sends a delivery, from where, and what it is. Leaves out of its body all that is null, which any optional
 * field of Slack's may be, so that no reader has to know of it. Throws `NotADelivery`.
 */
export function readDelivery(body: unknown): Delivery {
  dropNulls(body);
  const isObject = typeof body === 'object' && body !== null;
  if (isObject && 'command' in body) return readCommand(body);
  if (isObject && 'type' in body && body.type === 'event_callback') return readEvent(body);
  const done = read(interaction, body, 'interaction');
  const { type: kind, actions, view, callback_id: id, trigger_id: triggerId } = done;
  const name = actions[0]?.action_id ?? view?.callback_id ?? id ?? '';
  return { kind, actor: actorOf(done), name, triggerId };
}

function readCommand(body: unknown): Delivery {
  const typed = read(command, body, 'command');
  const actor: Actor = {
    entryPoint: { kind: 'command', responseUrl: typed.response_url },
    user: typed.user_id,
    team: typed.team_id,
    channels: [typed.channel_id],
  };
  return { kind: 'command', actor, name: typed.command, triggerId: typed.trigger_id };
}

function actorOf(done: Interaction): Actor {
  const { type, channel, container, view, response_urls, user } = done;
  const values = Object.values(view?.state?.values ?? {}).flatMap((block) => Object.values(block));
  const opened = destinationOfView(view)?.channel;
  const named = [
    ...[channel?.id, container?.channel_id, opened],
    ...response_urls.map(({ channel_id }) => channel_id),
    ...values.map((value) => value.selected_conversation),
  ];
  const isOwnMessage = type === 'block_actions' && container?.is_app_unfurl !== true;
  const usedIn = view === undefined && isOwnMessage ? channel?.id : opened;
  return {
    entryPoint: entryPointOf(done),
    user: user.id,
    // The `team` beside it is the workspace of the click.
    team: user.team_id,
    channels: [...new Set(named)].filter((each) => each !== undefined),
    ...(usedIn !== undefined && { usedIn }),
  };
}

function entryPointOf(done: Interaction): EntryPoint {
  const { type, view, response_url: responseUrl, container, trigger_id: triggerId } = done;
  if (type === 'shortcut') return { kind: type, triggerId };
  if (view === undefined) {
    const [isShortcut, isPreview] = [type === 'message_action', container?.is_app_unfurl === true];
    return { kind: 'message-click', responseUrl, threadTs: threadOf(done), isShortcut, isPreview };
  }
  if (type === 'view_submission') return { kind: 'submission', viewId: view.id };
  return view.type === 'home' ? { kind: 'home-click' } : { kind: 'modal-click', viewId: view.id };
}

/** The thread that a message is a reply in: the first message of a thread names it too, but stands in the channel. */
function threadOf({ container, message }: Interaction): string | undefined {
  const threadTs = container?.thread_ts ?? message?.thread_ts;
  return threadTs === (container?.message_ts ?? message?.ts) ? undefined : threadTs;
}

/** Not recursive: a body can be deeper than the stack. */
function dropNulls(body: unknown): void {
  const rest = [body];
  for (const each of rest) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, value] of Object.entries(each)) {
      if (value !== null) rest.push(value);
      else if (!Array.isArray(each)) Reflect.deleteProperty(each, key);
    }
  }
}
