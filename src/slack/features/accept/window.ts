import type { types } from '@slack/bolt';
import type { Acceptance } from '../../../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult } from '../../../core/diagnostics.ts';
import { oneLine } from '../../../core/texts.ts';
import { BACK_ACTION } from '../../answer/hit-blocks.ts';
import { acceptedLine } from '../../answer/hit-notes.ts';
import type { ShownHit } from '../../answer/rows.ts';
import { importanceOf } from '../../answer/wording.ts';
import {
  actions,
  button,
  plain,
  type RichElement,
  richText,
  smallPrint,
  words,
} from '../../block-kit/blocks.ts';
import { shorten, visible } from '../../block-kit/limits.ts';
import { modal, radios } from '../../block-kit/modal.ts';

export const ACCEPT_VIEW = 'accept';
/** Each input stands alone in a block of the same name. */
export const REASON_INPUT = 'accept-reason';
export const END_INPUT = 'accept-end';

const DAY_MS = 24 * 3_600_000;
const LONGEST_REASON = 150;
const LONGEST_TITLE = 200;

/** A device whose document names no release has the next one as soon as one is named. */
const ENDS = {
  30: 'For 30 days',
  90: 'For 90 days',
  release: 'Until the next release, 90 days at most',
} as const;

const HOW =
  'Everybody who looks this device up sees it, with your name, and can take it back. The hit is then listed last: it still ' +
  'counts and is still found, but a watch no longer reports it. It ends at once if the importance of the hit changes.';

/** Asks for how long a hit is accepted, and why. `value` leads back to its details. */
export function acceptModal({ hit }: ShownHit, value: string): types.ModalView {
  const frame = { title: 'Accept for this device', callbackId: ACCEPT_VIEW, submit: 'Accept' };
  return modal({ ...frame, close: 'Cancel' }, [
    richText(named(hit)),
    radios(END_INPUT, 'Until when', ENDS, '30'),
    {
      type: 'input',
      block_id: REASON_INPUT,
      label: plain('Why'),
      element: { type: 'plain_text_input', action_id: REASON_INPUT, max_length: LONGEST_REASON },
    },
    smallPrint(HOW),
    actions([button('Back', BACK_ACTION, value)]),
  ]);
}

/** Which hit a window is about. */
function named(hit: Diagnostic): RichElement[] {
  return [words(`${importanceOf(hit)} · ${shorten(oneLine(hit.title || hit.name), LONGEST_TITLE)}`)];
}

/** When it ends, by what was chosen; the first choice stands in for one that is not offered. */
export function endOf(
  chosen: string | undefined,
  { software }: Pick<DiagnosticsResult, 'software'>,
  now: number,
): Pick<Acceptance, 'until' | 'release'> {
  const until = now + (chosen === '90' || chosen === 'release' ? 90 : 30) * DAY_MS;
  return { until, ...(chosen === 'release' && { release: software }) };
}

/** A reason as it is shown, also in files: one line without control characters, cut where it is too long. */
export function reasonOf(typed: string | null | undefined): string {
  return shorten(oneLine(visible(typed ?? '').replace(/\p{Cc}+/gu, ' ')), LONGEST_REASON);
}

export const SAVING = 'Saving…';
export const NO_REASON = 'Say why, in a few words.';
/** The most acceptances of a device: each is read with every result of it. */
export const MOST_OF_A_DEVICE = 200;
export const FULL = `This device has ${MOST_OF_A_DEVICE} accepted hits, which is the most: take one back first.`;
export const RATED_ANEW =
  'The importance of this hit has changed since the form was opened, so it was not accepted. Open its details again.';
export const GONE = 'The result has changed: this hit is no longer in it.';

/** What became of a hit, with the way back to its details; without an acceptance it was taken back. */
export function acceptedModal(
  { hit }: ShownHit,
  accepted: Acceptance | undefined,
  value: string,
): types.ModalView {
  const said = accepted === undefined ? [words(TAKEN_BACK)] : acceptedLine(accepted);
  const later = 'Results that were posted before show it after the next Refresh.';
  return modal({ title: accepted === undefined ? 'Taken back' : 'Accepted' }, [
    richText(named(hit), said),
    smallPrint(later),
    actions([button('Back', BACK_ACTION, value)]),
  ]);
}

const TAKEN_BACK = 'The hit is no longer accepted for this device.';
