import type { types } from '@slack/bolt';
import { isPrivately } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { faultNotice } from '../../answer/notices.ts';
import { canBeWatched } from '../../answer/result-model.ts';
import { nameOf } from '../../answer/wording.ts';
import { actions, button, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { modal, type Origin, radios } from '../../blocks/modal.ts';
import { redrawOwned } from '../../delivery/owners.ts';
import type { FeatureParts, Watching } from '../../front/context.ts';
import type { DeliveryEvent, Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { redraw } from '../../front/show-result.ts';
import type { Use } from '../../front/use.ts';
import { readDaily } from './daily-reading.ts';
import { baseBefore, baseOf, LONGEST_DAYS, type Worth } from './news.ts';
import { Watches } from './watches.ts';

const WATCH_VIEW = 'watch';
/** The input, alone in a block of the same name. */
const WORTH_INPUT = 'watch-worth';
/** Ends the watch of who presses it, in the form. */
const STOP_ACTION = 'watch-stop';

/** "Watch…": word in the thread of a result when its snapshot has new hits. */
export function watch(parts: FeatureParts): Feature & { readonly watching: Watching } {
  const watches = new Watches(parts);
  return {
    watching: watches,
    hook: (event) => startWithAnswer(event, watches),
    menu: [
      {
        value: 'watch',
        label: (model) => (canBeWatched(model) ? 'Watch…' : undefined),
        may: 'read',
        choose: async ({ state, origin, user, show }) => {
          const { snapshotId } = state.question;
          const own = (await watches.of(user)).find((each) => each.snapshotId === snapshotId);
          await show(watchModal(own?.worth, toldAt(origin)));
        },
      },
    ],
    start: () => parts.watchQueue.start((job) => readDaily(job, { ...parts, watches })),
    listen: (on) => {
      on.form(WATCH_VIEW, 'post', (use) => ({ work: () => startIn(use, watches) }));
      on.click(STOP_ACTION, { window: 'read' }, async ({ user, state, tell }) =>
        tell(await watches.stop(user, state.question.snapshotId)),
      );
    },
  };
}

/** A result that was asked for with "watch" is watched at its message. */
async function startWithAnswer(
  { lookup: { watch: isWanted, askedBy: user, question }, status, shown }: DeliveryEvent,
  watches: Watches,
): Promise<void> {
  if (isWanted === undefined || status.kind !== 'ready') return;
  const { channel, messageTs, threadTs } = shown.destination;
  const isAlone = isPrivately(shown.destination) || messageTs === undefined;
  const spot = isAlone ? { channel: user } : { channel, messageTs, ...(threadTs && { threadTs }) };
  const { snapshotId } = question;
  const device = nameOf(status.result);
  await watches.start({ user, snapshotId, device, worth: 'grave', ...spot, base: baseOf(status) });
}

/** What is done with the form. */
async function startIn(use: Use, watches: Watches): Promise<void> {
  const { state, origin, user, context } = use;
  const { question, madeAt } = state;
  const { snapshotId } = question;
  const notWatched = (why: string) => `Snapshot ${snapshotId} is not watched. ${why}`;
  const start = async (answers: Answers) => {
    const full = await watches.refusal(user, snapshotId);
    if (full !== undefined) return notWatched(full);
    const worth = use.field(WORTH_INPUT).value === 'any' ? 'any' : 'grave';
    const told = toldAt(origin);
    const spot = told === 'directly' ? { channel: user } : origin;
    // The result can have been read again since its message was made, which does not say what is new.
    const seen = await context.history.changesSince({ question, at: madeAt }, question, answers);
    const base = seen === undefined ? baseOf(answers) : baseBefore(madeAt, seen);
    const device = nameOf(answers.result);
    await watches.start({ user, snapshotId, device, worth, ...spot, base });
    // Others can have turned its pages since the window was opened.
    if (told !== 'directly' && !(await redrawOwned(origin, context))) await redraw(use, state);
    return `You’re watching snapshot ${snapshotId}: I’ll ${HOW[told]} when ${NEWS[worth]}. To stop, choose Watch again.`;
  };
  await use.tell(await withAnswers(state, context, start, notWatched, 'cached', faultNotice));
}

/** Where the word goes: into the thread of a result, or straight to the person where others don't see the result. */
type Told = keyof typeof HOW;
const HOW = {
  'in the thread': 'mention you in the thread (or send a direct message, where I can’t post there)',
  directly: 'send you a direct message',
};

function toldAt({ messageTs }: Origin): Told {
  return messageTs === undefined ? 'directly' : 'in the thread';
}

const WORTHS: Readonly<Record<Worth, string>> = {
  grave: 'Critical and high hits only',
  any: 'Anything new, cleared or rated differently',
};
const NEWS: Readonly<Record<Worth, string>> = {
  grave: 'critical or high hits are new, cleared or rated differently',
  any: 'anything changes',
};

/** Asks what is worth a word; `existing`: what this person has chosen for this snapshot. */
export function watchModal(existing: Worth | undefined, told: Told): types.ModalView {
  const had = [
    richText([words('You are watching this snapshot.')]),
    actions([button('Stop watching', STOP_ACTION)]),
  ];
  return modal(
    { title: 'Watch', callbackId: WATCH_VIEW, submit: existing === undefined ? 'Watch' : 'Save' },
    [
      ...(existing === undefined ? [] : had),
      radios(WORTH_INPUT, 'What is worth a message?', WORTHS, existing ?? 'grave'),
      smallPrint(
        `Once a day I’ll read the analysis again, and ${HOW[told]} only if something changed. Watching ends when the service ` +
          `deletes the snapshot, or after ${LONGEST_DAYS} days.`,
      ),
    ],
  );
}
