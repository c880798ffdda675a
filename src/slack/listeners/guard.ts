import type { AllMiddlewareArgs, AnyMiddlewareArgs, App, webApi } from '@slack/bolt';
import type { Refusal } from '../access/access.ts';
import { type Actor, actorOf, isClick } from '../access/actor.ts';
import { INERT } from '../block-kit/inert-text.ts';
import { mayBeARequest } from '../commands/mention-of-bot.ts';
import { MENU_ACTION } from '../messages/parts/result-menu.ts';
import { refusalMessage } from '../messages/refusal-message.ts';
import { slowDown } from '../messages/slow-down-message.ts';
import { ASK_AGAIN_ACTION } from '../messages/timed-out-message.ts';
import { noticeModal } from '../views/details-modal.ts';
import { homeNotice } from '../views/home-notice.ts';
import { isOfAppLife } from './app-life.ts';
import { isFirst, type ListenerContext } from './context.ts';
import { tellPrivately } from './request.ts';
import { updateView } from './update-view.ts';

/** Acknowledges a delivery, if it can carry an answer; events are acknowledged elsewhere. */
type Ack = (answer?: object) => Promise<void>;
type Answering = { readonly client: webApi.WebClient; readonly ack: Ack; readonly botUser: string };

/**
 * Runs before every listener: refuses people and conversations that may not use the bot, and tells them so privately.
 * Drops deliveries that no person caused.
 */
export function guard(app: App, context: ListenerContext): void {
  app.use(async (args) => {
    if (isForTheApp(args.body) || isOfAppLife(args.body)) return args.next();
    const actor = actorOf(args.body);
    const answering = answeringOf(args);
    if (actor === undefined) return answering.ack();
    const refusal = await refusalOf(actor, args.body, context);
    if (refusal === undefined) return serve(actor, args.next, context);
    if (refusal === 'bot' || refusal === 'replayed') return answering.ack();
    context.onDelivery(actor.entryPoint.kind, 'refused');
    context.logger.info({ refusal, entryPoint: actor.entryPoint.kind, user: actor.user }, 'refused');
    context.audit({ event: 'refused', user: actor.user, channel: actor.channels[0], outcome: refusal });
    await refuse(actor, refusal, answering, context).catch((error: unknown) =>
      context.logger.warn(
        { err: error, entryPoint: actor.entryPoint.kind },
        'the notice of a refusal could not be sent',
      ),
    );
  });
}

/** Why a delivery is refused: its sender may not, sends too many, or it was handled already. */
async function refusalOf(
  actor: Actor,
  body: AnyMiddlewareArgs['body'],
  context: ListenerContext,
): Promise<Refusal | 'too-many' | 'replayed' | undefined> {
  if (actor.isBot) return 'bot';
  // First of all checks, so that a flood costs neither requests to Slack nor the store.
  if (!context.fairShare.take(actor.user, costOf(actor, body))) return 'too-many';
  const refusal = await context.access.refusalOf(actor);
  if (refusal !== undefined || !isClick(actor) || !('trigger_id' in body)) return refusal;
  // If the store is away, the click goes on, and its listener says what is wrong.
  const isNew = await isFirst(context, `click:${body.trigger_id}`).catch(() => true);
  return isNew ? undefined : 'replayed';
}

/** Clicks that cost as much as a command, because they ask the service or make files; paging costs little. */
const LIKE_A_COMMAND = [MENU_ACTION, ASK_AGAIN_ACTION];
const SMALL_COST = 0.25;

function costOf(actor: Actor, body: AnyMiddlewareArgs['body']): number {
  if (actor.entryPoint.kind === 'home-opened') return SMALL_COST;
  if (!isClick(actor)) return 1;
  const actions = 'actions' in body && Array.isArray(body.actions) ? body.actions : [];
  return actions.some(({ action_id }) => LIKE_A_COMMAND.includes(action_id)) ? 1 : SMALL_COST;
}

async function serve(
  { entryPoint }: Actor,
  next: () => Promise<void>,
  { onDelivery }: ListenerContext,
): Promise<void> {
  try {
    await next();
    onDelivery(entryPoint.kind, 'served');
  } catch (error) {
    onDelivery(entryPoint.kind, 'failed');
    throw error;
  }
}

/** Events for the app itself, which no person causes. */
const FOR_THE_APP = ['subteam_members_changed'];

function isForTheApp(body: AnyMiddlewareArgs['body']): boolean {
  return 'event' in body && FOR_THE_APP.includes(body.event.type);
}

function answeringOf(args: AnyMiddlewareArgs & AllMiddlewareArgs): Answering {
  const ack = 'ack' in args && typeof args.ack === 'function' ? (args.ack as Ack) : async () => {};
  return { client: args.client, ack, botUser: args.context.botUserId ?? '' };
}

async function refuse(
  actor: Actor,
  refusal: Exclude<Refusal, 'bot'> | 'too-many',
  { client, ack, botUser }: Answering,
  context: ListenerContext,
): Promise<void> {
  const message = refusal === 'too-many' ? slowDown : refusalMessage(refusal, context.operator.contact);
  const { entryPoint, user } = actor;
  if (entryPoint.kind === 'command') return ack({ response_type: 'ephemeral', ...message });
  if (entryPoint.kind === 'submission') {
    return ack({ response_action: 'update', view: noticeModal(message.text) });
  }
  await ack();
  // Not every refusal is told to somebody who tries 200 times.
  if (!context.fairShare.shouldTell(user)) return;
  switch (entryPoint.kind) {
    case 'message-click':
      await context.responses.tell(entryPoint, message);
      return;
    case 'modal-click':
      await updateView(client, entryPoint.viewId, noticeModal(message.text));
      return;
    case 'shortcut':
      await client.views.open({ trigger_id: entryPoint.triggerId, view: noticeModal(message.text) });
      return;
    case 'home-opened':
    case 'home-click':
      await client.views.publish({ user_id: user, view: homeNotice(message) });
      return;
    case 'mention':
      // A mention that asks for nothing needs no refusal.
      if (!mayBeARequest(entryPoint.text, botUser)) return;
      return tellPrivately(client, { ...entryPoint, channel: actor.channels[0] ?? '', user }, message);
    case 'direct-message':
      await client.chat.postMessage({ channel: actor.channels[0] ?? user, ...message, ...INERT });
      return;
    default:
      return entryPoint satisfies never;
  }
}
