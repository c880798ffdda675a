import { randomUUID } from 'node:crypto';
import type { types, webApi } from '@slack/bolt';
import { hostOf } from '../../../core/diagnostics.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import type { Reminder } from '../../../lookups/queue.ts';
import { faultNotice } from '../../answer/notices.ts';
import { actions, dayAndTime, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { input, modal, noticeModal, radios } from '../../blocks/modal.ts';
import type { Said } from '../../delivery/response-url-poster.ts';
import type { FeatureParts, Watching } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import type { Use } from '../../front/use.ts';
import {
  CANCEL_REMINDER_ACTION,
  cancelButton,
  readReminder,
  reminderCancelledMessage,
  reminderSetMessage,
} from './messages.ts';
import { Reminders } from './reminders.ts';

const REMIND_VIEW = 'remind';
/** The inputs: each alone in a block of the same name, that of the date with the zone of the person behind it. */
const WHEN_INPUT = 'remind-when';
const DATE_INPUT = 'remind-date';
const WHEN = {
  hour: 'In an hour',
  tomorrow: 'Tomorrow at 9:00',
  week: 'In a week at 9:00',
};
/** How far ahead a reminder can be set. */
const MOST_DAYS = 90;
const MORNING = 'T09:00:00Z';
const DAY_MS = 24 * 3_600_000;

/** Why no reminder was set, for whoever wanted it. */
const IS_OVER = '9:00 on that day has already passed: choose a later day.';
const IS_TOO_FAR = `Choose a day within the next ${MOST_DAYS} days.`;
const ARE_TOO_MANY = 'Too many people already have a reminder for this device.';
const ABOUT =
  'If somebody looks up a newer snapshot of this device before then, I’ll tell you at once what changed.';
const HINT = 'At 9:00 on that day, your time. Leave it empty to use the choice above.';

/** "Remind me to check again": set, taken back, and what its reply offers. */
export function remind(parts: FeatureParts, watching: Pick<Watching, 'of'>): Feature {
  const reminders = new Reminders(parts, watching);
  return {
    hook: (event) => reminders.after(event),
    menu: [
      {
        value: 'remind',
        label: ({ units }) => (units === undefined ? 'Remind me to check again' : undefined),
        may: 'read',
        choose: (use) => askWhen(use, reminders),
      },
    ],
    start: () => reminders.start(),
    listen: (on) => {
      on.form(REMIND_VIEW, 'post', (use) => {
        const at = timeIn(use, parts);
        return typeof at === 'object' ? at : { work: () => setAt(at, use, reminders) };
      });
      on.click(CANCEL_REMINDER_ACTION, { message: 'read', window: 'read' }, async (use) => {
        const cancelled = await reminders.cancel(readReminder(use.value), use.user);
        const said = reminderCancelledMessage(cancelled);
        await (use.place === 'message' ? use.replace(said) : use.tell(said));
      });
    },
  };
}

/** Shows the form that asks when; it says so where the person has a reminder about that message already. */
async function askWhen(use: Use, reminders: Reminders): Promise<void> {
  const { state, user, show, context } = use;
  const zone = zoneOf(user, context.client);
  const draw = async (answers: Answers) =>
    remindModal(await reminders.find(await aboutOf(use, answers)), await zone);
  await show(await withAnswers(state, context, draw, noticeModal));
}

/** What is done with that form. */
async function setAt(at: number, use: Use, reminders: Reminders): Promise<void> {
  const { state, context } = use;
  const notSet = (why: string): Said => ({
    text: `No reminder was set for snapshot ${state.question.snapshotId}. ${why}`,
  });
  const set = async (answers: Answers) => {
    const about = await aboutOf(use, answers);
    const reminder = { ...about, id: randomUUID(), acceptedAt: context.now(), at };
    if (!(await reminders.set(reminder))) return notSet(ARE_TOO_MANY);
    return reminderSetMessage(reminder, (await context.history.nameOf(answers.result)) !== undefined);
  };
  await use.tell(await withAnswers(state, context, set, notSet, 'cached', faultNotice));
}

/** What somebody is reminded of, and where. */
async function aboutOf({ origin, state, user, context }: Use, { result }: Answers) {
  const { question, madeAt: readAt } = state;
  const list = (await context.history.nameOf(result)) ?? `snapshot-${question.snapshotId}`;
  return { question, readAt, destination: { ...origin, user }, list, host: hostOf(result.device) };
}

/** The time that was chosen, in epoch milliseconds; or what is wrong with the date, beside it. */
function timeIn(
  use: Use,
  { now, dayMs }: FeatureParts,
): number | { readonly errors: Readonly<Record<string, string>> } {
  const { block, value: date } = use.field(DATE_INPUT);
  const chosen = use.field(WHEN_INPUT).value;
  if (date === '' && chosen === 'hour') return now() + dayMs / 24;
  const ahead = clocksIn(block.slice(DATE_INPUT.length + 1));
  const days = chosen === 'week' ? 7 : 1;
  const today = now() + ahead(now());
  const day = date === '' ? new Date(today + days * DAY_MS).toISOString().slice(0, 10) : date;
  const morning = Date.parse(`${day}${MORNING}`);
  // The clocks of a zone change in the night, so that both times are on the same side of a change.
  const at = morning - ahead(morning - ahead(morning));
  if (at > now() + MOST_DAYS * DAY_MS) return { errors: { [block]: IS_TOO_FAR } };
  return at > now() ? at : { errors: { [block]: IS_OVER } };
}

/** The zone of a person, or how many seconds its clocks are ahead of UTC today; '' if Slack does not tell the bot. */
async function zoneOf(user: string, client: webApi.WebClient): Promise<string> {
  const answer = await client.users.info({ user }).catch(() => undefined);
  const { tz = '', tz_offset: seconds = '' } = answer?.user ?? {};
  return isZone(tz) ? tz : String(seconds);
}

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
function clocksIn(zone: string): (at: number) => number {
  if (!isZone(zone)) return () => (Number(zone) || 0) * 1_000;
  return (at) => Date.parse(`${new Date(at).toLocaleString('sv-SE', { timeZone: zone })}Z`) - at;
}

/** Whether it is the name of a zone that is known here; an offset is none. */
function isZone(zone: string): boolean {
  try {
    return /^[A-Z]/i.test(zone) && new Intl.DateTimeFormat('sv-SE', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** Asks when somebody wants to be reminded; `existing` is the reminder that they have, `zone` where their clocks are. */
export function remindModal(existing: Reminder | undefined, zone: string): types.ModalView {
  const had = existing && [
    richText([dayAndTime(existing.at, 'You have a reminder for'), words('. A new one replaces it.')]),
    actions([cancelButton(existing)]),
  ];
  return modal({ title: 'Remind me', callbackId: REMIND_VIEW, submit: 'Remind me' }, [
    ...(had ?? []),
    radios(WHEN_INPUT, 'When to check again', WHEN, 'tomorrow'),
    // What is wrong with a date is said beside it, when there is no time to ask Slack for the zone.
    input(
      DATE_INPUT,
      'Or on a date',
      { type: 'datepicker' },
      { block: `${DATE_INPUT}:${zone}`, isOptional: true, hint: HINT },
    ),
    smallPrint(ABOUT),
  ]);
}
