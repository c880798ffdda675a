import type { AllMiddlewareArgs, AnyMiddlewareArgs, App, webApi } from '@slack/bolt';
import type { Refusal } from '../access.ts';
import { type Actor, actorOf } from '../actor.ts';
import type { Message } from '../blocks.ts';
import { noticeModal } from '../messages/details-modal.ts';
import { homeNotice } from '../messages/home-notice.ts';
import { refusalMessage } from '../messages/refusal-message.ts';
import { parseMention } from '../parse-mention.ts';
import type { ListenerContext } from './context.ts';

/** How a delivery is acknowledged, where it can carry an answer; events are acknowledged by themselves. */
type Ack = (answer?: object) => Promise<void>;
type Answering = { readonly client: webApi.WebClient; readonly ack: Ack; readonly botUser: string };

/**
 * Stands before every listener: whoever may not use the bot, or not there, gets no further and is told so privately.
 * What nobody in particular asks gets no further either.
 */
export function guard(app: App, context: ListenerContext): void {
  app.use(async (args) => {
    const actor = actorOf(args.body);
    const refusal = actor === undefined ? undefined : await context.access.refusalOf(actor);
    if (actor !== undefined && refusal === undefined) return args.next();
    const answering = answeringOf(args);
    if (actor === undefined || refusal === undefined || refusal === 'bot') return answering.ack();
    context.logger.info({ refusal, entrance: actor.entrance.kind, user: actor.user }, 'refused');
    await refuse(actor, refusal, answering, context).catch((error: unknown) =>
      context.logger.warn({ err: error, entrance: actor.entrance.kind }, 'a refusal could not be told'),
    );
  });
}

function answeringOf(args: AnyMiddlewareArgs & AllMiddlewareArgs): Answering {
  const ack = 'ack' in args && typeof args.ack === 'function' ? (args.ack as Ack) : async () => {};
  return { client: args.client, ack, botUser: args.context.botUserId ?? '' };
}

async function refuse(
  actor: Actor,
  refusal: Exclude<Refusal, 'bot'>,
  { client, ack, botUser }: Answering,
  context: ListenerContext,
): Promise<void> {
  const message = refusalMessage(refusal);
  const { entrance, user } = actor;
  if (entrance.kind === 'command') return ack({ response_type: 'ephemeral', ...message });
  if (entrance.kind === 'submission') {
    return ack({ response_action: 'update', view: noticeModal(message.text) });
  }
  await ack();
  switch (entrance.kind) {
    case 'message-click':
      await context.responses.tell(entrance, message);
      return;
    case 'modal-click':
      await client.views.update({ view_id: entrance.viewId, view: noticeModal(message.text) });
      return;
    case 'shortcut':
      await client.views.open({ trigger_id: entrance.triggerId, view: noticeModal(message.text) });
      return;
    case 'home-opened':
    case 'home-click':
      await client.views.publish({ user_id: user, view: homeNotice(message) });
      return;
    case 'mention':
      // Who only speaks of the bot is not told that it would not answer.
      if (parseMention(entrance.text, botUser).kind === 'quiet') return;
      return tellPrivately(client, actor, message, entrance.threadTs);
    case 'direct-message':
      await client.chat.postMessage({ channel: actor.channels[0] ?? user, ...message });
      return;
    default:
      return entrance satisfies never;
  }
}

async function tellPrivately(
  client: webApi.WebClient,
  { channels: [channel = ''], user }: Actor,
  message: Message,
  threadTs: string | undefined,
): Promise<void> {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await client.chat.postEphemeral({ channel, user, ...message, ...thread });
}
