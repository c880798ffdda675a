import type { types } from '@slack/bolt';
import { inOrder, type Question } from '../../core/lookup.ts';
import { utcText } from '../../core/utc-text.ts';
import type { Fulfilment, OpenReminder } from '../../lookups/open-reminder.ts';
import type { Reminder } from '../../lookups/reminder.ts';
import { reminderValue, viewValue } from '../block-kit/action-values.ts';
import {
  actions,
  button,
  type Message,
  moment,
  type RichElement,
  richText,
  words,
} from '../block-kit/blocks.ts';
import { COMPARE_LAST_ACTION, changeWords } from './parts/last-read-line.ts';

/** Opens the form for the id of a new snapshot. */
export const LOOK_UP_NEW_ACTION = 'look-up-new';
/** Takes a reminder back, on its confirmation. */
export const CANCEL_REMINDER_ACTION = 'cancel-reminder';

/** The reply at the time of a reminder, or at a new result of its device: it mentions who asked for it. */
export function dueReminderMessage({ destination, question, fulfilledBy }: OpenReminder): Message {
  const { user } = destination;
  const sentence = fulfilledBy === undefined ? dueSentence(question) : newSentence(question, fulfilledBy);
  const follow =
    fulfilledBy === undefined
      ? button('Look up a new snapshot', LOOK_UP_NEW_ACTION)
      : button('Compare', COMPARE_LAST_ACTION, comparisonValue(question, fulfilledBy));
  return {
    text: `<@${user}> ${sentence}`,
    blocks: [richText([{ type: 'user', user_id: user }, words(` ${sentence}`)]), actions([follow])],
  };
}

function dueSentence({ snapshotId }: Question): string {
  return `It’s time to check snapshot ${snapshotId} again, as you asked. Is there a new snapshot of the device?`;
}

/** It does not say who read the newer snapshot, or where. */
function newSentence({ snapshotId }: Question, { question, changes }: Fulfilment): string {
  const said = changes === undefined ? '' : `: ${changeWords(changes)} since snapshot ${snapshotId}`;
  return `There is a newer snapshot of the same device, ${question.snapshotId}${said}.`;
}

function comparisonValue({ snapshotId }: Question, { question }: Fulfilment): string {
  return viewValue(inOrder({ snapshotId, set: 'hit' }, { snapshotId: question.snapshotId, set: 'hit' }));
}

/** For the eyes of who has just set a reminder. `hasDevice`: whether a new result can be told from others. */
export function reminderSetMessage(reminder: Reminder, hasDevice: boolean): Message {
  const earlier = hasDevice ? ', or as soon as a newer snapshot of this device is read' : '';
  const [begin, end] = ['Reminder set for ', `: ${promiseOf(reminder)}${earlier}.`];
  return {
    text: `${begin}${utcText(reminder.at)}${end}`,
    blocks: [
      richText([words(begin), moment(reminder.at), words(end)]),
      actions([cancelReminderButton(reminder)]),
    ],
  };
}

/** For whoever wanted a reminder that was not set, and why. */
export function reminderNotSet({ snapshotId }: Question, why: string): { readonly text: string } {
  return { text: `No reminder was set for snapshot ${snapshotId}. ${why}` };
}

/** What came of "Cancel the reminder"; `cancelled` is absent where it was over already. */
export function reminderCancelledMessage(cancelled: Reminder | undefined): Message {
  const sentence =
    cancelled === undefined
      ? 'That snapshot reminder is already over: there is nothing to cancel.'
      : `The reminder for snapshot ${cancelled.question.snapshotId} was cancelled.`;
  return { text: sentence, blocks: [richText([words(sentence)])] };
}

function promiseOf({ destination: { messageTs }, question: { snapshotId } }: Reminder): string {
  return messageTs === undefined
    ? `I’ll send you a direct message about snapshot ${snapshotId}`
    : `I’ll mention you in the thread of snapshot ${snapshotId}`;
}

/** Takes the reminder back, for who set it. */
export function cancelReminderButton(reminder: Reminder): types.Button {
  return button('Cancel the reminder', CANCEL_REMINDER_ACTION, reminderValue(reminder));
}

/** `You have a reminder: tomorrow 12:20. A new one takes its place.` */
export function reminderLine({ at }: Reminder): RichElement[] {
  return [words('You have a reminder: '), moment(at), words('. A new one takes its place.')];
}
