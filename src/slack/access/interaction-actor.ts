import { z } from 'zod';
import { destinationOfView } from '../block-kit/modal-destination.ts';
import { readShape } from '../connection/deliveries.ts';
import { type Actor, DIRECT, type EntryPoint } from './actor.ts';

const chosen = z.object({ selected_conversation: z.string().optional() });
const view = z.object({
  id: z.string(),
  type: z.string(),
  private_metadata: z.string().default(''),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .default({ values: {} }),
});
const interaction = z.object({
  type: z.enum(['block_actions', 'message_action', 'shortcut', 'view_submission']),
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
  channel: z.object({ id: z.string() }).optional(),
  container: z
    .object({
      channel_id: z.string().optional(),
      message_ts: z.string().optional(),
      thread_ts: z.string().optional(),
    })
    .optional(),
  message: z
    .object({
      ts: z.string().optional(),
      thread_ts: z.string().optional(),
      blocks: z.array(z.looseObject({ block_id: z.string().optional() })).default([]),
    })
    .optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        block_id: z.string(),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).optional(),
      }),
    )
    .default([]),
  view: view.optional(),
  trigger_id: z.string().default(''),
  response_url: z.string().default(''),
  response_urls: z.array(z.object({ channel_id: z.string() })).default([]),
});
type Interaction = z.infer<typeof interaction>;

/** Reads the actor from what somebody does with what the bot has shown. Throws `NotADelivery`. */
export function actorOfInteraction(body: unknown): Actor {
  const done = readShape(interaction, body, 'delivery');
  return {
    entryPoint: entryPointOf(done),
    user: done.user.id,
    // The `team` beside it is the workspace of the click.
    team: done.user.team_id,
    channels: channelsOf(done),
    ...sentTo(done),
  };
}

function entryPointOf(done: Interaction): EntryPoint {
  if (done.type === 'view_submission') return { kind: 'submission', viewId: done.view?.id ?? '' };
  if (done.type === 'shortcut') return { kind: 'shortcut', triggerId: done.trigger_id };
  if (done.view === undefined) {
    const isShortcut = done.type === 'message_action';
    return { kind: 'message-click', responseUrl: done.response_url, threadTs: threadOf(done), isShortcut };
  }
  return done.view.type === 'home' ? { kind: 'home-click' } : { kind: 'modal-click', viewId: done.view.id };
}

/** The thread that a message is a reply in: the first message of a thread names it too, but stands in the channel. */
function threadOf({ container, message }: Interaction): string | undefined {
  const threadTs = container?.thread_ts ?? message?.thread_ts;
  return threadTs === (container?.message_ts ?? message?.ts) ? undefined : threadTs;
}

function channelsOf({ channel, container, view: shown, response_urls }: Interaction): string[] {
  const values = Object.values(shown?.state.values ?? {}).flatMap((block) => Object.values(block));
  const named = [
    channel?.id,
    container?.channel_id,
    destinationOfView(shown)?.channel,
    ...response_urls.map(({ channel_id }) => channel_id),
    ...values.map((value) => chosen.safeParse(value).data?.selected_conversation),
  ];
  return [...new Set(named)].filter((id) => typeof id === 'string');
}

/** What carries another value than the message that Slack sends with it was not sent so. */
function sentTo({ channel, message, actions: [used], view: shown }: Interaction): Pick<Actor, 'sentTo'> {
  const block = JSON.stringify(message?.blocks.find(({ block_id }) => block_id === used?.block_id) ?? '');
  const carried = [used?.action_id, used?.selected_option?.value ?? used?.value];
  const isInMessage =
    used !== undefined && carried.every((text) => text === undefined || block.includes(JSON.stringify(text)));
  const there = shown === undefined && isInMessage ? channel?.id : destinationOfView(shown)?.channel;
  return there !== undefined && DIRECT.test(there) ? { sentTo: there } : {};
}
