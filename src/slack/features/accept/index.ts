import type { types } from '@slack/bolt';
import { z } from 'zod';
import { type Diagnostic, hostOf } from '../../../core/diagnostics.ts';
import { oneLine } from '../../../core/texts.ts';
import { MOST_ACCEPTED } from '../../../lookups/devices.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { readCarried, readHitKey } from '../../blocks/action-values.ts';
import { actions, button, type RichElement, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { shorten, visible } from '../../blocks/limits.ts';
import { input, modal, noticeModal, radios, titled } from '../../blocks/modal.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { withAnswers } from '../../front/windows.ts';
import { ACTION } from '../../report/action-ids.ts';
import { HIT_GONE, placeOf } from '../../report/details.ts';
import { acceptedWords, rowTitle } from '../../report/hit.ts';

const ACCEPT_VIEW = 'accept';
/** Each input stands alone in a block of the same name. */
const REASON_INPUT = 'accept-reason';
const END_INPUT = 'accept-end';

const DAY_MS = 24 * 3_600_000;
const LONGEST_REASON = 150;
const ENDS = { 30: 'For 30 days', 90: 'For 90 days' } as const;

const HOW =
  'Everybody who looks this device up sees it, with your name, and can take it back. The hit is then listed last: it still ' +
  'counts and is still found, but is no news for those who follow. It holds only while the hit is rated as it is now.';
const FULL = `This device has ${MOST_ACCEPTED} accepted hits, which is the most: take one back first.`;

/** "Accept for this device…" in the details of a hit: it is listed last from then on, with who accepted it, and why. */
export const accept: Feature = {
  listen: (on) => {
    on.click(ACTION.accept, 'read', (press) =>
      onHit(press, press.value, async (hit) => acceptModal(hit, press.value)),
    );
    on.click(ACTION.takeBack, 'post', (press) => onHit(press, press.value, takeBack(press)));
    on.form(ACCEPT_VIEW, 'post', (press) => {
      const typed = visible(press.field(REASON_INPUT)).replace(/\p{Cc}+/gu, ' ');
      // As it is shown, also in files.
      const reason = shorten(oneLine(typed), LONGEST_REASON);
      if (reason === '') return { errors: { [REASON_INPUT]: 'Say why, in a few words.' } };
      const { hit: value } = readCarried(CARRIED, press.body.view?.private_metadata);
      return {
        view: noticeModal('Saving…'),
        work: () => onHit(press, value, acceptFor(press, value, reason)),
      };
    });
  },
};

/** What a window carries beside its message: the hit that it is about. */
const CARRIED = z.object({ hit: z.string() });

/** Gives the window that is shown next. */
type Work = (hit: Diagnostic, answers: Answers) => Promise<types.ModalView>;

/** Does some work on a hit that is still in its result, and shows what it gives in the open window. */
async function onHit(press: Interaction, value: string, work: Work): Promise<void> {
  const key = readHitKey(value);
  const view = { question: key.question };
  const draw = async (answers: Answers) => {
    const hit = placeOf(key, answers)?.row.hit;
    if (hit?.match !== 'hit') return noticeModal(HIT_GONE);
    const window = titled(await work(hit, answers), view, hostOf(answers.result.device));
    return { ...window, private_metadata: JSON.stringify({ ...press.origin, hit: value }) };
  };
  await press.show(await withAnswers<types.ModalView>(press, view, draw, noticeModal));
}

function acceptFor(press: Interaction, value: string, reason: string): Work {
  const { user, body, context } = press;
  const { question } = readHitKey(value);
  const days = press.field(END_INPUT) === '90' ? 90 : 30;
  return async (hit, answers) => {
    const at = context.now();
    const { name, importance } = hit;
    const acceptance = {
      ...{ name, importance, reason, at, until: at + days * DAY_MS },
      ...{ user, userName: body.user.name ?? '', snapshotId: question.snapshotId },
      host: hostOf(answers.result.device),
    };
    if (!(await context.devices.accept(question, answers, hit, acceptance))) return noticeModal(FULL);
    press.audit('hit accepted', { question }, 'accepted');
    return doneModal('Accepted', hit, acceptedWords(acceptance), value);
  };
}

function takeBack(press: Interaction): Work {
  const { value, context } = press;
  const { question } = readHitKey(value);
  return async (hit, answers) => {
    await context.devices.accept(question, answers, hit);
    press.audit('hit accepted', { question }, 'taken back');
    return doneModal('Taken back', hit, [words('The hit is no longer accepted for this device.')], value);
  };
}

/** Asks for how long a hit is accepted, and why. `value` leads back to its details. */
function acceptModal(hit: Diagnostic, value: string): types.ModalView {
  const frame = { title: 'Accept for this device', callbackId: ACCEPT_VIEW, submit: 'Accept' };
  return modal({ ...frame, close: 'Cancel' }, [
    richText([words(rowTitle({ hit }))]),
    radios(END_INPUT, 'Until when', ENDS, '30'),
    input(REASON_INPUT, 'Why', { type: 'plain_text_input', max_length: LONGEST_REASON }),
    smallPrint(HOW),
    actions([button('Back', ACTION.details, value)]),
  ]);
}

function doneModal(title: string, hit: Diagnostic, said: RichElement[], value: string): types.ModalView {
  return modal({ title }, [
    richText([words(rowTitle({ hit }))], said),
    smallPrint('Results that were posted before show it after the next Refresh.'),
    actions([button('Back', ACTION.details, value)]),
  ]);
}
