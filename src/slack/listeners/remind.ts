import { randomUUID } from 'node:crypto';
import type { ButtonAction, types, ViewSubmitAction, webApi } from '@slack/bolt';
import { hostOf } from '../../core/device-identity.ts';
import { isFault } from '../../core/faults.ts';
import type { Reminder } from '../../lookups/reminder.ts';
import { MOST_REMINDER_DAYS } from '../../lookups/reminders.ts';
import { clickFaultNotice, faultNotice, processingNotice } from '../answer/fault-message.ts';
import {
  CANCEL_REMINDER_ACTION,
  LOOK_UP_NEW_ACTION,
  reminderCancelledMessage,
  reminderNotSet,
  reminderSetMessage,
} from '../answer/reminder-message.ts';
import { readReminder } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import { type MessageModal, readMessageModal } from '../block-kit/message-modal.ts';
import { type ButtonClick, originOf, orTellClicker, replaceClicked } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import { listenToForm } from '../front/form.ts';
import type { Listeners } from '../front/listeners.ts';
import { showIn, tellUnder } from '../front/message-modal.ts';
import { readAnswers } from '../front/reading.ts';
import { noticeModal } from '../views/details-modal.ts';
import { newSnapshotModal } from '../views/look-up-modal.ts';
import {
  DATE_INPUT,
  DATE_IS_OVER,
  DATE_IS_TOO_FAR,
  DAYS,
  REMIND_VIEW,
  remindModal,
  TOO_MANY_REMINDERS,
  WHEN_INPUT,
} from '../views/remind-modal.ts';

const MORNING = 'T09:00:00Z';

type Submitted = ViewSubmitAction['view'];

/** "Remind me to check again": set, taken back, and what its reply offers. */
export function listenToReminders(on: Listeners, context: ListenerContext): void {
  listenToForm(on, REMIND_VIEW, 'post', context, ({ view, body, client }) => {
    const opened = readMessageModal(view);
    const work = async () => {
      const said = await remind(view, opened, body.user.id, client, context);
      await tellUnder(opened, body.user.id, said, context);
    };
    return { work };
  });
  on.click<ButtonAction>(CANCEL_REMINDER_ACTION, { message: 'read', window: 'read' }, async (click) => {
    await click.ack();
    const { view, user } = click.body;
    const cancel = () => context.reminders.cancel(readReminder(click.action.value), user.id);
    if (view !== undefined) return cancelIn(view, cancel, click.client, context);
    await orTellClicker(click, context, async () =>
      replaceClicked(click, context, reminderCancelledMessage(await cancel())),
    );
  });
  on.click<ButtonAction>(LOOK_UP_NEW_ACTION, { message: 'ask' }, async (click) => {
    await click.ack();
    const view = newSnapshotModal(threadOf(click));
    await context.windows.show(click.client, click.body.trigger_id, view);
  });
}

/** The modal that asks when; it says so where the person has a reminder about that message already. */
export async function remindModalFor(
  opened: MessageModal,
  user: string,
  context: ListenerContext,
): Promise<types.ModalView> {
  try {
    const about = await aboutOf(opened, user, context);
    if (about === undefined) return noticeModal(processingNotice(opened.state));
    return remindModal(await context.reminders.find(about));
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a reminder could not be asked for');
    return noticeModal(clickFaultNotice(error, opened.state, context.operator).text);
  }
}

type About = Pick<Reminder, 'question' | 'readAt' | 'destination' | 'list' | 'host'> & {
  readonly hasDevice: boolean;
};

/** What somebody is reminded of, and where; undefined while the service processes the snapshot anew. */
async function aboutOf(
  { origin, state }: MessageModal,
  user: string,
  context: ListenerContext,
): Promise<About | undefined> {
  const answers = await readAnswers(state, context);
  if (answers === undefined) return undefined;
  const device = await context.history.nameOf(answers.result);
  const { question, madeAt: readAt } = state;
  const list = device ?? `snapshot-${question.snapshotId}`;
  const host = hostOf(answers.result.device);
  return { question, readAt, destination: { ...origin, user }, list, host, hasDevice: device !== undefined };
}

/** Sets the reminder; gives what to say to whoever wants it. */
async function remind(
  view: Submitted,
  opened: MessageModal,
  user: string,
  client: webApi.WebClient,
  context: ListenerContext,
): Promise<Partial<Message> & { readonly text: string }> {
  const notSet = (why: string) => reminderNotSet(opened.state.question, why);
  try {
    const at = await timeIn(view, user, client, context);
    if (typeof at === 'string') return notSet(at);
    const about = await aboutOf(opened, user, context);
    if (about === undefined) return notSet(processingNotice(opened.state));
    const { hasDevice, ...rest } = about;
    const reminder = { ...rest, id: randomUUID(), acceptedAt: context.now(), at };
    if (!(await context.reminders.set(reminder))) return notSet(TOO_MANY_REMINDERS);
    return reminderSetMessage(reminder, hasDevice);
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a reminder could not be set');
    return notSet(faultNotice(error, context.operator).text);
  }
}

/** The time that was chosen, in epoch milliseconds; or what is wrong with the date. */
async function timeIn(
  { state: { values } }: Submitted,
  user: string,
  client: webApi.WebClient,
  { reminders, now }: ListenerContext,
): Promise<number | string> {
  const date = values[DATE_INPUT]?.[DATE_INPUT]?.selected_date ?? '';
  const chosen = values[WHEN_INPUT]?.[WHEN_INPUT]?.selected_option?.value;
  if (date === '') return reminders.inDays(chosen === 'week' ? DAYS.week : DAYS.day);
  const at = await morningOf(date, user, client);
  if (at > reminders.inDays(MOST_REMINDER_DAYS)) return DATE_IS_TOO_FAR;
  return at > now() ? at : DATE_IS_OVER;
}

/** When it is 9:00 on that date where somebody is, in epoch milliseconds; 9:00 UTC if Slack does not tell the bot. */
async function morningOf(date: string, user: string, client: webApi.WebClient): Promise<number> {
  const morning = Date.parse(`${date}${MORNING}`);
  const answer = await client.users.info({ user }).catch(() => undefined);
  const { tz = '', tz_offset: seconds = 0 } = answer?.user ?? {};
  try {
    // The clocks of a zone change in the night, so that both times are on the same side of a change.
    return morning - aheadOfUtc(morning - aheadOfUtc(morning, tz), tz);
  } catch {
    // Slack names no zone, or one that is unknown here. Its offset is that of today.
    return morning - seconds * 1_000;
  }
}

/** How far the clocks of a zone are ahead of UTC at that time. Milliseconds. Throws `RangeError`. */
function aheadOfUtc(at: number, timeZone: string): number {
  return Date.parse(`${new Date(at).toLocaleString('sv-SE', { timeZone })}Z`) - at;
}

async function cancelIn(
  view: { readonly id: string; readonly private_metadata?: string },
  cancel: () => Promise<Reminder | undefined>,
  client: webApi.WebClient,
  context: ListenerContext,
): Promise<void> {
  const said = await cancel().then(reminderCancelledMessage, (error: unknown) => {
    if (!isFault(error)) throw error;
    return faultNotice(error, context.operator);
  });
  await showIn(client, view.id, readMessageModal(view), noticeModal(said.text), context);
}

/** The answer to a new id goes where the reminder stands. */
function threadOf(click: ButtonClick) {
  const { channel, threadTs } = originOf(click);
  return { channel, ...(threadTs === undefined ? {} : { threadTs, hasThread: true }) };
}
