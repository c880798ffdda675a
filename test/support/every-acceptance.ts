import type { types } from '@slack/bolt';
import type { Acceptance } from '../../src/core/comparing.ts';
import { sideOf } from '../../src/core/importance.ts';
import { readDocument } from '../../src/service/document.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import { hitValue, type View } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { titled } from '../../src/slack/blocks/modal.ts';
import { acceptedModal, acceptModal } from '../../src/slack/features/accept/index.ts';
import { detailsModal } from '../../src/slack/features/details/window.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { documentWithUpgrades } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { snapshotId as idOf } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const DAY_MS = 24 * 3_600_000;
const RESULT = readDocument(documentXml(documentWithUpgrades()));
const HITS = sideOf(RESULT, 'hit');
const snapshotId = idOf('26808463');
const VIEW: View = { question: { snapshotId, set: 'all' } };
const STATE = { ...VIEW, page: 0, askedBy: 'U0BEN', madeAt: AT, turn: 0 };

const by = { user: 'U0ANA', userName: 'ana', snapshotId, host: RESULT.device.hostname, at: AT };
const UNTIL = { ...by, reason: 'maintenance window booked', until: AT + 30 * DAY_MS };
const LATER = { ...by, reason: 'no such pool here', until: AT + 90 * DAY_MS };

/** The result in which some hits are accepted: the first ones, and all others but one. */
function answersWith(names: readonly number[]) {
  const accepted = names.flatMap((at): Acceptance[] => {
    const { name, importance } = HITS[at] ?? {};
    if (name === undefined || importance === undefined) return [];
    return [{ name, importance, ...(at % 2 === 0 ? UNTIL : LATER) }];
  });
  return { result: RESULT, readAt: AT, accepted };
}

const ALL_BUT_ONE = answersWith(HITS.map((_, at) => at).slice(1));

/** What makes each message with accepted hits, by name. */
export function everyAcceptance(): Record<string, () => Message> {
  return {
    'result-with-accepted-hits': () => viewMessage(STATE, answersWith([0, 1, 2])),
    'result-with-accepted-hits-last': () => viewMessage({ ...STATE, page: 99 }, answersWith([0, 1, 2])),
    'result-with-most-hits-accepted': () => viewMessage(STATE, ALL_BUT_ONE),
  };
}

/** What makes the windows in which a hit is accepted and taken back, by name. */
export function everyAcceptanceModal(): Record<string, () => types.ModalView> {
  const model = modelOf(VIEW, ALL_BUT_ONE);
  const { hit } = model.shown[1] ?? {};
  if (hit === undefined) throw new Error('no second hit');
  const value = hitValue({ view: VIEW, hit: 1, name: hit.name, part: 0 });
  const said = { name: hit.name, importance: hit.importance, ...UNTIL };
  const named = (window: types.ModalView) => titled(window, VIEW, RESULT.device.hostname);
  return {
    'details-modal-accepted': () => named(detailsModal({ model, index: 1, part: 0, sharing: 'possible' })),
    'accept-modal': () => named(acceptModal({ hit }, value)),
    'accepted-modal': () => named(acceptedModal({ hit }, said, value)),
    'taken-back-modal': () => named(acceptedModal({ hit }, undefined, value)),
  };
}
