import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Acceptance } from '../../../core/comparing.ts';
import { type Diagnostic, hostOf } from '../../../core/diagnostics.ts';
import { levelOf } from '../../../core/importance.ts';
import { oneLine } from '../../../core/texts.ts';
import { MOST_ACCEPTED } from '../../../lookups/devices.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { readCarried, readHitKey } from '../../blocks/action-values.ts';
import { actions, button, type RichElement, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { shorten, visible } from '../../blocks/limits.ts';
import { input, modal, noticeModal, radios, titled } from '../../blocks/modal.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { withAnswers } from '../../front/reading.ts';
import { DETAILS_ACTION } from '../../report/controls.ts';
import { ACCEPT_ACTION, placeOf, TAKE_BACK_ACTION } from '../../report/details.ts';
import { acceptedWords, rowTitle } from '../../report/hit.ts';

const ACCEPT_VIEW = 'accept';
/** Each input stands alone in a block of the same name. */
const REASON_INPUT = 'accept-reason';
const END_INPUT = 'accept-end';

const DAY_MS = 24 * 3_600_000;
const LONGEST_REASON = 150;
const LONGEST_LEVEL = 60;

const ENDS = {
  30: 'For 30 days',
  90: 'For 90 days',
} as const;

const HOW =
  'Everybody who looks this device up sees it, with your name, and can take it back. The hit is then listed last: it still ' +
  'counts and is still found, but is no news for those who follow. It ends at once if the importance of the hit changes.';
const FULL = `This device has ${MOST_ACCEPTED} accepted hits, which is the most: take one back first.`;
const RATED_ANEW =
  'The importance of this hit has changed since the form was opened, so it was not accepted. Open its details again.';

/** "Accept for this device…" in the details of a hit: it is listed last from then on, with who accepted it, and why. */
export const accept: Feature = {
  listen: (on, { devices }) => {
    on.click(ACCEPT_ACTION, { window: 'read' }, (press) =>
      onHit(press, press.value, async (hit) => ({ window: acceptModal({ hit }, press.value) })),
    );
    on.click(TAKE_BACK_ACTION, { window: 'post' }, (press) =>
      onHit(press, press.value, async (hit, answers) => {
        await devices.accept(readHitKey(press.value).question, answers, hit);
        return { window: acceptedModal({ hit }, undefined, press.value), outcome: 'taken back' };
      }),
    );
    on.form(ACCEPT_VIEW, 'post', (press) => {
      const { reason } = filledIn(press);
      if (reason === '') return { errors: { [REASON_INPUT]: 'Say why, in a few words.' } };
      return { view: noticeModal('Saving…'), work: () => acceptIn(press) };
    });
  },
};

/** The hit that a window carries, and the importance with which it is shown there. */
const CARRIED = z.object({ hit: z.string(), rated: z.string().optional() });

/** What was filled in, and what the window carries. The first choice of an end stands in for one that is not offered. */
function filledIn(press: Interaction) {
  const typed = visible(press.field(REASON_INPUT)).replace(/\p{Cc}+/gu, ' ');
  const end = press.field(END_INPUT);
  return {
    // As it is shown, also in files.
    reason: shorten(oneLine(typed), LONGEST_REASON),
    days: end === '90' ? 90 : 30,
    ...readCarried(CARRIED, press.body.view?.private_metadata),
  };
}

async function acceptIn(press: Interaction): Promise<void> {
  const { user, body, context } = press;
  const { reason, days, hit: value, rated } = filledIn(press);
  await onHit(press, value, async (hit, answers) => {
    if (ratingIn(hit) !== rated) return { window: noticeModal(RATED_ANEW) };
    const { name, importance } = hit;
    const { device } = answers.result;
    const { question } = readHitKey(value);
    const at = context.now();
    const acceptance = {
      ...{ name, importance, reason, at, until: at + days * DAY_MS, host: hostOf(device) },
      ...{ user, userName: body.user.name ?? '', snapshotId: question.snapshotId },
    };
    if (!(await context.devices.accept(question, answers, hit, acceptance)))
      return { window: noticeModal(FULL) };
    return { window: acceptedModal({ hit }, acceptance, value), outcome: 'accepted' };
  });
}

/** The importance as a window carries it: a text of any length. */
function ratingIn(hit: Diagnostic): string {
  return shorten(levelOf(hit).key, LONGEST_LEVEL);
}

/** The window that says what became of a hit, and that if anything did. */
type Done = { readonly window: types.ModalView; readonly outcome?: 'accepted' | 'taken back' };

/**
 * Shows in the open window what the work on a hit that is still in its result gives; the window carries its message, and
 * the hit, which `value` names.
 */
async function onHit(
  press: Interaction,
  value: string,
  work: (hit: Diagnostic, answers: Answers) => Promise<Done>,
): Promise<void> {
  const key = readHitKey(value);
  const view = { question: key.question };
  const { origin } = press;
  const draw = async (answers: Answers) => {
    const hit = placeOf(key, answers)?.row.hit;
    if (hit?.match !== 'hit') return noticeModal('The result has changed: this hit is no longer in it.');
    const { window, outcome } = await work(hit, answers);
    if (outcome !== undefined) press.audit('hit accepted', view, outcome);
    const carried = { ...origin, hit: value, rated: ratingIn(hit) };
    const drawn = titled(window, view, hostOf(answers.result.device));
    return { ...drawn, private_metadata: JSON.stringify(carried) };
  };
  await press.show(await withAnswers<types.ModalView>(view, press.context, draw, noticeModal));
}

type Hit = { readonly hit: Diagnostic };

/** Asks for how long a hit is accepted, and why. `value` leads back to its details. */
function acceptModal({ hit }: Hit, value: string): types.ModalView {
  const frame = { title: 'Accept for this device', callbackId: ACCEPT_VIEW, submit: 'Accept' };
  return modal({ ...frame, close: 'Cancel' }, [
    richText(named(hit)),
    radios(END_INPUT, 'Until when', ENDS, '30'),
    input(REASON_INPUT, 'Why', { type: 'plain_text_input', max_length: LONGEST_REASON }),
    smallPrint(HOW),
    actions([button('Back', DETAILS_ACTION, value)]),
  ]);
}

/** What became of a hit, with the way back to its details; without an acceptance it was taken back. */
function acceptedModal({ hit }: Hit, accepted: Acceptance | undefined, value: string): types.ModalView {
  const isAccepted = accepted !== undefined;
  const said = isAccepted
    ? acceptedWords(accepted)
    : [words('The hit is no longer accepted for this device.')];
  return modal({ title: isAccepted ? 'Accepted' : 'Taken back' }, [
    richText(named(hit), said),
    smallPrint('Results that were posted before show it after the next Refresh.'),
    actions([button('Back', DETAILS_ACTION, value)]),
  ]);
}

/** Which hit a window is about. */
function named(hit: Diagnostic): RichElement[] {
  return [words(rowTitle({ hit }))];
}
