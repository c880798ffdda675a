import type { GlobalShortcut, types } from '@slack/bolt';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { type Destination, responseUrl } from '../../../core/lookup.ts';
import { ACTION } from '../../blocks/action-values.ts';
import * as ui from '../../blocks/blocks.ts';
import { inert, LIMITS } from '../../blocks/limits.ts';
import { input, modal, type Opened, openedFrom } from '../../blocks/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { FormOutcome, Listeners } from '../../front/listeners.ts';
import { windowAt } from '../../front/windows.ts';
import { joined } from '../../report/words.ts';

/** The callback id in the manifest. */
const LOOK_UP_SHORTCUT = 'look-up-snapshot';
const LOOK_UP_MODAL = 'look-up';
/** The ids of the inputs; each is also the id of its block. */
const ID_INPUT = 'id';
const WHERE_INPUT = 'where';

const MOST_CHOICES = 20;

const NO_ID = 'Type an id or a link to a snapshot; add only words to search for.';
const NOT_THERE =
  'You can’t post there. Choose a conversation that you’re in, or leave this empty for a direct message.';

/** The form that asks for a snapshot id. Buttons and a global shortcut open it; the shortcut also works on phones. */
export function listenToLookUps(on: Listeners, context: ListenerContext): void {
  on.shortcut<GlobalShortcut>('shortcut', LOOK_UP_SHORTCUT, async ({ body }) => {
    await windowAt({ context, triggerId: body.trigger_id })(lookUpModal(TYPED_ID, CHOSEN_PLACE));
  });
  on.click(ACTION.lookUp, 'ask', (press) => {
    if (press.place !== 'message') return windowAt(press)(lookUpModal(TYPED_ID, CHOSEN_PLACE));
    // For a button in a message, the answer is posted in the conversation or thread of that message.
    const { channel, threadTs } = press.origin;
    const thread = threadTs && { threadTs, hasThread: true };
    const opened: Opened = { channel, ...thread, response: press.response };
    const where = ui.smallPrint(
      `The answer appears in this ${threadTs === undefined ? 'conversation' : 'thread'}.`,
    );
    return windowAt(press, JSON.stringify(opened))(lookUpModal(TYPED_ID, where));
  });
  on.form(LOOK_UP_MODAL, 'ask', submitted);
}

/** The lookup that the form asks for, or what is wrong with a field. */
function submitted(press: Interaction): FormOutcome {
  const destination = destinationFor(press);
  if (destination === undefined) return { errors: { [WHERE_INPUT]: NOT_THERE } };
  const { search = '' } = openedFrom(press.body.view) ?? {};
  const parsed = parseCommand(`${press.field(ID_INPUT)} ${search}`, press.context.serviceHosts);
  if (parsed.kind !== 'lookup' || parsed.isForMe) {
    const problem = parsed.kind === 'usage' ? parsed.problem : undefined;
    return { errors: { [ID_INPUT]: problem ?? NO_ID } };
  }
  const { kind: _kind, isForMe: _here, ...asked } = parsed;
  return { asked, destination };
}

/**
 * The destination of the answer: where the form was opened, else the chosen conversation, else a direct message.
 * Undefined if Slack gave no response URL for the conversation, because the person may not post there.
 */
function destinationFor(press: Interaction): Destination | undefined {
  const { user, body, context } = press;
  const opened = openedFrom(body.view);
  if (opened !== undefined) {
    const { channel, threadTs, hasThread, response } = opened;
    const thread = { ...(threadTs && { threadTs }), ...(hasThread && { hasThread }) };
    return { channel, user, ...thread, ...(response && { response: { ...response, replaces: false } }) };
  }
  const channel = press.field(WHERE_INPUT);
  if (channel === '') return { channel: user, user };
  const chosen = body.response_urls?.find(({ channel_id }) => channel_id === channel);
  return chosen && { channel, user, response: responseUrl(chosen.response_url, false, context.now()) };
}

/**
 * Asks which snapshot of a message is meant, or for an id if the message contains none. `search`: the terms that the
 * message contains.
 */
export function chooseModal(ids: readonly SnapshotId[], search: string): types.ModalView {
  const all = ids.join(' ');
  const label = ids.length === 2 ? 'Both, side by side' : `All ${ids.length}, side by side`;
  const together = all.length <= LIMITS.optionText && ui.option({ label, value: all });
  const each = ids.slice(0, MOST_CHOICES).map((id) => ui.option({ label: id, value: id }));
  const select = { type: 'static_select', options: ui.present(together, ...each) } as const;
  const none = ids.length === 0 && 'This message names no snapshot id.';
  const about = search !== '' && `It is about ${inert(search)}.`;
  const where = joined(' ', none, 'The answer appears in the thread of the message.', about);
  const id = ids.length === 0 ? TYPED_ID : input(ID_INPUT, 'Which snapshot?', select);
  return lookUpModal(id, ui.smallPrint(where));
}

function lookUpModal(id: types.InputBlock, where: types.KnownBlock): types.ModalView {
  const frame = { title: 'Look up a snapshot', callbackId: LOOK_UP_MODAL, submit: 'Look up' };
  return modal(frame, [id, where]);
}

const TYPED_ID = input(
  ID_INPUT,
  'Id or link',
  {
    type: 'plain_text_input',
    placeholder: ui.plain('26808463, or up to 8 of them'),
    ...{ max_length: 500, focus_on_load: true },
  },
  { hint: 'You can add “critical”, a CVE, an article, or words to search for.' },
);

const CHOSEN_PLACE = input(
  WHERE_INPUT,
  'Where to answer',
  {
    type: 'conversations_select',
    default_to_current_conversation: true,
    // Makes Slack add a response URL, by which the bot can answer where it is not a member.
    response_url_enabled: true,
    placeholder: ui.plain('A direct message to you'),
  },
  { isOptional: true },
);
