import type { MessageShortcut, SlackShortcutMiddlewareArgs, webApi } from '@slack/bolt';
import { LOOK_UP_ACTION } from '../../answer/usage-message.ts';
import { findIds } from '../../commands/sentences.ts';
import { responseUrl } from '../../delivery/response-url.ts';
import { type EntryPoint, take } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { isFirstAsFarAsKnown } from '../../front/once.ts';
import { chooseModal, lookUpModal } from '../../views/look-up-modal.ts';

/** The callback ids of the manifest. */
const DIAGNOSE_SHORTCUT = 'diagnose-snapshot';
const LOOK_UP_SHORTCUT = 'look-up-snapshot';

type Diagnose = SlackShortcutMiddlewareArgs<MessageShortcut> & { readonly client: webApi.WebClient };

/** "Diagnose snapshot" in the menu of a message, and the global shortcut, which phones offer everywhere. */
export function listenToShortcuts(on: Listeners, context: ListenerContext): void {
  on.messageShortcut(DIAGNOSE_SHORTCUT, (args) => diagnose(args, context));
  on.shortcut(LOOK_UP_SHORTCUT, async ({ ack, body, client }) => {
    await ack();
    if (!(await isFirstAsFarAsKnown(context, body.trigger_id))) return;
    await context.windows.at({ client, user: body.user.id, triggerId: body.trigger_id })(lookUpModal());
  });
  on.click(LOOK_UP_ACTION, { home: 'ask' }, async ({ body, client }) => {
    await context.windows.at({ client, user: body.user.id, triggerId: body.trigger_id })(lookUpModal());
  });
}

/**
 * A message with one snapshot starts its lookup; with several the person chooses, with none the person types the id.
 */
async function diagnose(args: Diagnose, context: ListenerContext): Promise<void> {
  const { shortcut, client, ack } = args;
  const { channel, user, trigger_id, response_url } = shortcut;
  const response = responseUrl(response_url, false, context.now());
  const [id, ...others] = findIds(shortcut.message);
  if (id === undefined || others.length > 0) {
    const ids = id === undefined ? [] : [id, ...others];
    const { url, expiresAt } = response;
    const destination = { channel: channel.id, ...threadOf(args), response: { url, expiresAt } };
    await ack();
    if (!(await isFirstAsFarAsKnown(context, trigger_id))) return;
    await context.windows.at({ client, user: user.id, triggerId: trigger_id })(chooseModal(ids, destination));
    return;
  }
  const where = { responseUrl: response_url, threadTs: shortcut.message.thread_ts };
  const entry: EntryPoint = {
    deliveryId: trigger_id,
    destination: { channel: channel.id, user: user.id, ...threadOf(args), response },
    acknowledge: ack,
    tell: (message) => context.responses.tell(where, message),
    fail: async (notice) => {
      await ack();
      await context.responses.tell(where, notice);
    },
  };
  await take({ question: { snapshotId: id, set: 'all' } }, entry, context);
}

/** The answer goes to the thread of the message, or begins one. */
function threadOf({ shortcut: { message, message_ts } }: Diagnose) {
  const { thread_ts: threadTs } = message;
  return threadTs === undefined ? { threadTs: message_ts } : { threadTs, hasThread: true };
}
