import type { ButtonAction } from '@slack/bolt';
import { isPrivately } from '../../../core/lookup.ts';
import { faultNotice, processingNotice } from '../../answer/notices.ts';
import { type MessageModal, noticeModal } from '../../block-kit/modal.ts';
import { redrawOwned } from '../../delivery/owners.ts';
import type { Accepting, FeatureParts, ListenerContext, Watching } from '../../front/context.ts';
import { listenToForm, type Submission } from '../../front/form.ts';
import { orNotice, readAnswers } from '../../front/reading.ts';
import {
  type DeliveryHook,
  type Feature,
  inForm,
  inWindow,
  type MenuEntry,
  tellBeside,
} from '../../front/result-use.ts';
import { redraw } from '../../front/show-result.ts';
import { DailyReading } from './daily-reading.ts';
import {
  notWatched,
  STOP_ACTION,
  type Told,
  WATCH_VIEW,
  WORTH_INPUT,
  watchModal,
  watchStarted,
} from './messages.ts';
import { baseBefore, baseOf } from './places.ts';
import { Watches } from './watches.ts';

/** "Watch…": word in the thread of a result when its snapshot has new hits. */
export function watch(parts: FeatureParts, accepting: Accepting): Feature & { readonly watching: Watching } {
  const watches = new Watches(parts);
  const reading = new DailyReading(parts, watches, accepting);
  return {
    watching: watches,
    hook: startedWithAnswer(watches),
    menu: [menuEntry(watches)],
    start: () => parts.watchQueue.start((job) => reading.step(job)),
    listen: (on, context) => {
      listenToForm(on, WATCH_VIEW, 'post', context, (submission) => ({
        work: () => startIn(submission, watches, context),
      }));
      on.click<ButtonAction>(STOP_ACTION, { window: 'read' }, async (click) => {
        const { user, opened, show } = inWindow(click, context);
        await show(noticeModal(await watches.stop(user, opened.state.question.snapshotId)));
      });
    },
  };
}

function menuEntry(watches: Watches): MenuEntry {
  return {
    value: 'watch',
    label: ({ about, noun }) =>
      (about === 'one' || about === 'search') && noun === 'hit' ? 'Watch…' : undefined,
    may: 'read',
    choose: async ({ opened, user, show }) => {
      const { snapshotId } = opened.state.question;
      const own = (await watches.of(user)).find((each) => each.snapshotId === snapshotId);
      await show(watchModal(own?.worth, toldOf(opened)));
    },
  };
}

/** A result that was asked for with "watch" is watched at its message. */
function startedWithAnswer(watches: Watches): DeliveryHook {
  return {
    after: async ({ lookup: { watch: isWanted, askedBy: user, question }, status, shown }) => {
      if (isWanted === undefined || status.kind !== 'ready') return;
      const { destination } = shown;
      const { channel, messageTs, threadTs } = destination;
      const isAlone = isPrivately(destination) || messageTs === undefined;
      const spot = isAlone ? { channel: user } : { channel, messageTs, ...(threadTs && { threadTs }) };
      const { snapshotId } = question;
      await watches.start({ user, snapshotId, worth: 'grave', ...spot, base: baseOf(status) });
    },
  };
}

function toldOf({ isPrivate, origin }: MessageModal): Told {
  return isPrivate || origin.messageTs === undefined ? 'directly' : 'in the thread';
}

/** What is done with the form. */
async function startIn(submission: Submission, watches: Watches, context: ListenerContext): Promise<void> {
  const use = inForm(submission, context);
  const { opened, user } = use;
  const { state, origin, isPrivate } = opened;
  const { question, madeAt } = state;
  const { snapshotId } = question;
  const chosen = submission.view.state.values[WORTH_INPUT]?.[WORTH_INPUT]?.selected_option?.value;
  const worth = chosen === 'any' ? 'any' : 'grave';
  const start = async () => {
    const full = await watches.refusal(user, snapshotId);
    if (full !== undefined) return notWatched(snapshotId, full);
    const answers = await readAnswers(state, context);
    if (answers === undefined) return notWatched(snapshotId, processingNotice(state));
    const told = toldOf(opened);
    const spot = told === 'directly' ? { channel: user } : origin;
    // The result can have been read again since its message was made, which does not say what is new.
    const seen = await context.history.changesSince({ question, at: madeAt }, question, answers);
    const base = seen === undefined ? baseOf(answers) : baseBefore(madeAt, seen);
    await watches.start({ user, snapshotId, worth, ...spot, base });
    // Others can have turned its pages since the window was opened.
    if (!isPrivate && !(await redrawOwned(origin, context))) await redraw(use, state, context);
    return watchStarted(snapshotId, worth, told);
  };
  const said = await orNotice(context, 'a snapshot could not be watched', start, (fault) =>
    notWatched(snapshotId, faultNotice(fault, context.operator).text),
  );
  await tellBeside(use, said, context);
}
