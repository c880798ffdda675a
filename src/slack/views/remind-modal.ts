import type { types } from '@slack/bolt';
import type { Reminder } from '../../lookups/reminder.ts';
import { MOST_REMINDER_DAYS } from '../../lookups/reminders.ts';
import { cancelReminderButton, reminderLine } from '../answer/reminder-message.ts';
import { actions, plain, richText, smallPrint } from '../block-kit/blocks.ts';
import { modal } from '../block-kit/modal.ts';

export const REMIND_VIEW = 'remind';
/** The inputs: each alone in a block of the same name. */
export const WHEN_INPUT = 'remind-when';
export const DATE_INPUT = 'remind-date';

/** After how many days, by what is chosen. */
export const DAYS = { day: 1, week: 7 } as const;

/** What the modal says of a date that is no good. */
export const DATE_IS_OVER = '9:00 on that day has already passed: choose a later day.';
export const DATE_IS_TOO_FAR = `Choose a day within the next ${MOST_REMINDER_DAYS} days.`;
export const TOO_MANY_REMINDERS = 'Too many people already have a reminder for this device.';

const ABOUT = 'If a newer snapshot of this device is read before then, I’ll tell you at once what changed.';
const HINT = 'At 9:00 your time. Leave it empty to use the choice above.';

/** Asks when somebody wants to be reminded; `existing` is the reminder that they have. */
export function remindModal(existing: Reminder | undefined): types.ModalView {
  return modal({ title: 'Remind me', callbackId: REMIND_VIEW, submit: 'Remind me' }, [
    ...(existing === undefined
      ? []
      : [richText(reminderLine(existing)), actions([cancelReminderButton(existing)])]),
    when(),
    date(),
    smallPrint(ABOUT),
  ]);
}

function when(): types.InputBlock {
  const day = { text: plain('In a day'), value: 'day' };
  const week = { text: plain('In a week'), value: 'week' };
  return {
    type: 'input',
    block_id: WHEN_INPUT,
    label: plain('When to check again'),
    element: { type: 'radio_buttons', action_id: WHEN_INPUT, options: [day, week], initial_option: day },
  };
}

function date(): types.InputBlock {
  return {
    type: 'input',
    block_id: DATE_INPUT,
    optional: true,
    label: plain('Or on a date'),
    hint: plain(HINT),
    element: { type: 'datepicker', action_id: DATE_INPUT },
  };
}
