import type { ButtonAction, types } from '@slack/bolt';
import { z } from 'zod';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import { hostOf } from '../../../core/diagnostics.ts';
import { levelOf } from '../../../core/importance.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { ACCEPT_ACTION, TAKE_BACK_ACTION } from '../../answer/hit-notes.ts';
import { indexIn, modelOf } from '../../answer/result-model.ts';
import { type HitValue, hitValue, nameInValue, readCarried, readHit } from '../../block-kit/action-values.ts';
import { noticeModal, type Origin, originValue, readOrigin, titled } from '../../block-kit/modal.ts';
import type { Accepting, FeatureParts, ListenerContext } from '../../front/context.ts';
import { listenToForm, type Submission } from '../../front/form.ts';
import { withAnswers } from '../../front/reading.ts';
import type { Feature, InWindow } from '../../front/result-use.ts';
import { Acceptances } from './acceptances.ts';
import {
  ACCEPT_VIEW,
  acceptedModal,
  acceptModal,
  END_INPUT,
  endOf,
  FULL,
  GONE,
  NO_REASON,
  RATED_ANEW,
  REASON_INPUT,
  reasonOf,
  SAVING,
} from './window.ts';

/** What is done with a hit that is still in its result: gives the window that says what became of it. */
type Work = (hit: Diagnostic, answers: Answers) => Promise<types.ModalView>;

/** "Accept for this device…" in the details of a hit: it is listed last from then on, with who accepted it, and why. */
export function accept(parts: FeatureParts): Feature & { readonly accepting: Accepting } {
  const acceptances = new Acceptances(parts);
  return {
    accepting: acceptances,
    hook: {
      before: async (lookup, status) =>
        status.kind === 'ready' ? acceptances.complete(lookup, status) : status,
    },
    listen: (on, context) => {
      on.click<ButtonAction>(ACCEPT_ACTION, { window: 'read' }, async (click) => {
        const { value = '' } = click.action;
        await onHit(click, value, context, async (hit) => acceptModal({ hit }, value));
      });
      on.click<ButtonAction>(TAKE_BACK_ACTION, { window: 'post' }, async (click) => {
        const { value = '' } = click.action;
        await onHit(click, value, context, async (hit, answers) => {
          await acceptances.put(answers, hit);
          note(click, value, 'taken back', context);
          return acceptedModal({ hit }, undefined, value);
        });
      });
      listenToForm(on, ACCEPT_VIEW, 'post', context, (submission) => {
        const { reason } = filledIn(submission);
        if (reason === '') return { errors: { [REASON_INPUT]: NO_REASON } };
        return { view: noticeModal(SAVING), work: () => acceptIn(submission, acceptances, context) };
      });
    },
  };
}

async function acceptIn(
  submission: Submission,
  acceptances: Acceptances,
  context: ListenerContext,
): Promise<void> {
  const { user } = submission.body;
  const { reason, end, hit: value, rated } = filledIn(submission);
  await onHit(submission, value, context, async (hit, answers) => {
    if (ratingIn(hit) !== rated) return noticeModal(RATED_ANEW);
    const { name, importance } = hit;
    const at = context.now();
    const { result } = answers;
    const acceptance = {
      ...{ name, importance, reason, at, host: hostOf(result.device), ...endOf(end, result, at) },
      ...{ user: user.id, userName: user.name, snapshotId: readHit(value).view.question.snapshotId },
    };
    if (!(await acceptances.put(answers, hit, acceptance))) return noticeModal(FULL);
    note(submission, value, 'accepted', context);
    return acceptedModal({ hit }, acceptance, value);
  });
}

/** The hit that a window carries, and the importance with which it is shown there. */
const CARRIED = z.object({ hit: z.string(), rated: z.string().optional() });

/** The importance as a window carries it: a text of any length. */
function ratingIn(hit: Diagnostic): string {
  return nameInValue(levelOf(hit).key);
}

/** What was filled in, and what the window carries. */
function filledIn({ view: { state, private_metadata: carried } }: Submission) {
  const { [REASON_INPUT]: why, [END_INPUT]: when } = state.values;
  return {
    reason: reasonOf(why?.[REASON_INPUT]?.value),
    end: when?.[END_INPUT]?.selected_option?.value,
    ...readCarried(CARRIED, carried),
  };
}

/** Shows in the open window what the work on a hit gives; the window carries its message, and the hit. */
async function onHit(
  { body, client }: InWindow,
  value: string,
  context: ListenerContext,
  work: Work,
): Promise<void> {
  const hit = readHit(value);
  const origin = readOrigin(body.view?.private_metadata);
  const show = context.windows.at({ client, user: body.user.id, viewId: body.view?.id });
  const draw = async (answers: Answers) => {
    const { shown } = modelOf(hit.view, answers);
    const found = shown[indexIn(shown, hit)]?.hit;
    if (found?.match !== 'hit') return noticeModal(GONE);
    const view = titled(await work(found, answers), hit.view, hostOf(answers.result.device));
    return { ...view, private_metadata: metadataOf(origin, hit, ratingIn(found)) };
  };
  await show(await withAnswers<types.ModalView>(hit.view, context, draw, noticeModal));
}

function metadataOf(origin: Origin, hit: HitValue, rated: string): string {
  return JSON.stringify({ ...JSON.parse(originValue(origin)), hit: hitValue(hit), rated });
}

function note(
  { body: { user, view } }: InWindow,
  value: string,
  outcome: 'accepted' | 'taken back',
  { audit }: ListenerContext,
): void {
  const { channel } = readOrigin(view?.private_metadata);
  const { snapshotId } = readHit(value).view.question;
  audit({ event: 'hit accepted', user: user.id, channel, snapshot: snapshotId, outcome });
}
