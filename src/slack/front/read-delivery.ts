import { z } from 'zod';
import { userId } from '../blocks/action-values.ts';
import { destinationOfView } from '../blocks/modal.ts';
import { type Actor, type Delivery, type DeliveryKind, read } from './delivery.ts';
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
/** What clicks, forms and shortcuts have in common. */
const interaction = z.object({
  type: z.enum(['block_actions', 'view_submission', 'shortcut', 'message_action']),
  user: z.object({ id: userId, team_id: text }),
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }).optional(),
  container: z
    .object({ channel_id: text, message_ts: text, thread_ts: text, is_app_unfurl: z.boolean().optional() })
    .default({}),
  message: z.object({ ts: text, thread_ts: text }).default({}),
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
type Used = z.infer<typeof interaction>;

/**
 * Reads who sends a delivery, from where, and what it is. Leaves out of its body all that is null, which any optional
 * field of Slack's may be, so that no reader has to know of it. Throws `NotADelivery`.
 */
export function readDelivery(body: unknown): Delivery {
  dropNulls(body);
  const isObject = typeof body === 'object' && body !== null;
  if (isObject && 'command' in body) return readCommand(body);
  if (isObject && 'type' in body && body.type === 'event_callback') return readEvent(body);
  const used = read(interaction, body, 'interaction');
  const name = used.actions[0]?.action_id ?? used.view?.callback_id ?? used.callback_id ?? '';
  return { type: used.type, name, actor: actorOf(used) };
}

function readCommand(body: unknown): Delivery {
  const typed = read(command, body, 'command');
  const actor: Actor = {
    kind: 'command',
    user: typed.user_id,
    team: typed.team_id,
    channels: [typed.channel_id],
    responseUrl: typed.response_url,
    triggerId: typed.trigger_id,
  };
  return { type: 'command', name: typed.command, actor };
}

function actorOf(used: Used): Actor {
  const { channel, container, message, view, user } = used;
  const kind = kindOf(used);
  const fields = Object.values(view?.state?.values ?? {}).flatMap((block) => Object.values(block));
  const opened = destinationOfView(view)?.channel;
  const named = [
    ...[channel?.id, container.channel_id, opened],
    ...used.response_urls.map(({ channel_id }) => channel_id),
    ...fields.map(({ selected_conversation }) => selected_conversation),
  ];
  // The first message of a thread names that thread too, though it stands in the conversation itself.
  const threadTs = container.thread_ts ?? message.thread_ts;
  const isReply = threadTs !== (container.message_ts ?? message.ts);
  return {
    kind,
    user: user.id,
    // The `team` beside it is the workspace of the click.
    team: user.team_id,
    channels: [...new Set(named)].filter((each) => each !== undefined),
    usedIn: kind === 'message-click' ? channel?.id : opened,
    threadTs: isReply ? threadTs : undefined,
    responseUrl: used.response_url,
    triggerId: used.trigger_id,
    viewId: view?.id,
  };
}

function kindOf({ type, view, container }: Used): DeliveryKind {
  if (type === 'shortcut') return 'shortcut';
  if (type === 'message_action') return 'message-shortcut';
  if (type === 'view_submission') return 'submission';
  if (view !== undefined) return view.type === 'home' ? 'home-click' : 'modal-click';
  return container.is_app_unfurl === true ? 'preview-click' : 'message-click';
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
