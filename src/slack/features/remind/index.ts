import { randomUUID } from 'node:crypto';
import type { ButtonAction, webApi } from '@slack/bolt';
import { hostOf } from '../../../core/diagnostics.ts';
import type { DeviceHistory } from '../../../lookups/device-history.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { faultNotice, processingNotice } from '../../answer/notices.ts';
import type { Message } from '../../block-kit/blocks.ts';
import { type MessageModal, noticeModal } from '../../block-kit/modal.ts';
import { originOf, orTellClicker, replaceClicked } from '../../front/click.ts';
import type { FeatureParts, ListenerContext, Watching } from '../../front/context.ts';
import { listenToForm, type Submission } from '../../front/form.ts';
import type { Listeners } from '../../front/listeners.ts';
import { orNotice, readAnswers, withAnswers } from '../../front/reading.ts';
import { type Feature, inForm, inWindow, type ResultUse, tellBeside } from '../../front/result-use.ts';
import { newSnapshotModal } from '../../views/look-up-modal.ts';
import {
  CANCEL_REMINDER_ACTION,
  DATE_INPUT,
  LOOK_UP_NEW_ACTION,
  MOST_DAYS,
  NOT_SET,
  REMIND_VIEW,
  readReminder,
  reminderCancelledMessage,
  reminderNotSet,
  reminderSetMessage,
  remindModal,
  WHEN_INPUT,
} from './messages.ts';
import { Reminders } from './reminders.ts';

const MORNING = 'T09:00:00Z';
const DAY_MS = 24 * 3_600_000;
const NOT_CANCELLED = 'a reminder could not be cancelled';

/** What is said to whoever sets or cancels one. */
type Said = Partial<Message> & { readonly text: string };

/** "Remind me to check again": set, taken back, and what its reply offers. */
export function remind(parts: FeatureParts, watching: Pick<Watching, 'of'>): Feature {
  const reminders = new Reminders(parts, watching);
  return {
    hook: reminders,
    menu: [
      {
        value: 'remind',
        label: ({ units }) => (units === undefined ? 'Remind me to check again' : undefined),
        may: 'read',
        choose: (use, context) => askWhen(use, reminders, context),
      },
    ],
    start: () => reminders.start(),
    listen: (on, context) => {
      listenToSetting(on, reminders, parts, context);
      on.click<ButtonAction>(CANCEL_REMINDER_ACTION, { message: 'read', window: 'read' }, async (click) => {
        const { view, user } = click.body;
        const cancel = async () =>
          reminderCancelledMessage(await reminders.cancel(readReminder(click.action.value), user.id));
        if (view === undefined)
          return orTellClicker(click, context, async () => replaceClicked(click, context, await cancel()));
        const said = await orNotice<Said>(context, NOT_CANCELLED, cancel, (fault) =>
          faultNotice(fault, context.operator),
        );
        await inWindow(click, context).tell(said.text);
      });
      on.click<ButtonAction>(LOOK_UP_NEW_ACTION, { message: 'ask' }, async (click) => {
        // The answer to a new id goes where the reminder stands.
        const { channel, threadTs } = originOf(click);
        const { user, trigger_id: triggerId } = click.body;
        const view = newSnapshotModal({ channel, ...(threadTs && { threadTs, hasThread: true }) });
        await context.windows.at({ client: click.client, user: user.id, triggerId })(view);
      });
    },
  };
}

/** Shows the form that asks when; it says so where the person has a reminder about that message already. */
async function askWhen(
  { opened, user, show }: ResultUse,
  reminders: Reminders,
  context: ListenerContext,
): Promise<void> {
  const zone = zoneOf(user, context.client);
  const draw = async (answers: Answers) => {
    const existing = await reminders.find(await aboutOf(opened, answers, user, context.history));
    return remindModal(existing, await zone);
  };
  await show(await withAnswers(opened.state, context, draw, noticeModal));
}

/** What is done with that form. */
function listenToSetting(
  on: Listeners,
  reminders: Reminders,
  parts: FeatureParts,
  context: ListenerContext,
): void {
  const { history } = context;
  listenToForm(on, REMIND_VIEW, 'post', context, (submission) => {
    const at = timeIn(submission, parts);
    if (typeof at === 'object') return at;
    const use = inForm(submission, context);
    const { opened, user } = use;
    const notSet = (why: string) => reminderNotSet(opened.state.question, why);
    const set = async (): Promise<Said> => {
      const answers = await readAnswers(opened.state, context);
      if (answers === undefined) return notSet(processingNotice(opened.state));
      const about = await aboutOf(opened, answers, user, history);
      const reminder = { ...about, id: randomUUID(), acceptedAt: context.now(), at };
      if (!(await reminders.set(reminder))) return notSet(NOT_SET.areTooMany);
      return reminderSetMessage(reminder, (await history.nameOf(answers.result)) !== undefined);
    };
    const work = async () => {
      const said = await orNotice(context, 'a reminder could not be set', set, (fault) =>
        notSet(faultNotice(fault, context.operator).text),
      );
      await tellBeside(use, said, context);
    };
    return { work };
  });
}

/** What somebody is reminded of, and where. */
async function aboutOf(
  { origin, state: { question, madeAt: readAt } }: MessageModal,
  { result }: Answers,
  user: string,
  history: DeviceHistory,
) {
  const list = (await history.nameOf(result)) ?? `snapshot-${question.snapshotId}`;
  return { question, readAt, destination: { ...origin, user }, list, host: hostOf(result.device) };
}

/** The time that was chosen, in epoch milliseconds; or what is wrong with the date, beside it. */
function timeIn(
  { view }: Pick<Submission, 'view'>,
  { now, dayMs }: Pick<FeatureParts, 'now' | 'dayMs'>,
): number | { readonly errors: Readonly<Record<string, string>> } {
  const { values } = view.state;
  const [block = '', inputs] = Object.entries(values).find(([, given]) => DATE_INPUT in given) ?? [];
  const date = inputs?.[DATE_INPUT]?.selected_date ?? '';
  const chosen = values[WHEN_INPUT]?.[WHEN_INPUT]?.selected_option?.value;
  if (date === '' && chosen === 'hour') return now() + dayMs / 24;
  const ahead = clocksIn(block.slice(DATE_INPUT.length + 1));
  const days = chosen === 'week' ? 7 : 1;
  const today = now() + ahead(now());
  const day = date === '' ? new Date(today + days * DAY_MS).toISOString().slice(0, 10) : date;
  const morning = Date.parse(`${day}${MORNING}`);
  // The clocks of a zone change in the night, so that both times are on the same side of a change.
  const at = morning - ahead(morning - ahead(morning));
  if (at > now() + MOST_DAYS * DAY_MS) return { errors: { [block]: NOT_SET.isTooFar } };
  return at > now() ? at : { errors: { [block]: NOT_SET.isOver } };
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
