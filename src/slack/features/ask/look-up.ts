import type { GlobalShortcut, types } from '@slack/bolt';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { type Destination, MOST_TOGETHER, responseUrl } from '../../../core/lookup.ts';
import { plain, smallPrint } from '../../blocks/blocks.ts';
import { inert, LIMITS } from '../../blocks/limits.ts';
import {
  destinationOfView,
  input,
  type ModalDestination,
  modal,
  withDestination,
} from '../../blocks/modal.ts';
import { type ParsedCommand, parseCommand } from '../../commands/parse-command.ts';
import type { FormOutcome } from '../../front/accept.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Listeners } from '../../front/listeners.ts';
import { windowAt } from '../../front/windows.ts';
import { LOOK_UP_ACTION, NO_STATUS_HERE } from '../../report/help.ts';

/** The callback id of the manifest. */
const LOOK_UP_SHORTCUT = 'look-up-snapshot';
/** The modal's callback id. */
const LOOK_UP_MODAL = 'look-up';
/** The inputs; each is alone in a block with the same id. */
const ID_INPUT = 'id';
const FILTER_INPUT = 'filter';
const WHERE_INPUT = 'where';

/** What is chosen at first. */
const EVERYTHING = 'all';
/** The choices of what to show, with the words of the command for them. */
const FILTERS = [
  { label: 'All hits', words: EVERYTHING },
  { label: 'Only the critical hits', words: 'critical' },
  { label: 'Only the critical and high hits', words: 'critical high' },
  { label: 'Only the hits with CVEs', words: 'cve' },
  { label: 'Only the checks that passed', words: 'miss' },
] as const;

const NOT_HERE = 'To read a result in private, leave “Where to answer” empty instead of typing “me”.';
const NO_WATCH_HERE =
  'Type only the id here. To follow its snapshot, choose “Follow…” behind ⋯ of the result.';
const NOT_THERE =
  'You can’t post there. Choose a conversation that you’re in, or leave this empty for a direct message.';
/** The form that asks for a snapshot: the global shortcut, which phones offer everywhere, and buttons open it. */
export function listenToLookUps(on: Listeners): void {
  on.shortcut<GlobalShortcut>('shortcut', LOOK_UP_SHORTCUT, async ({ ack, body, client }) => {
    await ack();
    await windowAt({ client, triggerId: body.trigger_id })(lookUpModal());
  });
  on.click(LOOK_UP_ACTION, { home: 'ask', message: 'ask' }, (press) => {
    const show = windowAt(press);
    if (press.place !== 'message') return show(lookUpModal());
    // A message with this button asks for a new snapshot of its device: the answer goes where it stands.
    const { channel, threadTs } = press.origin;
    return show(newSnapshotModal({ channel, ...(threadTs && { threadTs, hasThread: true }) }));
  });
  on.form(LOOK_UP_MODAL, 'ask', submitted);
}

/** A lookup for others to see, or what is wrong with a field. */
function submitted(press: Interaction): FormOutcome {
  const destination = destinationFor(press);
  if (destination === undefined) return { errors: { [WHERE_INPUT]: NOT_THERE } };
  const filter = press.field(FILTER_INPUT);
  const { search = '' } = destinationOfView(press.body.view) ?? {};
  // What is chosen at first says nothing against words beside the id.
  const typed = [press.field(ID_INPUT), search, filter === EVERYTHING ? '' : filter];
  const parsed = parseCommand(typed.join(' '), press.context.serviceHosts);
  if (parsed.kind !== 'lookup' || parsed.isForMe) return { errors: { [ID_INPUT]: problemOf(parsed) } };
  const { kind: _kind, isForMe: _here, ...asked } = parsed;
  return { asked, destination, input: ID_INPUT };
}

function problemOf(parsed: ParsedCommand): string {
  if (parsed.kind === 'usage') return parsed.problem ?? 'The id is missing.';
  if (parsed.kind === 'lookup') return NOT_HERE;
  return parsed.kind === 'status' ? NO_STATUS_HERE : NO_WATCH_HERE;
}

/**
 * The destination: where the modal was opened, else the conversation chosen in it, else a direct message. Undefined for
 * a conversation without a response URL: the person may not post there, so the bot does not either.
 */
function destinationFor(press: Interaction): Destination | undefined {
  const { user, body, context } = press;
  const opened = destinationOfView(body.view);
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

/** Asks which of the snapshots that a message names is meant; without one, for the id. The answer goes to `destination`. */
export function chooseModal(ids: readonly SnapshotId[], destination: ModalDestination): types.ModalView {
  const { search = '' } = destination;
  const option = (label: string, value: string) => ({ text: plain(label), value });
  const all = ids.join(' ');
  const isTogether = ids.length > 1 && ids.length <= MOST_TOGETHER && all.length <= LIMITS.optionText;
  const both = ids.length === 2 ? 'Both, side by side' : `All ${ids.length}, side by side`;
  const each = ids.slice(0, MOST_CHOICES).map((id) => option(id, id));
  const options = [...(isTogether ? [option(both, all)] : []), ...each];
  const blocks =
    ids.length === 0
      ? [smallPrint('This message names no snapshot id.'), typedId()]
      : [input(ID_INPUT, 'Which snapshot?', { type: 'static_select', options })];
  const about = search === '' ? '' : ` It is about ${inert(search)}.`;
  const where = smallPrint(`The answer appears in the thread of the message.${about}`);
  return withDestination(asking([...blocks, filterInput(), where]), destination);
}

const MOST_CHOICES = 20;

/** Asks for the id of a new snapshot of the same device. The answer goes to `destination`. */
function newSnapshotModal(destination: ModalDestination): types.ModalView {
  const where = smallPrint('The answer appears here and says what changed.');
  return withDestination(asking([typedId(), where]), destination);
}

/** Asks for the snapshot, what to show of it, and where to answer. */
function lookUpModal(): types.ModalView {
  const element: types.ConversationsSelect = {
    type: 'conversations_select',
    default_to_current_conversation: true,
    // Makes Slack add a response URL, with which the bot can answer where it is not a member.
    response_url_enabled: true,
    placeholder: plain('A direct message to you'),
  };
  const where = input(WHERE_INPUT, 'Where to answer', element, { isOptional: true });
  return asking([typedId(), filterInput(), where]);
}

function asking(blocks: types.KnownBlock[]): types.ModalView {
  return modal({ title: 'Look up a snapshot', callbackId: LOOK_UP_MODAL, submit: 'Look up' }, blocks);
}

function typedId(): types.InputBlock {
  const placeholder = plain('26808463, or up to 8 of them');
  const element = { type: 'plain_text_input', placeholder, max_length: 500, focus_on_load: true } as const;
  return input(ID_INPUT, 'Id or link', element, {
    hint: 'Beside it a CVE, an article, or words to search for.',
  });
}

function filterInput(): types.InputBlock {
  const options = FILTERS.map(({ label, words }) => ({ text: plain(label), value: words }));
  const [initial] = options;
  return input(FILTER_INPUT, 'What to show', {
    ...{ type: 'static_select', options },
    ...(initial && { initial_option: initial }),
  });
}
