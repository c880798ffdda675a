import type { types } from '@slack/bolt';
import { z } from 'zod';
import { inOrder, type Question } from '../../../core/lookup.ts';
import { utcText } from '../../../core/time.ts';
import type { Reminder } from '../../../lookups/queue.ts';
import { type ChangeCounts, COMPARE_LAST_ACTION, changeWords } from '../../answer/since.ts';
import { LOOK_UP_ACTION } from '../../answer/usage-message.ts';
import { readCarried, viewValue } from '../../blocks/action-values.ts';
import type { Message } from '../../blocks/blocks.ts';
import { actions, button, dayAndTime, notice, richText, words } from '../../blocks/blocks.ts';

/** Takes a reminder back, on its confirmation. */
export const CANCEL_REMINDER_ACTION = 'cancel-reminder';

/** The result of the same device that came first, and what changed until then, if that is known. */
export type Fulfilment = { readonly question: Question; readonly changes?: ChangeCounts };
type Due = Pick<Reminder, 'destination' | 'question'> & {
  readonly fulfilledBy?: Fulfilment;
  /** Whether the person watches the snapshot: then its own news is told without a reminder. */
  readonly isWatched: boolean;
};

/** The reply at the time of a reminder, or at a new result of its device: it mentions who asked for it. */
export function dueReminderMessage({
  destination: { user },
  question,
  fulfilledBy,
  isWatched,
}: Due): Message {
  const [sentence, follow] =
    fulfilledBy === undefined ? due(question, isWatched) : newer(question, fulfilledBy);
  return {
    text: `<@${user}> ${sentence}`,
    blocks: [richText([{ type: 'user', user_id: user }, words(` ${sentence}`)]), actions([follow])],
  };
}

function due({ snapshotId }: Question, isWatched: boolean): [sentence: string, follow: types.Button] {
  const check = `It’s time to check snapshot ${snapshotId} again, as you asked.`;
  const watched = isWatched ? ' (You watch it, so I tell you of its own changes anyway.)' : '';
  return [
    `${check} Is there a new snapshot of the device?${watched}`,
    button('Look up a new snapshot', LOOK_UP_ACTION),
  ];
}

/** It does not say who read the newer snapshot, or where. */
function newer({ snapshotId }: Question, by: Fulfilment): [sentence: string, follow: types.Button] {
  const newerId = by.question.snapshotId;
  const said = by.changes === undefined ? '' : `: ${changeWords(by.changes)} since snapshot ${snapshotId}`;
  const both = inOrder({ snapshotId, set: 'hit' }, { snapshotId: newerId, set: 'hit' });
  return [
    `There is a newer snapshot of the same device, ${newerId}${said}.`,
    button('Compare', COMPARE_LAST_ACTION, viewValue(both)),
  ];
}

/** For the eyes of who has just set a reminder. `hasDevice`: whether a new result can be told from others. */
export function reminderSetMessage(reminder: Reminder, hasDevice: boolean): Message {
  const { at, destination, question } = reminder;
  const how =
    destination.messageTs === undefined
      ? `I’ll send you a direct message about snapshot ${question.snapshotId}`
      : `I’ll mention you in the thread of snapshot ${question.snapshotId} (or send a direct message, where I can’t post there)`;
  const earlier = hasDevice ? ' then, or as soon as somebody looks up a newer snapshot of this device' : '';
  const [begin, end] = ['Reminder set for', `: ${how}${earlier}.`];
  return {
    text: `${begin} ${utcText(at)}${end}`,
    blocks: [richText([dayAndTime(at, begin), words(end)]), actions([cancelButton(reminder)])],
  };
}

/** What came of "Cancel the reminder"; `cancelled` is absent where it was over already. */
export function reminderCancelledMessage(cancelled: Reminder | undefined): Message {
  return notice(
    cancelled === undefined
      ? 'That snapshot reminder is already over: there is nothing to cancel.'
      : `The reminder for snapshot ${cancelled.question.snapshotId} was cancelled.`,
  );
}

const carried = z.object({ id: z.string(), list: z.string() });

export function cancelButton({ id, list }: Reminder): types.Button {
  const value = JSON.stringify({ id, list } satisfies z.infer<typeof carried>);
  return button('Cancel the reminder', CANCEL_REMINDER_ACTION, value);
}

/** Which reminder "Cancel the reminder" takes back. Throws `UnreadableValue` for another value. */
export function readReminder(value: string | undefined): z.infer<typeof carried> {
  return readCarried(carried, value);
}
