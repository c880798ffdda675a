import type { MessageShortcut, SlackShortcutMiddlewareArgs, webApi } from '@slack/bolt';
import type { Destination } from '../../../core/lookup.ts';
import { withSearch } from '../../../core/lookup.ts';
import { readSearchInput, SEARCH_INPUT } from '../../answer/result-window.ts';
import { LOOK_UP_ACTION } from '../../answer/usage-message.ts';
import { OTHERS_ARE_FOR } from '../../answer/view-message.ts';
import { destinationOfView } from '../../block-kit/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { findIds } from '../../commands/sentences.ts';
import type { ParsedCommand } from '../../commands/subcommand.ts';
import { responseUrl } from '../../delivery/response-url-poster.ts';
import { type EntryPoint, take } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';
import { listenToForm, type Submission } from '../../front/form.ts';
import type { Listeners } from '../../front/listeners.ts';
import { isFirstAsFarAsKnown } from '../../front/once.ts';
import {
  chooseModal,
  EVERYTHING,
  FILTER_INPUT,
  ID_INPUT,
  LOOK_UP_MODAL,
  lookUpModal,
  WHERE_INPUT,
} from '../../views/look-up-modal.ts';
import { NO_STATUS_HERE } from './dispatch.ts';

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

const NOT_HERE = 'To read a result in private, leave “Where to answer” empty instead of typing “me”.';
const NO_WATCH_HERE = `Type only the id here. To watch its snapshot, choose “${OTHERS_ARE_FOR}” behind ⋯ of the result.`;
const NOT_THERE =
  'You can’t post there. Choose a conversation that you’re in, or leave this empty for a direct message.';
const NOT_IN_TWO = 'A comparison can’t be searched: leave this empty, or type one id.';

/** The modal that asks for a snapshot was submitted. */
export function listenToLookUps(on: Listeners, context: ListenerContext): void {
  listenToForm(on, LOOK_UP_MODAL, 'ask', context, (submission) => {
    const { view } = submission;
    const destination = destinationFor(submission, context);
    if (destination === undefined) return { errors: { [WHERE_INPUT]: NOT_THERE } };
    const parsed = parseCommand(`${filledIn(view, ID_INPUT)} ${toShow(view)}`);
    const problem = problemOf(parsed);
    if (problem !== undefined) return { errors: { [ID_INPUT]: problem } };
    const { kind: _kind, isForMe: _here, ...asked } = parsed as Extract<ParsedCommand, { kind: 'lookup' }>;
    const read = readSearchInput(view.state.values, asked);
    if ('errors' in read) return read;
    if (read.search.length === 0) return { asked, destination, input: ID_INPUT };
    if (asked.before !== undefined) return { errors: { [SEARCH_INPUT]: NOT_IN_TWO } };
    return { asked: withSearch(asked, read.search), destination, input: ID_INPUT };
  });
}

/** Why a text can't be answered as a lookup for others to see; undefined if it can. */
function problemOf(parsed: ParsedCommand): string | undefined {
  if (parsed.kind === 'usage') return parsed.problem ?? 'The id is missing.';
  if (parsed.kind === 'lookup') return parsed.isForMe ? NOT_HERE : undefined;
  return parsed.kind === 'status' ? NO_STATUS_HERE : NO_WATCH_HERE;
}

/**
 * The destination: where the modal was opened, else the conversation chosen in it, else a direct message. Undefined for
 * a conversation without a response URL: the person may not post there, so the bot does not either.
 */
function destinationFor({ body, view }: Submission, { now }: ListenerContext): Destination | undefined {
  const user = body.user.id;
  const opened = destinationOfView(view);
  if (opened !== undefined) {
    const { channel, threadTs, hasThread, response } = opened;
    return {
      channel,
      user,
      ...(threadTs === undefined ? {} : { threadTs }),
      ...(hasThread === undefined ? {} : { hasThread }),
      ...(response === undefined ? {} : { response: { ...response, replaces: false } }),
    };
  }
  const channel = filledIn(view, WHERE_INPUT);
  const chosen = body.response_urls?.find(({ channel_id }) => channel_id === channel);
  if (channel === '') return { channel: user, user };
  if (chosen === undefined) return undefined;
  return { channel, user, response: responseUrl(chosen.response_url, false, now()) };
}

/** What to show. What the form holds before anybody chooses says nothing against words beside the id. */
function toShow(view: Submission['view']): string {
  const filter = filledIn(view, FILTER_INPUT);
  return filter === EVERYTHING ? '' : filter;
}

/** The value of an input; '' if it is empty. */
function filledIn({ state }: Submission['view'], name: string): string {
  const given = state.values[name]?.[name];
  return given?.value ?? given?.selected_option?.value ?? given?.selected_conversation ?? '';
}
