import type { types } from '@slack/bolt';
import { z } from 'zod';
import { type Diagnostic, hostOf } from '../../../core/diagnostics.ts';
import type { Question } from '../../../core/lookup.ts';
import { oneLine } from '../../../core/texts.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { ACTION, readCarried, readHitKey } from '../../blocks/action-values.ts';
import * as ui from '../../blocks/blocks.ts';
import { shorten, visible } from '../../blocks/limits.ts';
import { input, modal, noticeModal, radios, titled } from '../../blocks/modal.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { withAnswers } from '../../front/windows.ts';
import { HIT_GONE } from '../../report/details.ts';
import { acceptedWords, rowTitle } from '../../report/hit.ts';
import { placeOf } from '../../report/rows.ts';

const ACCEPT_VIEW = 'accept';
/** The ids of the inputs; each is also the id of its block. */
const REASON_INPUT = 'accept-reason';
const END_INPUT = 'accept-end';

const DAY_MS = 24 * 3_600_000;
const LONGEST_REASON = 150;
const ENDS = { 30: 'For 30 days', 90: 'For 90 days' } as const;

const HOW =
  'Everybody who looks this device up sees it, with your name, and can take it back. The hit is then listed last and ' +
  'counted apart; it is still found, but is no news for those who follow. It holds only while the hit is rated as it is now.';

/** The button “Accept…” in the details of a hit. The report lists accepted hits last, with the person and the reason. */
export const accept: Feature = {
  listen: (on) => {
    on.click(ACTION.accept, 'read', (press) => onHit(press, press.value, async () => FORM));
    on.click(ACTION.takeBack, 'post', (press) => onHit(press, press.value, takeBack));
    on.form(ACCEPT_VIEW, 'post', (press) => {
      const typed = visible(press.field(REASON_INPUT)).replace(/\p{Cc}+/gu, ' ');
      // Cleaned here, because messages and files show the stored reason.
      const reason = shorten(oneLine(typed), LONGEST_REASON);
      if (reason === '') return { errors: { [REASON_INPUT]: 'Say why, in a few words.' } };
      const { hit } = readCarried(CARRIED, press.body.view?.private_metadata);
      return {
        placeholder: noticeModal('Saving…'),
        work: () => onHit(press, hit, (opened) => acceptHit(opened, reason)),
      };
    });
  },
};

/** What the form keeps for its submission: the value of the hit's button. */
const CARRIED = z.object({ hit: z.string() });

/** The hit of an open details window, and the click or form that changes it. */
type Opened = {
  readonly press: Interaction;
  readonly question: Question;
  readonly hit: Diagnostic;
  readonly answers: Answers;
};
/** The content of the next window, to which the hit's title and a button “Back” are added. */
type Next = { readonly frame: Parameters<typeof modal>[0]; readonly blocks: types.KnownBlock[] };

/** Finds the hit that a button's value names, runs `work` on it, and shows the outcome in the open window. */
async function onHit(press: Interaction, value: string, work: (opened: Opened) => Promise<Next>) {
  const key = readHitKey(value);
  const { question } = key;
  const draw = async (answers: Answers) => {
    const hit = placeOf(key, answers)?.row.hit;
    if (hit?.match !== 'hit') return noticeModal(HIT_GONE);
    const { frame, blocks } = await work({ press, question, hit, answers });
    const back = ui.actions([ui.button('Back', ACTION.details, value)]);
    const window = modal(frame, [ui.line(rowTitle({ hit })), ...blocks, back]);
    const private_metadata = JSON.stringify({ ...press.origin, hit: value });
    return { ...titled(window, { question }, hostOf(answers.result.device)), private_metadata };
  };
  await press.show(await withAnswers<types.ModalView>(press, { question }, draw, noticeModal));
}

/** The form that asks for how long and why a hit is accepted. */
const FORM: Next = {
  frame: { title: 'Accept for this device', callbackId: ACCEPT_VIEW, submit: 'Accept', close: 'Cancel' },
  blocks: [
    input(END_INPUT, 'Until when', radios(ENDS, '30')),
    input(REASON_INPUT, 'Why', { type: 'plain_text_input', max_length: LONGEST_REASON }),
    ui.smallPrint(HOW),
  ],
};
const LATER = ui.smallPrint('Results that were posted before show it after the next Refresh.');

async function acceptHit({ press, question, hit, answers }: Opened, reason: string): Promise<Next> {
  const { user, body, context } = press;
  const days = press.field(END_INPUT) === '90' ? 90 : 30;
  const { name, importance } = hit;
  const acceptance = {
    ...{ name, importance, reason, until: context.now() + days * DAY_MS },
    ...{ user, userName: body.user.name ?? '' },
  };
  await context.devices.accept(question, answers, hit, acceptance);
  press.audit('hit accepted', { question }, 'accepted');
  return { frame: { title: 'Accepted' }, blocks: [ui.richText(acceptedWords(acceptance)), LATER] };
}

async function takeBack({ press, question, hit, answers }: Opened): Promise<Next> {
  await press.context.devices.accept(question, answers, hit);
  press.audit('hit accepted', { question }, 'taken back');
  return {
    frame: { title: 'Taken back' },
    blocks: [ui.line('It is no longer accepted for this device.'), LATER],
  };
}
