import type {
  App,
  BlockAction,
  GlobalShortcut,
  MessageShortcut,
  SlackShortcutMiddlewareArgs,
  webApi,
} from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Message } from '../block-kit/blocks.ts';
import { findIds } from '../commands/find-ids.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { LOOK_UP_ACTION } from '../views/home-view.ts';
import { chooseModal, lookUpModal } from '../views/look-up-modal.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, pointerTo } from './request.ts';

/** As the manifest calls them. */
const DIAGNOSE_SHORTCUT = 'diagnose-snapshot';
const LOOK_UP_SHORTCUT = 'look-up-snapshot';

type Diagnose = SlackShortcutMiddlewareArgs<MessageShortcut> & { readonly client: webApi.WebClient };

/** "Diagnose snapshot" in the menu of a message, and the global shortcut, which phones offer everywhere. */
export function listenToShortcuts(app: App, context: ListenerContext): void {
  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: DIAGNOSE_SHORTCUT }, async (args) => {
    const { responses, logger, operator } = context;
    try {
      const pointer = await diagnose(args, context);
      await args.ack();
      if (pointer !== undefined) await responses.tell(whereOf(args), await pointer());
    } catch (error) {
      await args.ack();
      if (!isFault(error)) throw error;
      logger.error({ err: error }, 'a shortcut could not be served');
      await responses.tell(whereOf(args), faultNotice(error, operator));
    }
  });
  app.shortcut<GlobalShortcut>(
    { type: 'shortcut', callback_id: LOOK_UP_SHORTCUT },
    async ({ ack, body, client }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: lookUpModal() });
    },
  );
  app.action<BlockAction>(LOOK_UP_ACTION, async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: lookUpModal() });
  });
}

function whereOf({ shortcut: { message, response_url } }: Diagnose) {
  return { responseUrl: response_url, threadTs: message.thread_ts };
}

/** The answer goes to the thread of the message, or begins one. */
function threadOf({ shortcut: { message, message_ts } }: Diagnose) {
  const { thread_ts: threadTs } = message;
  return threadTs === undefined ? { threadTs: message_ts } : { threadTs, hasThread: true };
}

/**
 * One snapshot starts at once; of several, the person chooses one; where there is none, the person can type it. Gives
 * what to say when the same is being waited for there.
 */
async function diagnose(
  args: Diagnose,
  context: ListenerContext,
): Promise<(() => Promise<Message>) | undefined> {
  const { shortcut, client } = args;
  const { channel, user, trigger_id } = shortcut;
  const response = responseUrl(shortcut.response_url, false, context.now());
  const [id, ...others] = findIds(shortcut.message);
  if (id === undefined || others.length > 0) {
    const ids = id === undefined ? [] : [id, ...others];
    const destination = {
      channel: channel.id,
      ...threadOf(args),
      response: { url: response.url, expiresAt: response.expiresAt },
    };
    await client.views.open({ trigger_id, view: chooseModal(ids, destination) });
    return undefined;
  }
  const destination = { channel: channel.id, user: user.id, ...threadOf(args), response };
  const request = { question: { snapshotId: id, set: 'all' as const }, destination };
  const waiting = await once(context, trigger_id, () => acceptOrJoin(request, context));
  return waiting && (() => pointerTo(request, waiting, client));
}
