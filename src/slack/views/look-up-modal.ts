import type { types } from '@slack/bolt';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { MOST_TOGETHER } from '../../core/lookup.ts';
import { searchInput } from '../answer/result-window.ts';
import { plain, smallPrint } from '../block-kit/blocks.ts';
import { LIMITS } from '../block-kit/limits.ts';
import { type ModalDestination, modal, withDestination } from '../block-kit/modal.ts';

/** The modal's callback id. */
export const LOOK_UP_MODAL = 'look-up';
/** The inputs; each is alone in a block with the same id. */
export const ID_INPUT = 'id';
export const FILTER_INPUT = 'filter';
export const WHERE_INPUT = 'where';

/** The choice that is made before anybody chooses. */
export const EVERYTHING = 'all';
/** The choices of what to show, with the words of the command for them. */
export const FILTERS = [
  { label: 'All hits', words: EVERYTHING },
  { label: 'Only the critical hits', words: 'critical' },
  { label: 'Only the critical and high hits', words: 'critical high' },
  { label: 'Only the hits with CVEs', words: 'cve' },
  { label: 'Only the checks that passed', words: 'miss' },
] as const;

/** Asks which of the snapshots that a message names is meant; without one, for the id. The answer goes to `destination`. */
export function chooseModal(ids: readonly SnapshotId[], destination: ModalDestination): types.ModalView {
  const none = 'This message names no snapshot id.';
  const blocks =
    ids.length === 0
      ? [smallPrint(none), typedId()]
      : [input(ID_INPUT, 'Which snapshot?', select(ID_INPUT, [...allOf(ids), ...ids.map(optionOfId)]))];
  const where = smallPrint('The answer appears in the thread of the message.');
  return withDestination(asking([...blocks, filter(), searchInput(), where]), destination);
}

/** Asks for the id of a new snapshot of the same device. The answer goes to `destination`. */
export function newSnapshotModal(destination: ModalDestination): types.ModalView {
  const where = smallPrint('The answer appears here and says what changed.');
  return withDestination(asking([typedId(), where]), destination);
}

/** Asks for the snapshot, what to show of it, and where to answer. */
export function lookUpModal(): types.ModalView {
  return asking([typedId(), filter(), searchInput(), where()]);
}

function asking(blocks: types.KnownBlock[]): types.ModalView {
  return modal({ title: 'Look up a snapshot', callbackId: LOOK_UP_MODAL, submit: 'Look up' }, blocks);
}

function typedId(): types.InputBlock {
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    action_id: ID_INPUT,
    placeholder: plain('26808463, a link to it, or up to 8 of them'),
    max_length: 500,
    focus_on_load: true,
  };
  return input(ID_INPUT, 'Snapshot id', element);
}

function filter(): types.InputBlock {
  const options = FILTERS.map(({ label, words }) => ({ text: plain(label), value: words }));
  return input(FILTER_INPUT, 'What to show', select(FILTER_INPUT, options, options[0]));
}

function where(): types.InputBlock {
  const element: types.ConversationsSelect = {
    type: 'conversations_select',
    action_id: WHERE_INPUT,
    default_to_current_conversation: true,
    // Makes Slack add a response URL, with which the bot can answer where it is not a member.
    response_url_enabled: true,
    placeholder: plain('A direct message to you'),
  };
  const hint = plain('Leave it empty to get the answer as a direct message.');
  return { ...input(WHERE_INPUT, 'Where to answer', element), optional: true, hint };
}

function input(name: string, label: string, element: types.InputBlock['element']): types.InputBlock {
  return { type: 'input', block_id: name, label: plain(label), element };
}

function select(
  action_id: string,
  options: types.PlainTextOption[],
  initial?: types.PlainTextOption,
): types.StaticSelect {
  const first = initial === undefined ? {} : { initial_option: initial };
  return { type: 'static_select', action_id, options, ...first };
}

/** All of them side by side, as far as one answer and one option hold them. */
function allOf(ids: readonly SnapshotId[]): types.PlainTextOption[] {
  const value = ids.join(' ');
  if (ids.length < 2 || ids.length > MOST_TOGETHER || value.length > LIMITS.optionText) return [];
  return [
    { text: plain(ids.length === 2 ? 'Both, side by side' : `All ${ids.length}, side by side`), value },
  ];
}

function optionOfId(id: SnapshotId): types.PlainTextOption {
  return { text: plain(id), value: id };
}
